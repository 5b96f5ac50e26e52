import { CtxsimError } from '../errors.ts';
import type { PolicySpec } from '../policies/index.ts';
import {
  cacheModelNamed,
  checkCache,
  defaultCacheModel,
  expectedLoss,
  hostOf,
  planners,
  recordedPlanner,
} from '../providers/index.ts';
import type { BreakpointPlanner, CacheModel, CacheRules, PriceBook, TtlClass } from '../providers/provider.ts';
import { type LaneModel, layOut, type Timeline } from '../replay/index.ts';
import { notApplicable, type SessionOutcome } from '../results/index.ts';
import { answeredTurns, compareText, promptTokens, type Served, type Session } from '../session/index.ts';
import {
  countSession,
  loadTokenCounter,
  measureSession,
  needsCounter,
  stripsThinking,
  tokenizerGeneration,
} from '../tokens/index.ts';
import { abandonedLedger, spendDollars } from './bill.ts';
import { recordedEvents, recordedSystemTokens } from './events.ts';
import { isMissingSize, unmetNeeds } from './needs.ts';
import { recordedBill } from './recorded-bill.ts';
import { recordingOf } from './recording.ts';
import { type RowOptions, type RowPair, RowReplayer } from './row-replayer.ts';
import { windowsOf } from './windows.ts';

/** Everything that decides the outcome of one session, beside the session itself. */
export interface JobOptions extends RowOptions {
  /** Every row, the baseline among them. */
  readonly rows: readonly PolicySpec[];
  /** Index of the baseline in `rows`. */
  readonly baseline: number;
  readonly prices: PriceBook;
  /** Replaces the recorded model. */
  readonly model?: string | undefined;
  /** Replaces the provider's cache model. */
  readonly cache?: string | undefined;
  /** Pins the planner; `recorded`: the one of the recorded harness. */
  readonly breakpoints?: string | undefined;
  readonly ttl: TtlClass | 'recorded';
  readonly window?: number | undefined;
  readonly outputReserve: number;
  /** Apply the cache losses that the recording shows and no rule explains to every row. */
  readonly recordedEvents: boolean;
  /** Where no recorded loss is applied, bill what is expected to be lost by the measured rates of losses. */
  readonly expectLosses: boolean;
}

type Planners = readonly [BreakpointPlanner, ...BreakpointPlanner[]];

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
  const account = countSession(measured, options.model, recordedSystemTokens(measured));
  const date = session.requests.find((request) => request.time !== undefined)?.time;
  const resolve = (model: string | undefined) => resolveModel(model, date, options.prices);
  const cardOf = ({ name }: LaneModel, served: Served) => options.prices.card(name, date, served);
  const laidOut = layOut(account, { resolve, cardOf, model: options.model, ttl: options.ttl });
  const events = options.recordedEvents ? recordedEvents(measured, laidOut, options.prices) : undefined;
  const timeline = { ...laidOut, conditions: events?.conditions };
  const cacheOf = (model: LaneModel) =>
    pricedAt(
      options.cache ? cacheModelNamed(options.cache) : defaultCacheModel(model.card, model.name),
      options.prices.asOfMs,
    );
  const asked = { ...options, breakpoints: options.breakpoints === 'recorded' ? undefined : options.breakpoints };
  // How a model without a price is cached changes no bill; what was asked for is meant for the others.
  const rules = timeline.models.map((model) =>
    model.card.unpriced
      ? cacheOf(model).rulesFor(model.card, date)
      : checkCache(cacheOf(model), model.card, asked, date),
  );
  const usesMarkers = rules.some((rule) => rule.usesMarkers);
  const best = bestPlanners(session.agent, options.breakpoints, rules);
  const recorded = usesMarkers && options.breakpoints === undefined ? recordedPlanner(session.agent) : undefined;

  const abandoned = abandonedLedger(session, (request) =>
    cardOf(resolve(options.model ?? request.model ?? session.model), request),
  );
  const showsLosses = options.recordedEvents && session.requests.some(({ usage }) => usage !== undefined);
  const replayer = new RowReplayer({
    measured,
    timeline,
    abandoned,
    options,
    best,
    recorded,
    lane: {
      resolveModel: resolve,
      cacheModelOf: cacheOf,
      ttl: options.ttl,
      window: options.window,
      outputReserve: options.outputReserve,
      expectedLoss: options.expectLosses && !showsLosses ? expectedLoss : undefined,
    },
  });
  const rows = options.rows.map((row, index) => {
    const lacks = unmetNeeds(session, row.kind.needs);
    if (lacks.length > 0) return { best: notApplicable(lacks), recorded: undefined };
    // Without its baseline a session compares with nothing; any other row can do without the session.
    if (index === options.baseline) return replayer.replayBaseline(row);
    return orWithoutSizes(() => replayer.replay(row));
  });
  const { split, baseline } = replayer;
  const paid = options.model === undefined ? recordedBill(measured, timeline, abandoned) : undefined;
  return {
    id: session.id,
    parent: session.parent,
    file: origin.file,
    format: origin.format,
    recording: recordingOf(session),
    hasWords: session.content === 'text',
    models: timeline.models.map((model) => model.card.model),
    rules: timeline.models.map(({ card }, index) => rulesOf(card.model, rules[index])),
    cache: [...new Set(timeline.models.map((model) => cacheOf(model).name))],
    assumedRules: timeline.models.flatMap((model, index) => assumedIn(cacheOf(model).name, rules[index])),
    priceNotes: [...new Set(timeline.cards.flatMap((card) => card.notes ?? []))],
    served: servedOf(timeline),
    windows: windowsOf(timeline.models, options.rows, options.window),
    planner: usesMarkers ? best.map(({ name }) => name).join(' or ') : '-',
    recordedPlanner: recorded?.name ?? '-',
    turns: answeredTurns(session),
    requests: session.requests.length,
    promptTokens: baseline.reduce((sum, { usage }) => sum + promptTokens(usage), 0),
    estimatedShare: account.estimatedShare,
    estimatedOutput: account.estimatedOutput,
    recordedBill: paid?.counted,
    estimatedBill: paid?.estimated,
    tokenUncertainty: account.uncertainty,
    tokenMethod: account.method,
    otherTokenizer: account.otherTokenizer,
    hasTimes: date !== undefined,
    events: events?.losses ?? [],
    isWarm: events?.isWarm ?? false,
    rows,
    spend: spendDollars(split, baseline),
  };
}

