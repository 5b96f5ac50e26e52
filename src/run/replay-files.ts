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
  const { outcomes, leftOut } = await outcomesOf(read, scenarios);
  if (outcomes.length === 0) return { result: undefined, leftOut };
  const settings = settingsOf(scenarios, meta, leftOut.length);
  const cards = cardsOf(outcomes.flat(), scenarios[0]?.job.prices);
  return { result: resultOf(outcomes, { ...settings, cards }, read.findings.list()), leftOut };
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
  return {
    results: scenarioResults(outcomes, settingsOf(scenarios, meta, leftOut.length), read.findings.list()),
    leftOut,
  };
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
