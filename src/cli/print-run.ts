import type { ReadOptions, ReplayRun } from '../run/index.ts';
import type { InputFlags } from './inputs.ts';
import { type Io, nothingLeft, reportFindings } from './io.ts';
import { type Outputs, writeOutputs } from './outputs.ts';
import { nothingToReplay } from './replay-plan.ts';

/** Prints the result of a replay, then says what was found in the files and what was left out. @throws CtxsimError where nothing is left. */
export async function printRun(
  io: Io,
  { result, leftOut }: ReplayRun,
  { read, outputs, flags }: { readonly read: ReadOptions; readonly outputs: Outputs; readonly flags: InputFlags },
): Promise<void> {
  const findings = read.findings.list();
  if (!result) throw nothingLeft(io, findings, leftOut, flags, nothingToReplay());
  await writeOutputs(io, outputs, (reporter, to) => reporter.render(result, to));
  reportFindings(io, findings, leftOut, flags);
}