/**
 * The planners of which a row takes the cheapest. `anchor` has every marker of `tail` and more, which can only add reads: the two
 * need not be compared but where each marker has a price of its own.
 */
function bestPlanners(agent: string | undefined, asked: string | undefined, rules: readonly CacheRules[]): Planners {
  if (asked === 'recorded') return [recordedPlanner(agent)];
  if (asked !== undefined) return [planners.get(asked)];
  const anchor = planners.get('anchor');
  return rules.some(({ markersCost }) => markersCost) ? [anchor, planners.get('tail')] : [anchor];
}

function servedOf({ models, cards, requests }: Timeline): Record<string, number> {
  const served: Record<string, number> = {};
  requests.card.forEach((card, index) => {
    const host = hostOf(models[requests.model[index] as number]?.name ?? '')?.name;
    for (const name of [...(host ? [host] : []), ...(cards[card]?.services ?? [])])
      served[name] = (served[name] ?? 0) + 1;
  });
  return Object.fromEntries(Object.entries(served).sort(([a], [b]) => compareText(a, b)));
}

/** A content-free session may lack a size that shows only while the policy runs. */
function orWithoutSizes(outcomeOf: () => RowPair): RowPair {
  try {
    return outcomeOf();
  } catch (error) {
    if (isMissingSize(error)) return { best: notApplicable(['sizes of derived texts']), recorded: undefined };
    throw error;
  }
}

/** What makes two counts or two splits of one model comparable, in words. */
function rulesOf(model: string, rules: CacheRules | undefined): SessionOutcome['rules'][number] {
  const { name, factor } = tokenizerGeneration(model);
  const notes = rules?.notes.map(({ rule, value }) => `${rule}: ${value}`) ?? [];
  return { model, tokenizer: `${name} (${factor} × o200k_base)`, cache: notes.join('; ') };
}

function assumedIn(cache: string, rules: CacheRules | undefined): string[] {
  const assumed = rules?.notes.filter((note) => note.assumed) ?? [];
  return assumed.map(({ rule, value }) => `Cache "${cache}", ${rule}: ${value}`);
}

function resolveModel(model: string | undefined, date: number | undefined, prices: PriceBook): LaneModel {
  if (model === undefined) {
    throw new CtxsimError('no-model', 'no model was recorded', 'Name one with --model ID.');
  }
  return {
    name: model,
    card: prices.card(model, date),
    limits: prices.limits(model),
    stripsThinking: stripsThinking(model),
  };
}

/** A cache whose fees are those of a day; its rules stay those of the session's time. */
function pricedAt(cache: CacheModel, asOfMs: number | undefined): CacheModel {
  if (asOfMs === undefined) return cache;
  return {
    ...cache,
    rulesFor(model, timeMs) {
      const rules = cache.rulesFor(model, timeMs);
      if (rules.storageUsdPerMTokHour === undefined) return rules;
      const { storageUsdPerMTokHour, notes } = cache.rulesFor(model, asOfMs);
      return storageUsdPerMTokHour === undefined ? rules : { ...rules, storageUsdPerMTokHour, notes };
    },
  };
}
