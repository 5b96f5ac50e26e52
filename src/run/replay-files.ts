import {
  explain,
  joinScenarios,
  type Places,
  type RunMeta,
  type RunSettings,
  recommend,
  resultOf,
  scenarioResults,
  sweepOf,
} from '../analysis/index.ts';
import type { CtxsimError } from '../errors.ts';
import type { PriceBook } from '../providers/provider.ts';
import type { Basis, Explanation, SessionOutcome } from '../results/index.ts';
import type { Result } from '../results/result.ts';
import { compareText } from '../session/index.ts';
import { type ReadSession, tracedOutcome, traceOf } from './dearest-session.ts';
import type { JobOptions } from './job.ts';
import { type OutcomeSources, outcomesOf } from './outcomes.ts';
import type { ReadOptions } from './read.ts';

/** A replay of many files: the result, and what had to be left out. */
export interface ReplayRun {
  /** Undefined when nothing was left to compare. */
  readonly result: Result | undefined;
  /** Files and sessions that could not be replayed, each with the reason. */
  readonly leftOut: readonly CtxsimError[];
}

/** What a result says besides numbers; the rest is known of each scenario. */
type FilesMeta = Omit<RunMeta, 'ttl' | 'service'>;

/** What is replayed, by whom, and what is to be said of it. */
export interface ReplayWork extends OutcomeSources {
  readonly meta: FilesMeta;
  /** The result has the requests of one session as well. */
  readonly isTraced?: boolean;
}

/** Reads files and replays every session in them under every row. What cannot be read or priced is left out and named. */
export function replayFiles(read: ReadOptions, job: JobOptions, meta: FilesMeta): Promise<ReplayRun> {
  return replayScenarios({ read, scenarios: [{ name: '', job }], meta });
}

/** The same under each of several scenarios; a session that one of them cannot replay is left out of all. */
export async function replayScenarios(work: ReplayWork): Promise<ReplayRun> {
  const { outcomes, dearest, leftOut } = await outcomesOf(work);
  if (outcomes.length === 0) return { result: undefined, leftOut };
  const { scenarios, read } = work;
  const cards = cardsOf(outcomes.flat(), scenarios[0]?.job.prices);
  const result = resultOf(outcomes, { ...settingsOf(work, leftOut.length), cards }, read.findings.list());
  return { result: await traced(result, dearest, work), leftOut };
}

/** The result with the requests of one session, if they are wanted, whatever else it has for charts. */
async function traced(
  result: Result,
  dearest: ReadSession | undefined,
  { scenarios, isTraced }: ReplayWork,
): Promise<Result> {
  if (!isTraced) return result;
  const trace = await traceOf(dearest, scenarios, result);
  return { ...result, detail: { parts: result.detail?.parts ?? [], trace } };
}

/** A replay whose result says which of its rows is best, and how sure that choice is. */
export async function sweepScenarios(work: ReplayWork): Promise<ReplayRun> {
  const { results, dearest, leftOut } = await resultsOf(work);
  if (results.length === 0) return { result: undefined, leftOut };
  const result = { ...joinScenarios(results), sweep: sweepOf(results, work.meta.seed) };
  return { result: await traced(result, dearest, work), leftOut };
}

/** A sweep of the first scenario whose result says what to set, and where. */
export async function recommendFiles(
  work: ReplayWork,
  { places, commandFor }: { readonly places: Places; commandFor(label: string): string },
): Promise<ReplayRun> {
  const { results, dearest, leftOut } = await resultsOf(work);
  const [first] = results;
  if (!first) return { result: undefined, leftOut };
  const result = recommend(first.result, places, work.meta.seed, commandFor);
  return { result: await traced(result, dearest, work), leftOut };
}

/** What {@link outcomesOf} gives, as a result under each scenario; none where nothing could be replayed. */
async function resultsOf(work: ReplayWork) {
  const { outcomes, dearest, leftOut } = await outcomesOf(work);
  const settings = settingsOf(work, leftOut.length);
  const results = outcomes.length === 0 ? [] : scenarioResults(outcomes, settings, work.read.findings.list());
  return { results, dearest, leftOut };
}

function settingsOf({ scenarios, meta }: ReplayWork, leftOut: number): Omit<RunSettings, 'cards'> {
  return {
    scenarios: scenarios.map(({ name, job }) => ({
      ...meta,
      rows: meta.rows.map((row) => ({ ...row, params: { ...row.params } })),
      name,
      ttl: job.ttl,
      service: { ...job.prices.service },
    })),
    leftOut,
  };
}

/** Every price that the models of these sessions ever had: by them a later run can be billed as this one was. */
function cardsOf(outcomes: readonly SessionOutcome[], prices: PriceBook | undefined): Basis['cards'] {
  const models = [...new Set(outcomes.flatMap((outcome) => outcome.models))].sort(compareText);
  const priced = models.filter((model) => prices && !prices.card(model).unpriced);
  return Object.fromEntries(
    priced.map((model) => [
      model,
      (prices?.history(model) ?? []).map(
        ({ unpriced: _, ...card }) => structuredClone(card) as Basis['cards'][string][number],
      ),
    ]),
  );
}

/** What one policy's bill paid for, over many files. */
export interface ExplainRun {
  /** Undefined when nothing was left to explain. */
  readonly explanation: Explanation | undefined;
  readonly leftOut: readonly CtxsimError[];
}

/** Reads files and says of the one row of the first scenario what its bill paid for and what broke the cache. */
export async function explainFiles(work: ReplayWork): Promise<ExplainRun> {
  const { outcomes, dearest, leftOut } = await outcomesOf(work);
  const [scenario] = work.scenarios;
  if (outcomes.length === 0 || !scenario) return { explanation: undefined, leftOut };
  // Of one session every request is said, of several they would be too many.
  const isOne = dearest !== undefined && outcomes.length === 1;
  const all = isOne ? [await tracedOutcome(dearest, scenario.job)] : outcomes.flatMap(([first]) => first ?? []);
  const summary = {
    ...work.meta,
    ttl: scenario.job.ttl,
    service: scenario.job.prices.service,
    findings: work.read.findings.list(),
    leftOut: leftOut.length,
  };
  return { explanation: explain(all, summary), leftOut };
}
