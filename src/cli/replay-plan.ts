import type { RunMeta } from '../analysis/index.ts';
import { CtxsimError } from '../errors.ts';
import { type PolicySpec, parsePolicies, policies, presets } from '../policies/index.ts';
import { cacheModelNamed } from '../providers/index.ts';
import type { PriceBook } from '../providers/provider.ts';
import type { ReadOptions, ScenarioJob } from '../run/index.ts';
import { type InputFlags, readOptions } from './inputs.ts';
import type { Io } from './io.ts';
import { rate, wholeNumber } from './numbers.ts';
import { withConfigs } from './policy-config.ts';
import { loadPolicyFiles } from './policy-files.ts';
import { openPriceBook, type PriceFlags } from './price-book.ts';
import { type ScenarioFlags, scenariosOf } from './scenarios.ts';
import { packageVersion } from './version.ts';

/** Options of every command that replays sessions. */
export interface ReplayingFlags extends InputFlags, PriceFlags, ScenarioFlags {
  readonly cache?: string;
  readonly events?: 'recorded' | 'none';
  readonly eviction: 'none' | 'measured';
  readonly window?: string;
  readonly outputReserve: string;
  readonly refetchRate?: string;
  readonly breakEven?: boolean;
  readonly seed?: string;
}

/** What a command replays: files, the settings of the provider, and what the result says of itself. */
export interface ReplayPlan {
  readonly read: ReadOptions;
  readonly scenarios: readonly ScenarioJob[];
  readonly meta: Omit<RunMeta, 'ttl' | 'service'>;
}

/** Rows to replay; the first is what the others are measured against. */
export interface Rows {
  readonly specs: readonly PolicySpec[];
  /** Policies whose rows are left out where they say nothing of their own. */
  readonly onlyIfOwn?: ReadonlySet<string>;
  /** As the command line named them, where rows are known by that. */
  readonly given?: readonly string[];
  /** Keep what each row paid for, and the requests of one session. */
  readonly isDetailed?: boolean;
}

/**
 * Policies as the command line names them: settings files and policy files are read. `withParts`: a preset that is made of
 * others is followed by rows for those.
 */
export async function rowsNamed(io: Io, named: readonly string[], withParts: boolean): Promise<PolicySpec[]> {
  const texts = await withConfigs(io, named);
  return parsePolicies(texts, policies, presets, await loadPolicyFiles(io, texts), withParts);
}

/** The one policy that a flag names. @throws CtxsimError if it stands for several. */
export async function rowNamed(io: Io, flag: string, named: string): Promise<PolicySpec> {
  const specs = await rowsNamed(io, [named], false);
  const [spec] = specs;
  if (spec && specs.length === 1) return spec;
  throw new CtxsimError('bad-policy', `${flag} ${named} stands for ${specs.length} policies`, 'Name one.');
}

/** Lifetimes that break-evens are looked for under, as multiples of the provider's own: from 1/8 to a day where it is five minutes. */
const lifetimeMultiples = [0.125, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 6, 8, 12, 24, 48, 96, 288];

/** Everything that a replay needs, from the flags. @throws CtxsimError for flags that contradict each other, or unknown names. */
export async function replayPlan(
  io: Io,
  paths: readonly string[],
  flags: ReplayingFlags,
  { specs, onlyIfOwn = new Set(), given = [], isDetailed = false }: Rows,
  pricesOf: (today: PriceBook) => PriceBook = (today) => today,
): Promise<ReplayPlan> {
  if (flags.events === 'recorded' && flags.model !== undefined) {
    throw new CtxsimError(
      'bad-events',
      '--events recorded: what befell the cache of the recorded model says nothing of --model',
      'Leave one of the two out.',
    );
  }
  const seed = wholeNumber('--seed', flags.seed ?? '1', 0);
  const read = readOptions(io, paths, flags);
  const job = {
    rows: specs,
    baseline: 0,
    ...(flags.cache === undefined ? {} : { cache: cacheModelNamed(flags.cache).name }),
    window: flags.window === undefined ? undefined : wholeNumber('--window', flags.window, 1),
    outputReserve: wholeNumber('--output-reserve', flags.outputReserve, 0),
    // Losses were those of the recorded model's cache; another one would have had others.
    recordedEvents: (flags.events ?? (flags.model || flags.cache ? 'none' : 'recorded')) === 'recorded',
    expectLosses: flags.eviction === 'measured',
    lifetimeMultiples: flags.breakEven ? lifetimeMultiples : undefined,
    explain: isDetailed ? ('parts' as const) : undefined,
    refetchRate: flags.refetchRate === undefined ? 0 : rate('--refetch-rate', flags.refetchRate),
    prices: pricesOf(await openPriceBook(io, flags)),
  };
  const scenarios = scenariosOf(flags, job);
  // A model that was asked for by name and has no such price is a mistake in the command, not in one session.
  for (const { model, prices } of scenarios.map((scenario) => scenario.job)) {
    for (const name of [model ?? [], ...specs.map(modelsNamed)].flat()) prices.card(name);
  }
  const meta = {
    rows: specs.map(({ kind, settings, label, partOf }, index) => ({
      policy: kind.name,
      params: settings,
      label,
      ...(given[index] === undefined ? {} : { given: given[index] }),
      ...(partOf === undefined ? {} : { partOf }),
      onlyIfOwn: onlyIfOwn.has(kind.name) || partOf !== undefined,
      usesWindow: kind.usesWindow === true,
    })),
    baseline: job.baseline,
    version: packageVersion(),
    prices: job.prices.id,
    seed,
    expectsLosses: job.expectLosses,
    refetchRate: job.refetchRate,
    lifetimeMultiples: job.lifetimeMultiples,
    detailed: isDetailed ? true : undefined,
    outputReserve: job.outputReserve,
    pricedAt: `${flags.asOf ?? "each session's own date"} (a newer model at the snapshot's)`,
  };
  return { read, scenarios, meta };
}

/** The one scenario of a plan, for a command that has no use for several. @throws CtxsimError if lists made more. */
export function onlyScenario({ scenarios: [only, another] }: ReplayPlan, command: string): ScenarioJob {
  if (only && !another) return only;
  throw new CtxsimError(
    'bad-list',
    `${command} follows one bill; --model, --breakpoints, --ttl, --service-tier and --region take one value each here`,
    'Name one of each.',
  );
}

/** The error of a command whose files hold nothing to replay. */
export function nothingToReplay(): CtxsimError {
  return new CtxsimError(
    'nothing-to-replay',
    'the files hold no request to a model',
    'See what they hold with: ctxsim inspect PATH',
  );
}

/** Models that the settings of a row name, for calls of its own. */
function modelsNamed({ kind, settings }: PolicySpec): string[] {
  return Object.entries(kind.params).flatMap(([name, spec]) =>
    spec.type === 'model' && settings[name] !== 'main' ? [String(settings[name])] : [],
  );
}
