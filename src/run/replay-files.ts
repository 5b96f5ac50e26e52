import {
  explain,
  joinScenarios,
  type Places,
  type RunMeta,
  type RunSettings,
  recommend,
  resultOf,
  type Scenario,
  scenarioResults,
  sweepOf,
} from '../analysis/index.ts';
import { CtxsimError, inFile } from '../errors.ts';
import type { PriceBook } from '../providers/provider.ts';
import type { Basis, Explanation, SessionOutcome } from '../results/index.ts';
import type { Result } from '../results/result.ts';
import { compareText, type Session } from '../session/index.ts';
import { DearestSession, type ReadSession, tracedOutcome, traceOf } from './dearest-session.ts';
import { type JobOptions, type Origin, replaySession } from './job.ts';
import { isPolicyFault } from './policy-fault.ts';
import { billableFiles, type ReadFile, type ReadOptions } from './read.ts';
import { type OutcomeStore, outcomeKey, sessionDigest, storedOr } from './store.ts';

/** A replay of many files: the result, and what had to be left out. */
export interface ReplayRun {
  /** Undefined when nothing was left to compare. */
  readonly result: Result | undefined;
  /** Files and sessions that could not be replayed, each with the reason. */
  readonly leftOut: readonly CtxsimError[];
}

/** One setting of the provider under which every row is replayed, and what it is called beside others. */
export interface ScenarioJob {
  readonly name: string;
  readonly job: JobOptions;
}

/** What a result says besides numbers; the rest is known of each scenario. */
type FilesMeta = Omit<RunMeta, 'ttl' | 'service'>;

/** Reads files and replays every session in them under every row. What cannot be read or priced is left out and named. */
export function replayFiles(read: ReadOptions, job: JobOptions, meta: FilesMeta): Promise<ReplayRun> {
  return replayScenarios(read, [{ name: '', job }], meta);
}

/** The same under each of several scenarios; a session that one of them cannot replay is left out of all. */
export async function replayScenarios(
  read: ReadOptions,
  scenarios: readonly ScenarioJob[],
  meta: FilesMeta,
): Promise<ReplayRun> {
  const { outcomes, dearest, leftOut } = await outcomesOf(read, scenarios);
  if (outcomes.length === 0) return { result: undefined, leftOut };
  const settings = settingsOf(scenarios, meta, leftOut.length);
  const cards = cardsOf(outcomes.flat(), scenarios[0]?.job.prices);
  const result = resultOf(outcomes, { ...settings, cards }, read.findings.list());
  return { result: meta.detailed ? await withTrace(result, dearest, scenarios) : result, leftOut };
}

/** The result with the requests of one session, whatever else it has for charts. */
async function withTrace(
  result: Result,
  dearest: ReadSession | undefined,
  scenarios: readonly ScenarioJob[],
): Promise<Result> {
  const trace = await traceOf(dearest, scenarios, result);
  return { ...result, detail: { parts: result.detail?.parts ?? [], trace } };
}

/** Where outcomes are kept from one run to the next, and what they rest on beside the job: see {@link outcomeKey}. */
export interface KeptOutcomes {
  readonly store: OutcomeStore;
  readonly basis: string;
}

/**
 * A replay whose result says which of its rows is best, and how sure that choice is; sessions that are done are not replayed again.
 * `isTraced`: it has the requests of one session as well.
 */
export async function sweepScenarios(
  read: ReadOptions,
  scenarios: readonly ScenarioJob[],
  meta: FilesMeta,
  kept?: KeptOutcomes,
  isTraced = false,
): Promise<ReplayRun> {
  const { results, dearest, leftOut } = await resultsOf(read, scenarios, meta, kept);
  if (results.length === 0) return { result: undefined, leftOut };
  const result = { ...joinScenarios(results), sweep: sweepOf(results, meta.seed) };
  return { result: isTraced ? await withTrace(result, dearest, scenarios) : result, leftOut };
}

/** A sweep of one job whose result says what to set, and where. */
export async function recommendFiles(
  read: ReadOptions,
  job: JobOptions,
  meta: FilesMeta,
  { places, commandFor }: { readonly places: Places; commandFor(label: string): string },
  kept?: KeptOutcomes,
  isTraced = false,
): Promise<ReplayRun> {
  const scenarios = [{ name: '', job }];
  const { results, dearest, leftOut } = await resultsOf(read, scenarios, meta, kept);
  const [only] = results;
  const result = only && recommend(only.result, places, meta.seed, commandFor);
  return { result: result && isTraced ? await withTrace(result, dearest, scenarios) : result, leftOut };
}

