import { CtxsimError, inFile } from '../errors.ts';
import type { SessionOutcome } from '../results/index.ts';
import { DearestSession, type ReadSession } from './dearest-session.ts';
import { type Executor, inThisThread, type ScenarioJob } from './executor.ts';
import { isPolicyFault } from './policy-fault.ts';
import { billableFiles, type ReadOptions } from './read.ts';
import { withoutCopies } from './recording.ts';
import { type KeptOutcomes, replayMissing } from './store.ts';

/** Where the outcomes of sessions come from. */
export interface OutcomeSources {
  readonly read: ReadOptions;
  readonly scenarios: readonly ScenarioJob[];
  /** Replays the sessions; without one this thread does. */
  readonly executor?: Executor | undefined;
  /** Sessions whose outcomes are kept here are not replayed again. */
  readonly kept?: KeptOutcomes | undefined;
}

/** What became of the sessions. */
export interface Outcomes {
  /** Of each session under every scenario. */
  readonly outcomes: readonly (readonly SessionOutcome[])[];
  /** The session that matters most. */
  readonly dearest: ReadSession | undefined;
  /** Files and sessions that could not be read or priced, each with the reason. */
  readonly leftOut: readonly CtxsimError[];
}

/** A session that is being replayed. */
interface UnderWay extends ReadSession {
  readonly where: string;
  readonly outcomes: Promise<SessionOutcome[]>;
}

/** Every session of every file under every scenario, in the order of the files; what cannot be read or priced is left out and named. */
export async function outcomesOf(sources: OutcomeSources): Promise<Outcomes> {
  const { read, scenarios, kept, executor = inThisThread(scenarios) } = sources;
  const outcomes: SessionOutcome[][] = [];
  const dearest = new DearestSession(scenarios[0]?.job.baseline ?? 0);
  const leftOut: CtxsimError[] = [];
  const underWay: UnderWay[] = [];
  const finishFirst = async () => {
    const first = underWay.shift();
    if (!first) return;
    try {
      const replayed = await first.outcomes;
      outcomes.push(replayed);
      dearest.offer(first, replayed[0]);
    } catch (error) {
      if (!(error instanceof CtxsimError) || isPolicyFault(error)) throw error;
      leftOut.push(inFile(error, first.where));
    }
  };
  for await (const { path, format, sessions } of billableFiles(read, leftOut)) {
    for (const session of sessions) {
      if (session.requests.length === 0) {
        read.findings.add('session-without-requests', path, undefined, session.id);
        continue;
      }
      const origin = { file: path, format: format?.name ?? '' };
      const replay = replayMissing(session, origin, scenarios, executor, kept);
      // Whether it failed is looked at in its turn; until then that is nobody's unhandled error.
      replay.catch(() => {});
      const where = sessions.length > 1 ? `${path}, session ${session.id}` : path;
      underWay.push({ session, origin, where, outcomes: replay });
      if (underWay.length >= executor.atOnce) await finishFirst();
    }
  }
  while (underWay.length > 0) await finishFirst();
  return { outcomes: billedOnce(outcomes, read), dearest: dearest.found, leftOut };
}

/** A session is not billed once more for a copy of it, in another format or without its words. */
function billedOnce(outcomes: readonly SessionOutcome[][], { findings }: ReadOptions): SessionOutcome[][] {
  return withoutCopies(
    outcomes,
    ([first]) => first,
    ([first], kind) => {
      const where = kind === 'content-free-copy' ? 'its session is there with words' : 'its session is there';
      findings.add(kind, first?.file ?? '', undefined, `${where}, and billed once`);
    },
  );
}
