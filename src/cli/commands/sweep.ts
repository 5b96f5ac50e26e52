import { exitCodes } from '../../errors.ts';
import { sweepScenarios } from '../../run/index.ts';
import { type Io, nothingLeft, reportFindings } from '../io.ts';
import { openRunStore, type StoreFlags } from '../outcome-store.ts';
import { type OutputFlags, outputsOf, writeOutputs } from '../outputs.ts';
import { nothingToReplay, type ReplayingFlags, replayPlan, rowNamed, rowsNamed } from '../replay-plan.ts';

interface SweepFlags extends ReplayingFlags, OutputFlags, StoreFlags {
  readonly policy?: readonly string[];
  readonly baseline: string;
}

/** The grid when the user names none: the setting that moves the bill most. */
const defaultPolicies = ['elide:recent_turns=0..8'];

/** `ctxsim sweep`: a grid of settings on one read of the sessions. */
export async function sweep(io: Io, paths: readonly string[], flags: SweepFlags): Promise<number> {
  const outputs = outputsOf(flags);
  await rowNamed(io, '--baseline', flags.baseline);
  const specs = await rowsNamed(io, [flags.baseline, ...(flags.policy ?? defaultPolicies)], false);
  const { read, scenarios, meta } = await replayPlan(io, paths, flags, { specs });
  const store = openRunStore(io, flags);
  const { result, leftOut } = await sweepScenarios(read, scenarios, meta, store.kept, outputs.showsDetail);
  const findings = read.findings.list();
  if (!result) throw nothingLeft(io, findings, leftOut, flags, nothingToReplay());
  await writeOutputs(io, outputs, (reporter, to) => reporter.render(result, to));
  reportFindings(io, findings, leftOut, flags);
  store.reportFaults(io, flags.quiet === true);
  return exitCodes.done;
}
