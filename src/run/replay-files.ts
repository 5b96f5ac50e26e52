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
import { compareText } from '../session/index.ts';
import { DearestTrace } from './dearest-trace.ts';
import { type Executor, inThisThread, type ScenarioJob } from './executor.ts';
import type { JobOptions, Origin } from './job.ts';
import { isPolicyFault } from './policy-fault.ts';
import { billableFiles, type ReadFile, type ReadOptions } from './read.ts';
import { type KeptOutcomes, replayMissing } from './store.ts';

/** A replay of many files: the result, and what had to be left out. */
export interface ReplayRun {
  /** Undefined when nothing was left to compare. */
  readonly result: Result | undefined;
  /** Files and sessions that could not be replayed, each with the reason. */
  readonly leftOut: readonly CtxsimError[];
}

/** What a result says besides numbers; the rest is known of each scenario. */
type FilesMeta = Omit<RunMeta, 'ttl' | 'service'>;

/** What is replayed, and by whom. */
export interface ReplayWork {
  readonly read: ReadOptions;
  readonly scenarios: readonly ScenarioJob[];
  readonly meta: FilesMeta;
  /** Replays the scenarios; without one this thread does. */
  readonly executor?: Executor | undefined;
  /** Sessions whose outcomes are kept here are not replayed again. */
  readonly kept?: KeptOutcomes | undefined;
}

/** Reads files and replays every session in them under every row. What cannot be read or priced is left out and named. */
export function replayFiles(read: ReadOptions, job: JobOptions, meta: FilesMeta): Promise<ReplayRun> {
  return replayScenarios({ read, scenarios: [{ name: '', job }], meta });
}

/** The same under each of several scenarios; a session that one of them cannot replay is left out of all. */
export async function replayScenarios(work: ReplayWork): Promise<ReplayRun> {
  const { outcomes, leftOut } = await outcomesOf(work);
  if (outcomes.length === 0) return { result: undefined, leftOut };
  const { scenarios, read } = work;
  const cards = cardsOf(outcomes.flat(), scenarios[0]?.job.prices);
  return {
    result: resultOf(outcomes, { ...settingsOf(work, leftOut.length), cards }, read.findings.list()),
    leftOut,
  };
}

/** A replay whose result says which of its rows is best, and how sure that choice is. */
export async function sweepScenarios(work: ReplayWork): Promise<ReplayRun> {
  const { results, leftOut } = await resultsOf(work);
  if (results.length === 0) return { result: undefined, leftOut };
  return { result: { ...joinScenarios(results), sweep: sweepOf(results, work.meta.seed) }, leftOut };
}

/** A sweep of the first scenario whose result says what to set, and where. */
export async function recommendFiles(
  work: ReplayWork,
  { places, commandFor }: { readonly places: Places; commandFor(label: string): string },
): Promise<ReplayRun> {
  const { results, leftOut } = await resultsOf(work);
  const [first] = results;
  return { result: first && recommend(first.result, places, work.meta.seed, commandFor), leftOut };
}

async function resultsOf(work: ReplayWork): Promise<{ results: Scenario[]; leftOut: readonly CtxsimError[] }> {
  const { outcomes, leftOut } = await outcomesOf(work);
  if (outcomes.length === 0) return { results: [], leftOut };
  return { results: scenarioResults(outcomes, settingsOf(work, leftOut.length), work.read.findings.list()), leftOut };
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

/** Reads files and says of the one row of the first scenario what its bill paid for and what broke the cache. */
export async function explainFiles(work: ReplayWork): Promise<ExplainRun> {
  const { outcomes, leftOut } = await outcomesOf(work);
  const all = outcomes.flatMap(([first]) => first ?? []);
  const [scenario] = work.scenarios;
  if (all.length === 0 || !scenario) return { explanation: undefined, leftOut };
  const summary = {
    ...work.meta,
    ttl: scenario.job.ttl,
    service: scenario.job.prices.service,
    findings: work.read.findings.list(),
    leftOut: leftOut.length,
  };
  return { explanation: explain(all, summary), leftOut };
}

/** A session that is being replayed. */
interface UnderWay {
  readonly where: string;
  readonly outcomes: Promise<SessionOutcome[]>;
}

/** Every session of every file under every scenario, in the order of the files; what cannot be read or priced is left out and named. */
async function outcomesOf({ read, scenarios, kept, executor = inThisThread(scenarios) }: ReplayWork) {
  const collected = new DearestTrace(scenarios[0]?.job.baseline ?? 0);
  const leftOut: CtxsimError[] = [];
  const underWay: UnderWay[] = [];
  const finishFirst = async () => {
    const first = underWay.shift();
    try {
      if (first) collected.add(await first.outcomes);
    } catch (error) {
      if (!(error instanceof CtxsimError) || isPolicyFault(error)) throw error;
      leftOut.push(inFile(error, first?.where ?? ''));
    }
  };
  for await (const file of billableFiles(read, leftOut)) {
    for (const session of file.sessions) {
      if (session.requests.length === 0) {
        read.findings.add('session-without-requests', file.path, undefined, session.id);
        continue;
      }
      const where = file.sessions.length > 1 ? `${file.path}, session ${session.id}` : file.path;
      const outcomes = replayMissing(session, originOf(file), scenarios, executor, kept);
      // Whether it failed is looked at in its turn; until then that is nobody's unhandled error.
      outcomes.catch(() => {});
      underWay.push({ where, outcomes });
      if (underWay.length >= executor.atOnce) await finishFirst();
    }
  }
  while (underWay.length > 0) await finishFirst();
  return { outcomes: withoutCopies(collected.outcomes, read), leftOut };
}

/** A session that is there with its words is not billed once more for its content-free copy. */
function withoutCopies(outcomes: DearestTrace['outcomes'], { findings }: ReadOptions): typeof outcomes {
  const withWords = new Set(outcomes.flatMap(([first]) => (first?.hasWords ? [first.recording] : [])));
  return outcomes.filter(([first]) => {
    if (!first || first.hasWords || !withWords.has(first.recording)) return true;
    findings.add('content-free-copy', first.file, undefined, 'its session is there with words, and billed once');
    return false;
  });
}

function originOf({ path, format }: ReadFile): Origin {
  return { file: path, format: format?.name ?? '' };
}
