import { exitCodes } from '../../errors.ts';
import { candidates } from '../../policies/index.ts';
import { recommendFiles } from '../../run/index.ts';
import { shellCommand } from '../../shell.ts';
import { selectionFlags } from '../inputs.ts';
import type { Io } from '../io.ts';
import { openRunStore, type StoreFlags } from '../outcome-store.ts';
import { type OutputFlags, outputsOf } from '../outputs.ts';
import { printRun } from '../print-run.ts';
import { onlyScenario, type ReplayingFlags, type ReplayPlan, replayPlan, rowNamed, rowsNamed } from '../replay-plan.ts';
import { type ThreadFlags, withThreads } from '../threads.ts';

interface RecommendFlags extends ReplayingFlags, OutputFlags, StoreFlags, ThreadFlags {
  readonly family: 'heph' | 'bi' | 'all';
  readonly baseline: string;
}

/** `ctxsim recommend`: what to set, what it saves, how sure that is. */
export async function recommend(io: Io, paths: readonly string[], flags: RecommendFlags): Promise<number> {
  const outputs = outputsOf(flags);
  const plan = await planRecommend(io, paths, flags);
  const places = new Map<string, string>();
  for (const { policy, where } of wanted(flags))
    for (const { label } of await rowsNamed(io, [policy], false)) places.set(label, where);
  const store = openRunStore(io, flags);
  const commandFor = (label: string) =>
    shellCommand(['ctxsim', 'replay', ...paths, ...selectionFlags(flags), '--policy', label, ...shared(flags)]);
  const run = await withThreads(io, { command: 'recommend', paths, flags }, plan.read, (executor) =>
    recommendFiles({ ...plan, executor, kept: store.kept, isTraced: outputs.showsDetail }, { places, commandFor }),
  );
  await printRun(io, run, { read: plan.read, outputs, flags });
  store.reportFaults(io, flags.quiet === true);
  return exitCodes.done;
}

/** What is replayed: every setting that could be recommended. */
export async function planRecommend(io: Io, paths: readonly string[], flags: RecommendFlags): Promise<ReplayPlan> {
  await rowNamed(io, '--baseline', flags.baseline);
  const policies = wanted(flags).map(({ policy }) => policy);
  const specs = await rowsNamed(io, [flags.baseline, ...policies, 'optimum'], false);
  const plan = await replayPlan(io, paths, flags, { specs });
  onlyScenario(plan, 'recommend');
  return plan;
}

function wanted({ family }: RecommendFlags): typeof candidates {
  return candidates.filter((candidate) => family === 'all' || candidate.family === family);
}

/** The flags that decide a row's numbers, where they are not what `replay` takes by itself. */
function shared(flags: RecommendFlags): string[] {
  const given: readonly (readonly [flag: string, value: string | undefined, usual?: string])[] = [
    ['--baseline', flags.baseline, 'full'],
    ['--model', flags.model],
    ['--cache', flags.cache],
    ['--breakpoints', flags.breakpoints],
    ['--ttl', flags.ttl, 'recorded'],
    ['--events', flags.events],
    ['--eviction', flags.eviction, 'none'],
    ['--refetch-rate', flags.refetchRate],
    ['--window', flags.window],
    ['--output-reserve', flags.outputReserve, '32000'],
    ['--service-tier', flags.serviceTier, 'recorded'],
    ['--region', flags.region, 'recorded'],
    ['--prices', flags.prices],
    ['--as-of', flags.asOf],
    ['--input-format', flags.inputFormat],
    ['--map', flags.map],
  ];
  const named = given.flatMap(([flag, value, usual]) => (value === undefined || value === usual ? [] : [flag, value]));
  return flags.allowUnpriced ? [...named, '--allow-unpriced'] : named;
}
