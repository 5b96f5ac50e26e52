import { exitCodes } from '../../errors.ts';
import { replayScenarios } from '../../run/index.ts';
import type { Io } from '../io.ts';
import { type OutputFlags, outputsOf } from '../outputs.ts';
import { printRun } from '../print-run.ts';
import { type ReplayingFlags, type ReplayPlan, replayPlan, rowNamed, rowsNamed } from '../replay-plan.ts';
import { type ThreadFlags, withThreads } from '../threads.ts';

interface ReplayFlags extends ReplayingFlags, OutputFlags, ThreadFlags {
  readonly policy?: readonly string[];
  readonly baseline: string;
}

/** Rows when the user names none (architecture.md). */
const defaultPolicies = ['recorded', 'elide:recent_turns=0,1,2,4', 'heph', 'bi', 'optimum'];

/** Those of them that are left out where they say nothing of their own: heph is `elide` as long as nothing is folded. */
const onlyIfOwn = new Set(['recorded', 'heph', 'bi']);

/** `ctxsim replay`: parse, run, report. */
export async function replay(io: Io, paths: readonly string[], flags: ReplayFlags): Promise<number> {
  const outputs = outputsOf(flags);
  const plan = await planReplay(io, paths, flags);
  const run = await withThreads(io, { command: 'replay', paths, flags }, plan.read, (executor) =>
    replayScenarios({ ...plan, executor, isTraced: outputs.showsDetail }),
  );
  await printRun(io, run, { read: plan.read, outputs, flags });
  return exitCodes.done;
}

/** What is replayed. */
export async function planReplay(io: Io, paths: readonly string[], flags: ReplayFlags): Promise<ReplayPlan> {
  await rowNamed(io, '--baseline', flags.baseline);
  // Default rows are many enough; who asks for a preset by name also sees what its parts do.
  const specs = await rowsNamed(io, [flags.baseline, ...(flags.policy ?? defaultPolicies)], flags.policy !== undefined);
  return replayPlan(io, paths, flags, {
    specs,
    ...(flags.policy ? {} : { onlyIfOwn }),
    isDetailed: outputsOf(flags).showsDetail,
  });
}
