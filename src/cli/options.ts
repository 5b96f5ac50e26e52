import { Argument, type Command, Option } from 'commander';
import { regions, serviceTiers } from '../providers/provider.ts';

export const pricesDoc = 'JSON file with prices for models that have none, or others';
export const seedDoc = 'seed of what is drawn at random, kept in the result';
export const breakEvenDoc =
  'the prices, lifetime, further requests and refetches at which rows and baseline change places';
export const baselineDoc = 'the policy that savings are measured against';

const anyPaths = new Argument(
  '[paths...]',
  'files, directories, globs, - for standard input; without any, where installed agents keep their sessions',
);

/** For commands that do nothing by themselves. */
export const somePaths = new Argument('<paths...>', 'files, directories, globs, - for standard input');

/** Options of every command that reads transcripts. */
export function inputOptions(command: Command, paths = anyPaths): Command {
  return command
    .addArgument(paths)
    .option('--input-format <name>', 'read every file as this format instead of looking at its content')
    .option('--map <key=column,…>', 'which columns of a request log hold what; several with + are added')
    .option('--agent <name>', 'only sessions of this agent, repeatable: claude-code, codex, pi', collect)
    .option('--project <path>', 'only sessions of this project, repeatable: its path, or the end of it', collect)
    .option('--since <date>', 'only sessions begun on this day (UTC) or later')
    .option('--last <span>', 'only sessions begun within 30d, 12h, 4w before the newest one began')
    .option('-v, --verbose', 'list the findings, each with the first place where it was seen')
    .option('-q, --quiet', 'print nothing but the result and errors');
}

/** Options of every command that reads transcripts and replays them. */
export function replayedInputOptions(command: Command): Command {
  return inputOptions(command).option(
    '--jobs <n>',
    'sessions replayed at once, each in a thread of its own (default: 1, more where there is much to read)',
  );
}

/** Options of the commands that print a savings table. */
export function replayOptions(command: Command): Command {
  const policies = command
    .optionsGroup('Policies:')
    .option(
      '-p, --policy <spec>',
      'NAME[:key=value,…], repeatable; lists 0,1,2 and ranges 0..8:2 make rows; a+b chains policies; a path (./my.mjs) runs a policy of your own',
      collect,
    )
    .option('--baseline <spec>', baselineDoc, 'full');
  return outputOptions(
    providerOptions(policies).option('--break-even', breakEvenDoc).option('--seed <n>', seedDoc, '1'),
  );
}

/** Options of `check`. */
export function checkOptions(command: Command): Command {
  const checks = command
    .optionsGroup('Check:')
    .option('-p, --policy <spec>', 'what is checked, one row each, repeatable (default: recorded)', collect)
    .option('--against <file>', 'the reference: what --update wrote, or replay -o FILE.json')
    .option('--update', 'write the reference, at the prices of today; nothing is compared')
    .option(
      '--max-increase <share>',
      'per turn: 2%; also 2%/session, 2%/total; beside the "checks" in ctxsim.config.json, in place of the same one there',
    )
    .option('--max <usd>', 'a budget, which needs no reference: 12, 0.40/turn, 2/session; likewise')
    .option(
      '--match <what>',
      'sessions are the same by: a regular expression whose group names them, id, file (default: file name)',
    )
    .option('--name <name>', 'tells comments on one pull request apart', 'check');
  return outputOptions(providerOptions(checks), 'table | json | md | junit | github', '.txt .json .md .xml .github.md');
}

/** Options of `explain`. */
export function explainOptions(command: Command): Command {
  const policy = command.optionsGroup('Policy:').option('-p, --policy <spec>', 'the policy to explain', 'recorded');
  return outputOptions(providerOptions(policy), 'table | json | csv | md', '.txt .json .csv .md');
}

/** Options of every command that prints a result. */
export function outputOptions(
  command: Command,
  formats = 'table | csv | json | md | html | junit | github | benchmark-json',
  endings = '.txt .csv .json .md .html .xml .github.md .bench.json',
): Command {
  return command
    .optionsGroup('Output:')
    .option('--format <format>', formats, 'table')
    .option('-o, --output <file>', `write to a file, format from its ending (${endings}); repeatable`, collect);
}

/** Options of every command that replays sessions. */
export function providerOptions(command: Command): Command {
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
    .option('--refetch-rate <rate>', 'charge reading results at risk again, so many times each: 0.3, 30%')
    .option('--window <tokens>', 'context window (default: the model’s)')
    .option(
      '--output-reserve <tokens>',
      'tokens kept free for the reply, by policies without a level of their own',
      '32000',
    )
    .option('--service-tier <tier,…>', 'price of a service tier: recorded, standard, batch, flex, fast', 'recorded')
    .option('--region <region,…>', 'price of a place: recorded, global, us, regional', 'recorded')
    .option('--prices <file>', pricesDoc)
    .option('--allow-unpriced', 'keep models without a price: their tokens are counted apart, not billed')
    .option('--as-of <date>', 'price at this day (default: each session’s own)');
}

/** One service tier and one region, for commands that have no scenarios; `recorded` where there are requests that show theirs. */
export function serviceOptions(command: Command, recorded: readonly 'recorded'[] = []): Command {
  const tiers = new Option('--service-tier <tier>', 'price of a service tier');
  const places = new Option('--region <region>', 'price of a place');
  return command
    .addOption(tiers.choices([...recorded, ...serviceTiers]).default(recorded[0] ?? 'standard'))
    .addOption(places.choices([...recorded, ...regions]).default(recorded[0] ?? 'global'));
}

/** Options of `reprice`. */
export function repriceOptions(command: Command): Command {
  const prices = command
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
    .option('--solve', 'the prices under which the cost column comes out');
  return serviceOptions(prices)
    .optionsGroup('Output:')
    .option('--as-of <date>', 'list prices of this day (default: the snapshot’s)')
    .option('--tolerance <usd>', 'rows that differ by more do not fit', '0.007')
    .addOption(new Option('--format <format>', 'how to print').choices(['table', 'json', 'csv']).default('table'))
    .option('-v, --verbose', 'list the findings, each with the first place where it was seen')
    .option('-q, --quiet', 'print nothing but the result and errors');
}

/** A repeatable option: every value that was given. */
export function collect(value: string, values: string[] = []): string[] {
  return [...values, value];
}

/** The end of every command's help; `scripts/examples.mjs` runs each line in a project that has the files named here. */
export function examples(lines: readonly [string, string, string]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}\n`;
}
