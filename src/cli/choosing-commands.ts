import { type Command, Option } from 'commander';
import type { Io } from './io.ts';
import {
  baselineDoc,
  breakEvenDoc,
  collect,
  examples,
  outputOptions,
  providerOptions,
  replayedInputOptions,
  seedDoc,
} from './options.ts';

/** The commands that choose among many settings, and the store that makes them cheap to repeat. */
export function addChoosingCommands(program: Command, io: Io, setStatus: (status: number) => void): void {
  sweepOptions(replayedInputOptions(program.command('sweep')))
    .description(
      'a grid of settings: the curve, the best point, what is as good, and what the choice is worth elsewhere',
    )
    .addHelpText(
      'after',
      examples([
        'ctxsim sweep',
        'ctxsim sweep sessions --policy bi:recent_turns_full=2..6:2,slack=0,2',
        'ctxsim sweep sessions --policy heph:recent_turns=0..4 --ttl 5m,1h -o curve.csv',
      ]),
    )
    .action(async (paths: string[], options) => {
      const { sweep } = await import('./commands/sweep.ts');
      setStatus(await sweep(io, paths, options));
    });

  recommendOptions(replayedInputOptions(program.command('recommend')))
    .description('what to set, what it saves, how sure that is; or to leave it as it is, and why')
    .addHelpText(
      'after',
      examples([
        'ctxsim recommend',
        'ctxsim recommend sessions --family heph --baseline heph:config=heph.toml',
        'ctxsim recommend sessions --model claude-sonnet-4-6 --format md',
      ]),
    )
    .action(async (paths: string[], options) => {
      const { recommend } = await import('./commands/recommend.ts');
      setStatus(await recommend(io, paths, options));
    });

  program
    .command('store')
    .description('what sweep and recommend keep, so as not to replay it twice: folder, entries, size; --clear is safe')
    .option('--store <folder>', 'another folder than the one in the user’s cache')
    .option('--clear', 'remove every entry')
    .addOption(new Option('--format <format>', 'how to print').choices(['table', 'json']).default('table'))
    .addHelpText('after', examples(['ctxsim store', 'ctxsim store --store kept --format json', 'ctxsim store --clear']))
    .action(async (options) => {
      const { store } = await import('./commands/store.ts');
      setStatus(store(io, options));
    });
}

function sweepOptions(command: Command): Command {
  const policies = command
    .optionsGroup('Settings:')
    .option(
      '-p, --policy <spec>',
      'NAME:key=values[,key=values…], repeatable; lists 0,1,2 and ranges 0..8:2 multiply; a+b chains policies',
      collect,
    )
    .option('--baseline <spec>', baselineDoc, 'full');
  return storeOptions(
    outputOptions(providerOptions(policies).option('--break-even', breakEvenDoc).option('--seed <n>', seedDoc, '1')),
  );
}

function recommendOptions(command: Command): Command {
  const settings = command
    .optionsGroup('Settings:')
    .addOption(
      new Option(
        '--family <name>',
        'whose settings are tried: those of heph, of Bi, or all that are known to be worth it',
      )
        .choices(['heph', 'bi', 'all'])
        .default('all'),
    )
    .option('--baseline <spec>', 'what you have now', 'full');
  return storeOptions(outputOptions(providerOptions(settings).option('--seed <n>', seedDoc, '1')));
}

function storeOptions(command: Command): Command {
  return command
    .optionsGroup('Store of what was replayed (a run that was cut off goes on where it stopped):')
    .option('--store <folder>', 'keep it in this folder (default: the user’s cache)')
    .option('--no-store', 'keep nothing, and use nothing that was kept');
}