async function resultsOf(
  read: ReadOptions,
  scenarios: readonly ScenarioJob[],
  meta: FilesMeta,
  kept?: KeptOutcomes,
): Promise<{ results: Scenario[]; dearest: ReadSession | undefined; leftOut: readonly CtxsimError[] }> {
  const { outcomes, dearest, leftOut } = await outcomesOf(read, scenarios, kept);
  if (outcomes.length === 0) return { results: [], dearest, leftOut };
  const results = scenarioResults(outcomes, settingsOf(scenarios, meta, leftOut.length), read.findings.list());
  return { results, dearest, leftOut };
}

function settingsOf(scenarios: readonly ScenarioJob[], meta: FilesMeta, leftOut: number): Omit<RunSettings, 'cards'> {
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
      (prices?.history(model) ?? []).map(({ tiers, unpriced: _, notes, ...card }) => ({
        ...card,
        tiers: tiers.map(({ abovePromptTokens, rates }) => ({ abovePromptTokens, rates: { ...rates } })),
        ...(notes ? { notes: [...notes] } : {}),
      })),
    ]),
  );
}

/** What one policy's bill paid for, over many files. */
export interface ExplainRun {
  /** Undefined when nothing was left to explain. */
  readonly explanation: Explanation | undefined;
  readonly leftOut: readonly CtxsimError[];
}

/** Reads files and says of the one row of a job what its bill paid for and what broke the cache. */
export async function explainFiles(
  read: ReadOptions,
  job: JobOptions,
  meta: Omit<RunMeta, 'ttl' | 'service'>,
): Promise<ExplainRun> {
  const { outcomes, dearest, leftOut } = await outcomesOf(read, [{ name: '', job: { ...job, explain: 'parts' } }]);
  // Of one session every request is said, of several they would be too many.
  const all = dearest && outcomes.length === 1 ? [await tracedOutcome(dearest, job)] : outcomes.flat();
  if (all.length === 0) return { explanation: undefined, leftOut };
  const summary = {
    ...meta,
    ttl: job.ttl,
    service: job.prices.service,
    findings: read.findings.list(),
    leftOut: leftOut.length,
  };
  return { explanation: explain(all, summary), leftOut };
}

/** Every session of every file under every scenario; what cannot be read or priced is left out and named. */
async function outcomesOf(read: ReadOptions, scenarios: readonly ScenarioJob[], kept?: KeptOutcomes) {
  const dearest = new DearestSession(scenarios[0]?.job.baseline ?? 0);
  const outcomes: SessionOutcome[][] = [];
  const leftOut: CtxsimError[] = [];
  for await (const file of billableFiles(read, leftOut)) {
    for (const session of file.sessions) {
      if (session.requests.length === 0) {
        read.findings.add('session-without-requests', file.path, undefined, session.id);
        continue;
      }
      try {
        const origin = originOf(file);
        const replayed = await replayUnder(session, origin, scenarios, kept);
        outcomes.push(replayed);
        dearest.offer({ session, origin }, replayed[0]);
      } catch (error) {
        if (!(error instanceof CtxsimError) || isPolicyFault(error)) throw error;
        leftOut.push(inFile(error, file.sessions.length > 1 ? `${file.path}, session ${session.id}` : file.path));
      }
    }
  }
  return { outcomes, dearest: dearest.found, leftOut };
}

async function replayUnder(
  session: Session,
  origin: Origin,
  scenarios: readonly ScenarioJob[],
  kept?: KeptOutcomes,
): Promise<SessionOutcome[]> {
  const digest = kept && sessionDigest(session);
  const outcomes: SessionOutcome[] = [];
  for (const { job } of scenarios) {
    const replay = () => replaySession(session, origin, job);
    const key = kept && digest !== undefined ? outcomeKey(digest, job, kept.basis) : undefined;
    outcomes.push(kept && key !== undefined ? await storedOr(kept.store, key, origin, replay) : await replay());
  }
  return outcomes;
}

function originOf({ path, format }: ReadFile): Origin {
  return { file: path, format: format?.name ?? '' };
}
