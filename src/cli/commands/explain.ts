import { CtxsimError, exitCodes } from '../../errors.ts';
import { explanationCsv, explanationText } from '../../reporters/index.ts';
import { explainFiles } from '../../run/index.ts';
import { type Io, nothingLeft, reportFindings } from '../io.ts';
import { nothingToReplay, onlyScenario, type ReplayingFlags, replayPlan, rowNamed } from '../replay-plan.ts';

interface ExplainFlags extends ReplayingFlags {
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
  const spec = await rowNamed(io, '--policy', flags.policy);
  const plan = await replayPlan(io, paths, flags, { specs: [spec] });
  const { read, meta } = plan;
  const scenario = onlyScenario(plan, 'explain');
  // What was recorded had the markers of its harness; a policy of another kind gets those that it needs.
  const breakpoints = scenario.job.breakpoints ?? (spec.kind.name === 'recorded' ? 'recorded' : undefined);
  const { explanation, leftOut } = await explainFiles(read, { ...scenario.job, breakpoints }, meta);
  const findings = read.findings.list();
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

function asJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
