import {
  explain,
  joinScenarios,
  type Places,
  type RunMeta,
  recommend,
  type Scenario,
  summarize,
  sweepOf,
} from '../analysis/index.ts';
import { CtxsimError, inFile } from '../errors.ts';
import type { Explanation, SessionOutcome } from '../results/index.ts';
import type { Result } from '../results/result.ts';
import type { Session } from '../session/index.ts';
import { DearestTrace } from './dearest-trace.ts';
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
  const { results, leftOut } = await resultsOf(read, scenarios, meta);
  return { result: results.length > 0 ? joinScenarios(results) : undefined, leftOut };
}

/** Where outcomes are kept from one run to the next, and what they rest on beside the job: see {@link outcomeKey}. */
export interface KeptOutcomes {
  readonly store: OutcomeStore;
  readonly basis: string;
}

/** A replay whose result says which of its rows is best, and how sure that choice is; sessions that are done are not replayed again. */
export async function sweepScenarios(
  read: ReadOptions,
  scenarios: readonly ScenarioJob[],
  meta: FilesMeta,
  kept?: KeptOutcomes,
): Promise<ReplayRun> {
  const { results, leftOut } = await resultsOf(read, scenarios, meta, kept);
  if (results.length === 0) return { result: undefined, leftOut };
  return { result: { ...joinScenarios(results), sweep: sweepOf(results, meta.seed) }, leftOut };
}

/** A sweep of one job whose result says what to set, and where. */
export async function recommendFiles(
  read: ReadOptions,
  job: JobOptions,
  meta: FilesMeta,
  { places, commandFor }: { readonly places: Places; commandFor(label: string): string },
  kept?: KeptOutcomes,
): Promise<ReplayRun> {
  const { results, leftOut } = await resultsOf(read, [{ name: '', job }], meta, kept);
  const [only] = results;
  return { result: only && recommend(only.result, places, meta.seed, commandFor), leftOut };
}

async function resultsOf(
  read: ReadOptions,
  scenarios: readonly ScenarioJob[],
  meta: FilesMeta,
  kept?: KeptOutcomes,
): Promise<{ results: Scenario[]; leftOut: readonly CtxsimError[] }> {
  const { outcomes, leftOut } = await outcomesOf(read, scenarios, kept);
  if (outcomes.length === 0) return { results: [], leftOut };
  const summary = { ...meta, findings: read.findings.list(), leftOut: leftOut.length };
  const results = scenarios.map(({ name, job }, index) => ({
    name,
    result: summarize(
      outcomes.map((outcome) => outcome[index] as SessionOutcome),
      { ...summary, ttl: job.ttl, service: job.prices.service },
    ),
  }));
  return { results, leftOut };
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
  const { outcomes, leftOut } = await outcomesOf(read, [{ name: '', job: { ...job, explain: 'requests' } }]);
  const all = outcomes.flat();
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
  const collected = new DearestTrace(scenarios[0]?.job.baseline ?? 0);
  const leftOut: CtxsimError[] = [];
  for await (const file of billableFiles(read, leftOut)) {
    for (const session of file.sessions) {
      if (session.requests.length === 0) {
        read.findings.add('session-without-requests', file.path, undefined, session.id);
        continue;
      }
      try {
        collected.add(await replayUnder(session, originOf(file), scenarios, kept));
      } catch (error) {
        if (!(error instanceof CtxsimError) || isPolicyFault(error)) throw error;
        leftOut.push(inFile(error, file.sessions.length > 1 ? `${file.path}, session ${session.id}` : file.path));
      }
    }
  }
  return { outcomes: collected.outcomes, leftOut };
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
