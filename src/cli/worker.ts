import { Tinypool } from 'tinypool';
import { CtxsimError } from '../errors.ts';
import { type Executor, inThisThread } from '../run/index.ts';
import type { Io } from './io.ts';
import type { ReplayPlan } from './replay-plan.ts';
import type { ThreadAnswer, ThreadOrder, ThreadTask } from './threads.ts';

/** Makes the plan of a run anew: what it holds is code, which no message between threads can carry. */
async function planOf({ command, paths, flags, ...place }: ThreadOrder): Promise<ReplayPlan> {
  const io: Io = {
    ...place,
    argv: [],
    cwd: () => place.cwd,
    out: () => {},
    err: () => {},
    width: undefined,
    errWidth: undefined,
    colorOut: false,
    stderrIsTerminal: false,
    now: () => 0,
  };
  const plan = {
    replay: async () => (await import('./commands/replay.ts')).planReplay,
    sweep: async () => (await import('./commands/sweep.ts')).planSweep,
    recommend: async () => (await import('./commands/recommend.ts')).planRecommend,
    explain: async () => (await import('./commands/explain.ts')).planExplain,
    check: async () => (await import('./commands/check.ts')).planCheck,
  }[command];
  // The flags are those that this very command was given.
  return (await plan())(io, paths, flags as never);
}

let executor: Promise<Executor> | undefined;

/** Replays one session in this thread. What the user can mend comes back as an answer, because an error would lose its kind. */
export async function replayInThread({ session, origin, places }: ThreadTask): Promise<ThreadAnswer> {
  executor ??= planOf(Tinypool.workerData as ThreadOrder).then(({ scenarios }) => inThisThread(scenarios));
  try {
    return { outcomes: await (await executor).replay(session, origin, places) };
  } catch (error) {
    if (!(error instanceof CtxsimError)) throw error;
    const { code, message, hint } = error;
    return { error: { code, message, hint } };
  }
}
