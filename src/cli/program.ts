import { Argument, Command, CommanderError, Option } from 'commander';
import { exitCodes } from '../errors.ts';
import { unknownName } from '../registry.ts';
import { addChoosingCommands } from './choosing-commands.ts';
import { type Io, reportError, say } from './io.ts';
import {
  checkOptions,
  examples,
  explainOptions,
  inputOptions,
  outputOptions,
  pricesDoc,
  replayedInputOptions,
  replayOptions,
  repriceOptions,
  serviceOptions,
  somePaths,
} from './options.ts';
import { packageVersion } from './version.ts';

/** Runs the command line; returns the exit status. Commands are loaded when they are asked for, so that help is quick. */
export async function run(io: Io): Promise<number> {
  let status: number = exitCodes.done;
  const program = createProgram(io, (code) => {
    status = code;
  });
  try {
    await addComplete(program, io);
    nameInErrors(program, 'ctxsim');
    await program.parseAsync([...io.argv], { from: 'user' });
    return status;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.couldNotAnswer;
    return reportError(io, error);
  }
}

/** Wrong usage is said of the command that it befell, with where to read how that is used. */
function nameInErrors(command: Command, name: string): void {
  command
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, `${name}: `)) })
    .showHelpAfterError(`  See: ${name} --help`);
  for (const each of command.commands) nameInErrors(each, `${name} ${each.name()}`);
}

