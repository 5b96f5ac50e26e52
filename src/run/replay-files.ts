import { explain, type RunMeta, resultOf } from '../analysis/index.ts';
import { CtxsimError, inFile } from '../errors.ts';
import type { PriceBook } from '../providers/provider.ts';
import type { Basis, Explanation, SessionOutcome } from '../results/index.ts';
import type { Result } from '../results/result.ts';
import { compareText, type Session } from '../session/index.ts';
import { type JobOptions, type Origin, replaySession } from './job.ts';
import { isPolicyFault } from './policy-fault.ts';
import { billableFiles, type ReadFile, type ReadOptions } from './read.ts';

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
  const settings = {
    scenarios: scenarios.map(({ name, job }) => ({
      ...meta,
      rows: meta.rows.map((row) => ({ ...row, params: { ...row.params } })),
      name,
      ttl: job.ttl,
      service: { ...job.prices.service },
    })),
    leftOut: leftOut.length,
    cards: cardsOf(outcomes.flat(), scenarios[0]?.job.prices),
  };
  return { result: resultOf(outcomes, settings, read.findings.list()), leftOut };
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
async function outcomesOf(read: ReadOptions, scenarios: readonly ScenarioJob[]) {
  const outcomes: (readonly SessionOutcome[])[] = [];
  const leftOut: CtxsimError[] = [];
  for await (const file of billableFiles(read, leftOut)) {
    for (const session of file.sessions) {
      if (session.requests.length === 0) {
        read.findings.add('session-without-requests', file.path, undefined, session.id);
        continue;
      }
      try {
        outcomes.push(await replayUnder(session, originOf(file), scenarios));
      } catch (error) {
        if (!(error instanceof CtxsimError) || isPolicyFault(error)) throw error;
        leftOut.push(inFile(error, file.sessions.length > 1 ? `${file.path}, session ${session.id}` : file.path));
      }
    }
  }
  return { outcomes, leftOut };
}

async function replayUnder(
  session: Session,
  origin: Origin,
  scenarios: readonly ScenarioJob[],
): Promise<SessionOutcome[]> {
  const outcomes: SessionOutcome[] = [];
  for (const { job } of scenarios) outcomes.push(await replaySession(session, origin, job));
  return outcomes;
}

function originOf({ path, format }: ReadFile): Origin {
  return { file: path, format: format?.name ?? '' };
}
