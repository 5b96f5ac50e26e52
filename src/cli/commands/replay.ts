import { writeFileSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { CtxsimError, exitCodes } from '../../errors.ts';
import { type PolicySpec, parsePolicies, policies, presets } from '../../policies/index.ts';
import { cacheModelNamed } from '../../providers/index.ts';
import { reporters } from '../../reporters/index.ts';
import type { Reporter } from '../../reporters/reporter.ts';
import type { Result } from '../../results/result.ts';
import { replayScenarios } from '../../run/index.ts';
import { type InputFlags, readOptions } from '../inputs.ts';
import { type Io, nothingLeft, reportFindings } from '../io.ts';
import { wholeNumber } from '../numbers.ts';
import { withConfigs } from '../policy-config.ts';
import { loadPolicyFiles } from '../policy-files.ts';
import { openPriceBook, type PriceFlags } from '../price-book.ts';
import { type ScenarioFlags, scenariosOf } from '../scenarios.ts';
import { packageVersion } from '../version.ts';

interface ReplayFlags extends InputFlags, PriceFlags, ScenarioFlags {
  readonly policy?: readonly string[];
  readonly baseline: string;
  readonly cache?: string;
  readonly events?: 'recorded' | 'none';
  readonly eviction: 'none' | 'measured';
  readonly window?: string;
  readonly outputReserve: string;
  readonly seed: string;
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
  const { rows, baseline } = await rowsOf(io, flags);
  const seed = wholeNumber('--seed', flags.seed, 0);
  const read = readOptions(io, paths, flags);
  const job = {
    rows,
    baseline,
    ...(flags.cache === undefined ? {} : { cache: cacheModelNamed(flags.cache).name }),
    window: flags.window === undefined ? undefined : wholeNumber('--window', flags.window, 1),
    outputReserve: wholeNumber('--output-reserve', flags.outputReserve, 0),
    // Losses were those of the recorded model's cache; another one would have had others.
    recordedEvents: (flags.events ?? (flags.model || flags.cache ? 'none' : 'recorded')) === 'recorded',
    expectLosses: flags.eviction === 'measured',
    prices: await openPriceBook(io, flags),
  };
  if (flags.events === 'recorded' && flags.model !== undefined) {
    throw new CtxsimError(
      'bad-events',
      '--events recorded: what befell the cache of the recorded model says nothing of --model',
      'Leave one of the two out.',
    );
  }
  const scenarios = scenariosOf(flags, job);
  // A model that was asked for by name and has no price is a mistake in the command, not in one session.
  const named = [...scenarios.map((scenario) => scenario.job.model ?? []), ...rows.map(modelsNamed)];
  for (const model of named.flat()) job.prices.card(model);
  const { result, leftOut } = await replayScenarios(read, scenarios, {
    rows: rows.map(({ kind, settings, label }) => ({
      policy: kind.name,
      params: settings,
      label,
      onlyIfOwn: flags.policy === undefined && onlyIfOwn.has(kind.name),
      usesWindow: kind.usesWindow === true,
    })),
    baseline,
    version: packageVersion(),
    prices: job.prices.id,
    seed,
    expectsLosses: job.expectLosses,
    outputReserve: job.outputReserve,
    pricedAt: `${flags.asOf ?? "each session's own date"} (a newer model at the snapshot's)`,
  });
  const findings = read.findings.list();
  if (!result) throw nothingLeft(io, findings, leftOut, flags, nothingToReplay());
  write(io, result, reporter, outputs);
  reportFindings(io, findings, leftOut, flags);
  return exitCodes.done;
}

function nothingToReplay(): CtxsimError {
  return new CtxsimError(
    'nothing-to-replay',
    'the files hold no request to a model',
    'See what they hold with: ctxsim inspect PATH',
  );
}

async function rowsOf(io: Io, flags: ReplayFlags): Promise<{ rows: PolicySpec[]; baseline: number }> {
  const baselineTexts = await withConfigs(io, [flags.baseline]);
  const texts = [...baselineTexts, ...(await withConfigs(io, flags.policy ?? defaultPolicies))];
  const files = await loadPolicyFiles(io, texts);
  const baselines = parsePolicies(baselineTexts, policies, presets, files);
  if (baselines.length !== 1) {
    throw new CtxsimError(
      'bad-policy',
      `--baseline ${flags.baseline} stands for ${baselines.length} policies`,
      'Name one.',
    );
  }
  // Default rows are many enough; who asks for a preset by name also sees what its parts do.
  return { rows: parsePolicies(texts, policies, presets, files, flags.policy !== undefined), baseline: 0 };
}

/** Models that the settings of a row name, for calls of its own. */
function modelsNamed({ kind, settings }: PolicySpec): string[] {
  return Object.entries(kind.params).flatMap(([name, spec]) =>
    spec.type === 'model' && settings[name] !== 'main' ? [String(settings[name])] : [],
  );
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
