import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findInputs } from '../bytes/index.ts';
import { CtxsimError } from '../errors.ts';
import type { SessionOutcome } from '../results/index.ts';
import type { Executor, Origin, ReadOptions } from '../run/index.ts';
import { Findings, type Session } from '../session/index.ts';
import type { Io } from './io.ts';
import { wholeNumber } from './numbers.ts';

/** The command line once more, as data: a thread makes the same plan of it. */
export interface ThreadOrder extends Pick<Io, 'env' | 'home'> {
  readonly command: 'replay' | 'sweep' | 'recommend' | 'explain' | 'check';
  readonly cwd: string;
  readonly paths: readonly string[];
  readonly flags: object;
}

/** One session for a thread: see {@link Executor}. */
export interface ThreadTask {
  readonly session: Session;
  readonly origin: Origin;
  readonly places: readonly number[];
}

export type ThreadAnswer =
  | { readonly outcomes: SessionOutcome[] }
  | { readonly error: { readonly code: string; readonly message: string; readonly hint: string | undefined } };

/** Options of every command that replays in several threads. */
export interface ThreadFlags {
  readonly jobs?: string;
}

/**
 * Bytes from which several threads are worth it: each takes a second or two of a processor until it has its modules, its
 * tokenizer and its compiled code. Two threads on two processors, a sweep: 112 MB in 11 to 14 s instead of 16, 29 MB in 7.0
 * instead of 6.3 (measured).
 */
const worthThreads = 50_000_000;

/** Reading takes a fifth of what replaying takes, and one thread reads: more threads than these wait for it. */
const mostThreads = 8;

/** Runs `use` with what replays the sessions: undefined, which is this thread, or so many others as --jobs says. */
export async function withThreads<T>(
  io: Io,
  order: Pick<ThreadOrder, 'command' | 'paths'> & { readonly flags: ThreadFlags },
  read: ReadOptions,
  use: (executor: Executor | undefined) => Promise<T>,
): Promise<T> {
  const { jobs } = order.flags;
  const threads = jobs === undefined ? usefulThreads(read) : Math.min(wholeNumber('--jobs', jobs, 1), allowedThreads());
  if (threads === 1 || namesPipe(io, order.flags)) return use(undefined);
  const { Tinypool } = await import('tinypool');
  const workerData: ThreadOrder = { ...order, env: { ...io.env }, home: io.home, cwd: io.cwd() };
  const pool = new Tinypool({
    filename: fileURLToPath(new URL('./worker.js', import.meta.url)),
    name: 'replayInThread',
    // All of them from the beginning to the end: an idle one would be ended, and another begun.
    minThreads: threads,
    maxThreads: threads,
    workerData,
  });
  try {
    return await use({
      // One more for each thread to begin with as soon as it is done.
      atOnce: 2 * threads,
      async replay(session, origin, places) {
        const answer: ThreadAnswer = await pool.run({ session, origin, places } satisfies ThreadTask);
        if ('outcomes' in answer) return answer.outcomes;
        throw new CtxsimError(answer.error.code, answer.error.message, answer.error.hint);
      },
    });
  } finally {
    await pool.destroy();
  }
}

/** More than this are of no use to anyone, and each takes memory: a slip of the keyboard would take all of it. */
function allowedThreads(): number {
  return Math.max(mostThreads, 2 * availableParallelism());
}

/** Whether a flag names a pipe, as `--prices <(…)` and `--policy heph:config=<(…)` do: it can be read once, and every thread would read it. */
function namesPipe(io: Io, flags: object): boolean {
  const texts = Object.values(flags)
    .flat()
    .filter((value) => typeof value === 'string');
  return texts.flatMap((text) => text.split(/[=,+]/)).some((part) => isPipe(resolve(io.cwd(), part)));
}

function isPipe(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false })?.isFIFO() === true;
  } catch {
    // What can be no name of a file is none of a pipe.
    return false;
  }
}

function usefulThreads({ paths, cwd }: ReadOptions): number {
  const inputs = findInputs(paths, { cwd, findings: new Findings() });
  const bytes = inputs.reduce((sum, { file }) => sum + (file === '-' ? 0 : statSync(file).size), 0);
  return bytes < worthThreads ? 1 : Math.max(1, Math.min(availableParallelism(), mostThreads, inputs.length));
}