function createProgram(io: Io, setStatus: (code: number) => void): Command {
  const program = new Command('ctxsim')
    .description(
      "What does your agent's context policy cost? Replays recorded sessions offline and prints the savings table.",
    )
    .version(packageVersion())
    .addHelpText(
      'after',
      examples(['ctxsim replay', 'ctxsim replay sessions -o savings.html', 'ctxsim recommend sessions']),
    )
    .exitOverride()
    .configureOutput({ writeOut: io.out, writeErr: (text) => say(io, text), getOutHasColors: () => io.colorOut })
    .helpCommand('help [command]', 'the help of a command')
    .allowExcessArguments()
    .action(async () => {
      const [unknown] = program.args;
      if (unknown !== undefined)
        throw unknownName(
          'command',
          unknown,
          program.commands.map((command) => command.name()),
        );
      const { welcome } = await import('./commands/welcome.ts');
      setStatus(await welcome(io));
    });

  replayOptions(replayedInputOptions(program.command('replay')))
    .description('savings table of policies against a baseline')
    .addHelpText(
      'after',
      examples([
        'ctxsim replay',
        'ctxsim replay "sessions/*.jsonl" --policy elide:recent_turns=0..3',
        'ctxsim replay sessions -o savings.csv -o savings.json',
      ]),
    )
    .action(async (paths: string[], options) => {
      const { replay } = await import('./commands/replay.ts');
      setStatus(await replay(io, paths, options));
    });

  addChoosingCommands(program, io, setStatus);

  explainOptions(replayedInputOptions(program.command('explain')))
    .description('where the money went under one policy, request by request, and what broke the cache')
    .addHelpText(
      'after',
      examples([
        'ctxsim explain',
        'ctxsim explain session.jsonl --policy elide:recent_turns=2',
        'ctxsim explain session.jsonl --breakpoints tail --format csv',
      ]),
    )
    .action(async (paths: string[], options) => {
      const { explain } = await import('./commands/explain.ts');
      setStatus(await explain(io, paths, options));
    });

  serviceOptions(inputOptions(program.command('backtest')), ['recorded'])
    .description('predicted against recorded usage, with the error: can these numbers be trusted?')
    .addOption(new Option('--only <which>', 'only requests whose past had changed').choices(['edits']))
    .option('--prices <file>', pricesDoc)
    .option('--max-error <share>', 'exit 1 if the pooled bill is off by more, for example 3%')
    .addOption(new Option('--format <format>', 'how to print').choices(['table', 'json']).default('table'))
    .addHelpText(
      'after',
      examples([
        'ctxsim backtest',
        'ctxsim backtest session.jsonl --max-error 3%',
        'ctxsim backtest sessions --format json',
      ]),
    )
    .action(async (paths: string[], options) => {
      const { backtest } = await import('./commands/backtest.ts');
      setStatus(await backtest(io, paths, options));
    });

  inputOptions(program.command('inspect'))
    .description('what was read: sessions, turns, requests, usage, repairs; validates the native format')
    .addOption(new Option('--format <format>', 'how to print').choices(['table', 'json']).default('table'))
    .addHelpText(
      'after',
      examples([
        'ctxsim inspect session.jsonl',
        'ctxsim inspect sessions --format json',
        'ctxsim inspect "sessions/*.jsonl" -v',
      ]),
    )
    .action(async (paths: string[], options) => {
      const { inspect } = await import('./commands/inspect.ts');
      setStatus(await inspect(io, paths, options));
    });

  inputOptions(program.command('convert'), somePaths)
    .description('to the native format; --content-free keeps sizes and drops every word')
    .option('--content-free', 'keep structure, sizes, times, usage and models; the bill stays the same to the token')
    .option('--hide-tools', 'with --content-free: number all tools, not only those that no harness ships')
    .option('-o, --output <path>', 'a file (gzipped if it ends in .gz), or a directory for one file per session')
    .option('--force', 'write over files that exist')
    .addHelpText(
      'after',
      examples([
        'ctxsim convert session.jsonl > native.jsonl',
        'ctxsim convert sessions --content-free -o sizes.jsonl.gz',
        'ctxsim convert "sessions/*.jsonl" --content-free --hide-tools -o sizes/',
      ]),
    )
    .action(async (paths: string[], options) => {
      const { convert } = await import('./commands/convert.ts');
      setStatus(await convert(io, paths, options));
    });

  program
    .command('list')
    .description('what ctxsim knows: policies, models, providers, formats')
    .addArgument(new Argument('<what>', 'what to list').choices(['policies', 'models', 'providers', 'formats']))
    .argument('[name]', 'one of them, in full')
    .addOption(new Option('--format <format>', 'how to print').choices(['table', 'json', 'md']).default('table'))
    .addHelpText(
      'after',
      examples(['ctxsim list policies', 'ctxsim list providers openai', 'ctxsim list models --format md']),
    )
    .action(async (what: string, name: string | undefined, options) => {
      const { list } = await import('./commands/list.ts');
      setStatus(await list(io, what, name, options));
    });

  checkOptions(replayedInputOptions(program.command('check')))
    .description('compare with a stored result and with budgets; exit 1 where sessions got dearer (CI)')
    .addHelpText(
      'after',
      examples([
        'ctxsim check sessions --policy heph:config=heph.toml --against costs.json --update',
        'ctxsim check sessions --policy heph:config=heph.toml --against costs.json --max-increase 2%',
        'ctxsim check sessions --max 0.40/turn --format github',
      ]),
    )
    .action(async (paths: string[], options) => {
      const { check } = await import('./commands/check.ts');
      setStatus(await check(io, paths, options));
    });

  outputOptions(program.command('report'))
    .description('a stored result in another format; several of different sessions are merged')
    .argument('<result.json...>', 'what replay -o FILE.json wrote')
    .addHelpText(
      'after',
      examples([
        'ctxsim report savings.json',
        'ctxsim report monday.json tuesday.json -o week.json -o week.html',
        'ctxsim report costs.json --format github',
      ]),
    )
    .action(async (files: string[], options) => {
      const { report } = await import('./commands/report.ts');
      setStatus(await report(io, files, options));
    });

  repriceOptions(program.command('reprice'))
    .description('price a table of token counts; --solve finds the prices of a published one')
    .addHelpText(
      'after',
      examples([
        'ctxsim reprice usage.csv --model claude-sonnet-4-6',
        'ctxsim reprice table.csv --unit 1M --price 0.75,0.075,,,4.50',
        'ctxsim reprice table.csv --unit 1M --solve',
      ]),
    )
    .action(async (table: string, options) => {
      const { reprice } = await import('./commands/reprice.ts');
      setStatus(await reprice(io, table, options));
    });
  return program;
}

/** The library is loaded only to complete: help and everything else do without. */
async function addComplete(program: Command, io: Io): Promise<void> {
  if (io.argv[0] === 'complete') {
    const { addCompletion } = await import('./completion.ts');
    addCompletion(program);
  } else program.command('complete').argument('[shell]');
  program.commands
    .find((command) => command.name() === 'complete')
    ?.description('print a completion script: bash, zsh or fish')
    .addHelpText(
      'after',
      examples([
        'source <(ctxsim complete bash)',
        'ctxsim complete zsh > ~/.zfunc/_ctxsim',
        'ctxsim complete fish > ~/.config/fish/completions/ctxsim.fish',
      ]),
    );
}
