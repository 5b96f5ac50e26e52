import { CtxsimError, exitCodes } from '../../errors.ts';
import { explainFiles } from '../../run/index.ts';
import { type Io, nothingLeft, reportFindings } from '../io.ts';
import { type OutputFlags, outputsOf, writeOutputs } from '../outputs.ts';
import {
  nothingToReplay,
  onlyScenario,
  type ReplayingFlags,
  type ReplayPlan,
  replayPlan,
  rowNamed,
} from '../replay-plan.ts';
import { type ThreadFlags, withThreads } from '../threads.ts';

interface ExplainFlags extends ReplayingFlags, OutputFlags, ThreadFlags {
  readonly policy: string;
}

/** `ctxsim explain`: where the money went under one policy, and what broke the cache. */
export async function explain(io: Io, paths: readonly string[], flags: ExplainFlags): Promise<number> {
  if (flags.allowUnpriced) {
    throw new CtxsimError(
      'bad-price',
      'explain --allow-unpriced: what has no price cannot be explained in dollars',
      'Leave it out, or give prices with --prices FILE.',
    );
  }
  const outputs = outputsOf(flags, ({ renderExplanation }) => renderExplanation !== undefined);
  const plan = await planExplain(io, paths, flags);
  const { explanation, leftOut } = await withThreads(io, { command: 'explain', paths, flags }, plan.read, (executor) =>
    explainFiles({ ...plan, executor }),
  );
  const findings = plan.read.findings.list();
  if (!explanation) throw nothingLeft(io, findings, leftOut, flags, nothingToReplay());
  await writeOutputs(io, outputs, (reporter, to) => reporter.renderExplanation?.(explanation, to) ?? '');
  reportFindings(io, findings, leftOut, flags);
  return exitCodes.done;
}

/** What is replayed: one row, with all that its bill paid for. */
export async function planExplain(io: Io, paths: readonly string[], flags: ExplainFlags): Promise<ReplayPlan> {
  const spec = await rowNamed(io, '--policy', flags.policy);
  const plan = await replayPlan(io, paths, flags, { specs: [spec] });
  const { job } = onlyScenario(plan, 'explain');
  // What was recorded had the markers of its harness; a policy of another kind gets those that it needs.
  const breakpoints = job.breakpoints ?? (spec.kind.name === 'recorded' ? 'recorded' : undefined);
  return { ...plan, scenarios: [{ name: '', job: { ...job, breakpoints, explain: 'parts' } }] };
}
