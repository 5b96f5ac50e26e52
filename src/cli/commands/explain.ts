import { CtxsimError, exitCodes } from '../../errors.ts';
import { explanationCsv, explanationText } from '../../reporters/index.ts';
import { explainFiles } from '../../run/index.ts';
import { type Io, nothingLeft, reportFindings } from '../io.ts';
import {
  nothingToReplay,
  onlyScenario,
  type ReplayingFlags,
  type ReplayPlan,
  replayPlan,
  rowNamed,
} from '../replay-plan.ts';
import { type ThreadFlags, withThreads } from '../threads.ts';

interface ExplainFlags extends ReplayingFlags, ThreadFlags {
  readonly policy: string;
  readonly format: 'table' | 'json' | 'csv';
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
  const plan = await planExplain(io, paths, flags);
  const { explanation, leftOut } = await withThreads(io, { command: 'explain', paths, flags }, plan.read, (executor) =>
    explainFiles({ ...plan, executor }),
  );
  const findings = plan.read.findings.list();
  if (!explanation) throw nothingLeft(io, findings, leftOut, flags, nothingToReplay());
  if (flags.format === 'csv' && explanation.requests.length === 0) {
    throw new CtxsimError(
      'bad-format',
      `--format csv lists the requests of one session; here are ${explanation.sessions.length}`,
      'Name one file, or use --format json.',
    );
  }
  const render = { table: explanationText, csv: explanationCsv, json: asJson }[flags.format];
  io.out(render(explanation));
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

function asJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
