import { CtxsimError } from '../errors.ts';
import type { PolicySpec } from '../policies/index.ts';
import { cacheModels, defaultCacheModel, planners, recordedPlanner } from '../providers/index.ts';
import type { BreakpointPlanner, CacheModel, PriceBook, TtlClass } from '../providers/provider.ts';
import {
  type LaneModel,
  type LaneReplay,
  layOut,
  replayLane,
  SpendSplit,
  spendColumns,
  type Timeline,
} from '../replay/index.ts';
import type { LedgerLine, RowOutcome, SessionOutcome, SpendKind } from '../results/index.ts';
import { humanTurns, type Session } from '../session/index.ts';
import { estimateTokens, loadTokenCounter, measureSession, needsCounter } from '../tokens/index.ts';

/** Everything that decides the outcome of one session, beside the session itself. */
export interface JobOptions {
  /** Every row, the baseline among them. */
  readonly rows: readonly PolicySpec[];
  /** Index of the baseline in `rows`. */
  readonly baseline: number;
  readonly prices: PriceBook;
  /** Replaces the recorded model. */
  readonly model?: string | undefined;
  /** Replaces the provider's cache model. */
  readonly cache?: string | undefined;
  /** Pins the planner. */
  readonly breakpoints?: string | undefined;
  readonly ttl: TtlClass | 'recorded';
  readonly window?: number | undefined;
  readonly outputReserve: number;
}

/** Where a session came from. */
export interface Origin {
  readonly file: string;
  readonly format: string;
}

/**
 * Replays one session through every row. Pure: the same session and options give the same outcome.
 * @throws CtxsimError for an unknown model.
 */
export async function replaySession(session: Session, origin: Origin, options: JobOptions): Promise<SessionOutcome> {
  const measured = needsCounter(session) ? measureSession(session, await loadTokenCounter()) : session;
  const account = estimateTokens(measured, options.model);
  const date = session.requests.find((request) => request.time !== undefined)?.time;
  const resolve = (model: string | undefined) => resolveModel(model, date, options.prices, origin.file);
  const timeline = layOut(account, { resolve, model: options.model, ttl: options.ttl });
  const cacheOf = (model: LaneModel) =>
    options.cache ? cacheModels.get(options.cache) : defaultCacheModel(model.card.provider);
  const caches = timeline.models.map(cacheOf);
  const usesMarkers = caches.some((cache) => cache.usesMarkers);
  const best = planners.get(options.breakpoints ?? 'anchor');
  const recorded = usesMarkers && options.breakpoints === undefined ? recordedPlanner(session.agent) : undefined;

  const abandoned = abandonedLedger(session, options, resolve);
  const spend = new SpendSplit(timeline);
  const rows = options.rows.map((row, index) => {
    const observer = index === options.baseline ? spend : undefined;
    return {
      best: rowOutcome(timeline, run(timeline, row, best, caches, options, observer), abandoned),
      recorded: recorded && rowOutcome(timeline, run(timeline, row, recorded, caches, options), abandoned),
    };
  });
  const baseline = rows[options.baseline]?.best;
  return {
    id: session.id,
    parent: session.parent,
    file: origin.file,
    format: origin.format,
    models: timeline.models.map((model) => model.card.model),
    cache: [...new Set(caches.map((cache) => cache.name))],
    planner: usesMarkers ? best.name : '-',
    recordedPlanner: recorded?.name ?? '-',
    turns: humanTurns(session),
    requests: session.requests.length,
    promptTokens: (baseline?.ledger ?? []).reduce(
      (sum, { usage }) => sum + usage.fresh + usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h,
      0,
    ),
    estimatedShare: account.estimatedShare,
    tokenMethod: account.method,
    hasTimes: date !== undefined,
    rows,
    spend: spendDollars(timeline, spend, baseline?.ledger ?? []),
  };
}

function run(
  timeline: Timeline,
  row: PolicySpec,
  planner: BreakpointPlanner,
  caches: readonly CacheModel[],
  options: JobOptions,
  observer?: SpendSplit,
): LaneReplay {
  return replayLane(timeline, {
    createPolicy: () => row.kind.create(row.settings),
    cacheModelOf: (name) => caches[timeline.models.findIndex((model) => model.name === name)] as CacheModel,
    planner,
    ttl: options.ttl,
    window: options.window,
    outputReserve: options.outputReserve,
    observer,
  });
}

function resolveModel(model: string | undefined, date: number | undefined, prices: PriceBook, file: string): LaneModel {
  if (model === undefined) {
    throw new CtxsimError('no-model', `${file}: no model was recorded`, 'Name one with --model ID.');
  }
  return { name: model, card: prices.card(model, date), limits: prices.limits(model) };
}

function rowOutcome(timeline: Timeline, replay: LaneReplay, abandoned: readonly LedgerLine[]): RowOutcome {
  const ledger = replay.ledger.map(({ model, tier, usage }) => ({ ...rateLine(timeline, model, tier), usage }));
  return { ledger: [...ledger, ...abandoned], edits: replay.edits, unsendable: replay.unsendable };
}

function rateLine(timeline: Timeline, model: number, tier: number) {
  const card = timeline.models[model]?.card;
  const rates = card?.tiers[tier]?.rates;
  if (!card || !rates) throw new Error(`no tier ${tier} of model ${model}`);
  return { key: `${card.id}#${tier}`, rates };
}

/** Requests of branches that were rewound: billed as recorded, alike in every row. */
function abandonedLedger(
  session: Session,
  options: JobOptions,
  resolve: (model: string | undefined) => LaneModel,
): LedgerLine[] {
  return session.abandoned.map(({ model, usage }) => {
    const { card } = resolve(options.model ?? model ?? session.model);
    const prompt = usage.fresh + usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h;
    const tier = card.tiers.findLastIndex((candidate, index) => index === 0 || prompt > candidate.abovePromptTokens);
    const rates = card.tiers[tier]?.rates;
    if (!rates) throw new Error(`${card.id} has no tiers`);
    return { key: `${card.id}#${tier}`, rates, usage };
  });
}

function spendDollars(timeline: Timeline, split: SpendSplit, ledger: readonly LedgerLine[]): Record<SpendKind, number> {
  const spend: Record<SpendKind, number> = {
    system: 0,
    prompts: 0,
    replies: 0,
    currentTurnResults: 0,
    earlierTurnResults: 0,
    output: 0,
  };
  for (const [key, tokens] of split.tokens) {
    const { rates } = rateLine(timeline, key >> 4, key & 15);
    [rates.fresh, rates.cacheRead, rates.cacheWrite5m, rates.cacheWrite1h].forEach((rate, billed) => {
      spendColumns.forEach((kind, column) => {
        spend[kind] += ((tokens[billed * spendColumns.length + column] ?? 0) * rate) / 1e6;
      });
    });
  }
  for (const { rates, usage } of ledger) spend.output += (usage.output * rates.output) / 1e6;
  return spend;
}
