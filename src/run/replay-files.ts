import { type RunMeta, summarize } from '../analysis/index.ts';
import { CtxsimError, inFile } from '../errors.ts';
import type { SessionOutcome } from '../results/index.ts';
import type { Result } from '../results/result.ts';
import { type JobOptions, replaySession } from './job.ts';
import { type ReadOptions, readFiles, refusalOf } from './read.ts';

/** A replay of many files: the result, and what had to be left out. */
export interface ReplayRun {
  /** Undefined when nothing was left to compare. */
  readonly result: Result | undefined;
  /** Files and sessions that could not be replayed, each with the reason. */
  readonly leftOut: readonly CtxsimError[];
}

/**
 * Reads files and replays every session in them under every row. What cannot be read or priced is left out and named.
 */
export async function replayFiles(read: ReadOptions, job: JobOptions, meta: RunMeta): Promise<ReplayRun> {
  const outcomes: SessionOutcome[] = [];
  const leftOut: CtxsimError[] = [];
  for await (const file of readFiles(read)) {
    const refusal = refusalOf(file);
    if (refusal) {
      leftOut.push(refusal);
      continue;
    }
    for (const session of file.sessions) {
      if (session.requests.length === 0) {
        read.findings.add('session-without-requests', file.path, undefined, session.id);
        continue;
      }
      try {
        outcomes.push(await replaySession(session, { file: file.path, format: file.format?.name ?? '' }, job));
      } catch (error) {
        if (!(error instanceof CtxsimError)) throw error;
        leftOut.push(inFile(error, file.sessions.length > 1 ? `${file.path}, session ${session.id}` : file.path));
      }
    }
  }
  if (outcomes.length === 0) return { result: undefined, leftOut };
  const result = summarize(outcomes, {
    ...meta,
    findings: read.findings.list(),
    leftOut: leftOut.length,
  });
  return { result, leftOut };
}
