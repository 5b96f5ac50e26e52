import { writeFileSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { CtxsimError, exitCodes } from '../../errors.ts';
import { reporters } from '../../reporters/index.ts';
import type { Reporter } from '../../reporters/reporter.ts';
import type { Result } from '../../results/result.ts';
import { replayScenarios } from '../../run/index.ts';
import { type Io, nothingLeft, reportFindings } from '../io.ts';
import { nothingToReplay, type ReplayingFlags, replayPlan, rowNamed, rowsNamed } from '../replay-plan.ts';

interface ReplayFlags extends ReplayingFlags {
  readonly policy?: readonly string[];
  readonly baseline: string;
  readonly format: string;
  readonly output?: readonly string[];
}

/** Rows when the user names none (architecture.md). */
const defaultPolicies = ['recorded', 'elide:recent_turns=0,1,2,4', 'heph', 'bi', 'optimum'];

/** Those of them that are left out where they say nothing of their own: heph is `elide` as long as nothing is folded. */
const onlyIfOwn = new Set(['recorded', 'heph', 'bi']);

/** `ctxsim replay`: parse, run, report. */
export async function replay(io: Io, paths: readonly string[], flags: ReplayFlags): Promise<number> {
  const outputs = (flags.output ?? []).map((file) => ({ file, reporter: reporterOf(file) }));
  const reporter = reporters.get(flags.format);
  await rowNamed(io, '--baseline', flags.baseline);
  // Default rows are many enough; who asks for a preset by name also sees what its parts do.
  const specs = await rowsNamed(io, [flags.baseline, ...(flags.policy ?? defaultPolicies)], flags.policy !== undefined);
  const { read, scenarios, meta } = await replayPlan(io, paths, flags, flags.policy ? { specs } : { specs, onlyIfOwn });
  const { result, leftOut } = await replayScenarios(read, scenarios, meta);
  const findings = read.findings.list();
  if (!result) throw nothingLeft(io, findings, leftOut, flags, nothingToReplay());
  write(io, result, reporter, outputs);
  reportFindings(io, findings, leftOut, flags);
  return exitCodes.done;
}

function reporterOf(file: string): Reporter {
  const reporter = reporters.all.find(({ extensions }) => extensions.includes(extname(file)));
  if (reporter) return reporter;
  const known = reporters.all.flatMap(({ extensions }) => extensions);
  throw new CtxsimError(
    'unknown-name',
    `-o ${file}: no format has the ending "${extname(file)}"`,
    `Known: ${known.join(', ')}.`,
  );
}

function write(
  io: Io,
  result: Result,
  reporter: Reporter,
  outputs: readonly { file: string; reporter: Reporter }[],
): void {
  for (const output of outputs) {
    try {
      writeFileSync(resolve(io.cwd(), output.file), output.reporter.render(result, { color: false }));
    } catch (error) {
      throw new CtxsimError(
        'unwritable',
        `-o ${output.file}: ${(error as Error).message}`,
        'Check that the folder exists and may be written.',
      );
    }
  }
  if (outputs.length === 0) io.out(reporter.render(result, { width: io.width, color: io.colorOut }));
}
