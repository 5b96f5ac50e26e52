import { exitCodes } from '../../errors.ts';
import { sweepScenarios } from '../../run/index.ts';
import type { Io } from '../io.ts';
import { openRunStore, type StoreFlags } from '../outcome-store.ts';
import { type OutputFlags, outputsOf } from '../outputs.ts';
import { printRun } from '../print-run.ts';
import { type ReplayingFlags, type ReplayPlan, replayPlan, rowNamed, rowsNamed } from '../replay-plan.ts';
import { type ThreadFlags, withThreads } from '../threads.ts';

interface SweepFlags extends ReplayingFlags, OutputFlags, StoreFlags, ThreadFlags {
  readonly policy?: readonly string[];
  readonly baseline: string;
}

/** The grid when the user names none: the setting that moves the bill most. */
const defaultPolicies = ['elide:recent_turns=0..8'];

/** `ctxsim sweep`: a grid of settings on one read of the sessions. */
export async function sweep(io: Io, paths: readonly string[], flags: SweepFlags): Promise<number> {
  const outputs = outputsOf(flags);
  const plan = await planSweep(io, paths, flags);
  const store = openRunStore(io, flags);
  const run = await withThreads(io, { command: 'sweep', paths, flags }, plan.read, (executor) =>
    sweepScenarios({ ...plan, executor, kept: store.kept, isTraced: outputs.showsDetail }),
  );
  await printRun(io, run, { read: plan.read, outputs, flags });
  store.reportFaults(io, flags.quiet === true);
  return exitCodes.done;
}

/** What is replayed. */
export async function planSweep(io: Io, paths: readonly string[], flags: SweepFlags): Promise<ReplayPlan> {
  await rowNamed(io, '--baseline', flags.baseline);
  const specs = await rowsNamed(io, [flags.baseline, ...(flags.policy ?? defaultPolicies)], false);
  return replayPlan(io, paths, flags, { specs });
}
