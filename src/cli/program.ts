import { Argument, Command, CommanderError, Option } from 'commander';
import { exitCodes } from '../errors.ts';
import { unknownName } from '../registry.ts';
import { type Io, reportError } from './io.ts';
import { packageVersion } from './version.ts';

const pricesDoc = 'JSON file with prices for models that have none, or others';

/** Runs the command line; returns the exit status. Commands are loaded when they are asked for, so that help is quick. */
export async function run(io: Io): Promise<number> {
  let status: number = exitCodes.done;
  const program = createProgram(io, (code) => {
    status = code;
  });
  try {
    await program.parseAsync([...io.argv], { from: 'user' });
    return status;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.couldNotAnswer;
    return reportError(io, error);
  }
}

function createProgram(io: Io, setStatus: (code: number) => void): Command {
  const program = new Command('ctxsim')
    .description(
      "What does your agent's context policy cost? Replays recorded sessions offline and prints the savings table.",
    )
    .version(packageVersion())
    .exitOverride()
    .configureOutput({ writeOut: io.out, writeErr: io.err, getOutHasColors: () => io.colorOut })
    .showHelpAfterError('(ctxsim --help says what can be done)')
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

  replayOptions(inputOptions(program.command('replay')))
    .description('savings table of policies against a baseline')
    .addHelpText(
      'after',
      examples([
        'ctxsim replay',
        'ctxsim replay "logs/**/*.jsonl" --policy elide:recent_turns=0..3',
        'ctxsim replay sessions -o savings.csv -o savings.json',
      ]),
    )
    .action(async (paths: string[], options) => {
      const { replay } = await import('./commands/replay.ts');
      setStatus(await replay(io, paths, options));
    });

  providerOptions(inputOptions(program.command('explain')))
    .description('where the money went under one policy, request by request, and what broke the cache')
    .optionsGroup('Policy and output:')
    .option('-p, --policy <spec>', 'the policy to explain', 'recorded')
    .addOption(new Option('--format <format>', 'how to print').choices(['table', 'json', 'csv']).default('table'))
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

  inputOptions(program.command('backtest'))
    .description('predicted against recorded usage, with the error: can these numbers be trusted?')
    .addOption(new Option('--only <which>', 'only requests whose past had changed').choices(['edits']))
    .option('--prices <file>', pricesDoc)
    .option('--max-error <share>', 'exit 1 if the pooled bill is off by more, for example 3%')
    .addOption(new Option('--format <format>', 'how to print').choices(['table', 'json']).default('table'))
    .addHelpText(
      'after',
      examples(['ctxsim backtest', 'ctxsim backtest --only edits logs', 'ctxsim backtest --max-error 3% logs']),
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
        'ctxsim inspect --format json sessions',
        'ctxsim inspect -v broken.jsonl',
      ]),
    )
    .action(async (paths: string[], options) => {
      const { inspect } = await import('./commands/inspect.ts');
      setStatus(await inspect(io, paths, options));
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

  checkOptions(inputOptions(program.command('check')))
    .description('compare with a stored result and with budgets; exit 1 where sessions got dearer (CI)')
    .addHelpText(
      'after',
      examples([
        'ctxsim check sessions --policy heph:config=heph.toml --against costs.json --update',
        'ctxsim check sessions --policy heph:config=heph.toml --against costs.json --max-increase 2%',
        'ctxsim check recordings --max 0.40/turn --format github',
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
        'ctxsim report costs.json',
        'ctxsim report monday.json tuesday.json -o week.json -o week.csv',
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

/** Options of every command that reads transcripts. */
function inputOptions(command: Command): Command {
  return command
    .argument(
      '[paths...]',
      'files, directories, globs, - for standard input; without any, where installed agents keep their sessions',
    )
    .option('--input-format <name>', 'read every file as this format instead of looking at its content')
    .option('--map <key=column,…>', 'which columns of a request log hold what; several with + are added')
    .option('-v, --verbose', 'list the findings, each with the first place where it was seen')
    .option('-q, --quiet', 'print nothing but the result and errors');
}

function replayOptions(command: Command): Command {
  const policies = command
    .optionsGroup('Policies:')
    .option(
      '-p, --policy <spec>',
      'NAME[:key=value,…], repeatable; lists 0,1,2 and ranges 0..8:2 make rows; a+b chains policies; a path (./my.mjs) runs a policy of your own',
      collect,
    )
    .option('--baseline <spec>', 'the policy that savings are measured against', 'full');
  return outputOptions(
    providerOptions(policies).option('--seed <n>', 'seed of what is drawn at random, kept in the result', '1'),
  );
}

function checkOptions(command: Command): Command {
  const checks = command
    .optionsGroup('Check:')
    .option('-p, --policy <spec>', 'what is checked, one row each, repeatable (default: recorded)', collect)
    .option('--against <file>', 'the reference: what --update wrote, or replay -o FILE.json')
    .option('--update', 'write the reference, at the prices of today; nothing is compared')
    .option(
      '--max-increase <share>',
      'per turn: 2%; also 2%/session, 2%/total (default: "checks" in ctxsim.config.json)',
    )
    .option('--max <usd>', 'a budget, which needs no reference: 12, 0.40/turn, 2/session')
    .option(
      '--match <what>',
      'sessions are the same by: a regular expression whose group names them, id, file (default: file name)',
    )
    .option('--name <name>', 'tells comments on one pull request apart', 'check');
  return outputOptions(providerOptions(checks), 'table | json | md | junit | github', '.txt .json .md .xml .github.md');
}

/** Options of every command that prints a result. */
function outputOptions(
  command: Command,
  formats = 'table | csv | json | md | junit | github | benchmark-json',
  endings = '.txt .csv .json .md .xml .github.md .bench.json',
): Command {
  return command
    .optionsGroup('Output:')
    .option('--format <format>', formats, 'table')
    .option('-o, --output <file>', `write to a file, format from its ending (${endings}); repeatable`, collect);
}

/** Options of every command that replays sessions. */
function providerOptions(command: Command): Command {
  return command
    .optionsGroup('Provider and prices (lists make scenarios; every combination is replayed):')
    .option('--model <id,…>', 'replay every session as this model (default: what was recorded)')
    .option('--cache <name>', "cache model, see: list providers (default: the provider's own)")
    .option(
      '--breakpoints <planner,…>',
      'where cache markers stand, see: list providers (default: anchor, beside those of the recorded harness)',
    )
    .option('--ttl <ttl,…>', 'lifetime of cache writes: recorded, 5m, 1h, 24h, never', 'recorded')
    .addOption(
      new Option(
        '--events <which>',
        'cache losses that the recording shows and no rule explains, for every row alike',
      ).choices(['recorded', 'none']),
    )
    .addOption(
      new Option('--eviction <which>', 'where no losses are recorded, bill the measured rate of them')
        .choices(['none', 'measured'])
        .default('none'),
    )
    .option('--window <tokens>', 'context window (default: the model’s)')
    .option('--output-reserve <tokens>', 'tokens kept free for the reply', '32000')
    .option('--service-tier <tier,…>', 'price of a service tier: standard, batch, flex, fast', 'standard')
    .option('--region <region,…>', 'price of a place: global, us, regional', 'global')
    .option('--prices <file>', pricesDoc)
    .option('--allow-unpriced', 'keep models without a price: their tokens are counted apart, not billed')
    .option('--as-of <date>', 'price at this day (default: each session’s own)');
}

function repriceOptions(command: Command): Command {
  return command
    .argument('<table>', 'CSV or JSONL with columns of token counts, - for standard input')
    .option(
      '--map <key=column,…>',
      'which columns hold fresh, read, write5m, write1h, output, cost, label; requests=COLUMN where counts are means of so many',
    )
    .addOption(new Option('--unit <n>', 'what a count of one stands for').choices(['1', '1k', '1M']).default('1'))
    .optionsGroup('Prices, one of --price, --model, --solve:')
    .option('--price <usd,…>', 'fresh,read,write5m,write1h,output in USD per million tokens, or fresh=3,output=15')
    .option('--model <id>', 'the list prices of a model')
    .option('--prices <file>', pricesDoc)
    .option('--solve', 'the prices under which the cost column comes out')
    .optionsGroup('Output:')
    .option('--as-of <date>', 'list prices of this day (default: the snapshot’s)')
    .option('--tolerance <usd>', 'rows that differ by more do not fit', '0.007')
    .addOption(new Option('--format <format>', 'how to print').choices(['table', 'json', 'csv']).default('table'))
    .option('-v, --verbose', 'list the findings, each with the first place where it was seen')
    .option('-q, --quiet', 'print nothing but the result and errors');
}

function collect(value: string, values: string[] = []): string[] {
  return [...values, value];
}

function examples(lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}\n`;
}
