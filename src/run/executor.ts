import type { SessionOutcome } from '../results/index.ts';
import type { Session } from '../session/index.ts';
import { type JobOptions, type Origin, replaySession } from './job.ts';

/** One setting of the provider under which every row is replayed, and what it is called beside others. */
export interface ScenarioJob {
  readonly name: string;
  readonly job: JobOptions;
}

/** What replays the sessions of a run, here or elsewhere: an outcome is the same wherever it comes about. */
export interface Executor {
  /** So many sessions are worth having under way at once. */
  readonly atOnce: number;
  /**
   * The outcomes of one session under the scenarios of the run that stand at these places.
   * @throws CtxsimError where one of them cannot replay it.
   */
  replay(session: Session, origin: Origin, places: readonly number[]): Promise<SessionOutcome[]>;
}

/** Replays in this thread, one session after another. */
export function inThisThread(scenarios: readonly ScenarioJob[]): Executor {
  return {
    atOnce: 1,
    async replay(session, origin, places) {
      const outcomes: SessionOutcome[] = [];
      for (const { job } of places.flatMap((place) => scenarios[place] ?? []))
        outcomes.push(await replaySession(session, origin, job));
      return outcomes;
    },
  };
}
