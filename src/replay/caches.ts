import type { BlockId } from '../policies/plan.ts';
import type { Cache, CacheRequest, CacheRules, PlanContext, RateCard, Split, TtlClass } from '../providers/provider.ts';
import type { CacheOptions, SharedCall } from './cache-use.ts';
import { nothingLost, positionsUpTo, readAtLeast } from './conditions.ts';
import { FeeBook } from './fees.ts';
import type { Sent } from './observer.ts';
import { SettingKeys } from './setting-keys.ts';
import { type LaneModel, longSystem, longWrites, type Timeline } from './timeline.ts';
import { type Moves, movedTo, type View } from './view.ts';

/** A cache of the lane, and what of the view has not changed since it last saw a request. */
interface Slot {
  readonly cache: Cache;
  readonly rules: CacheRules;
  unchanged: number;
}

/** The caches of one lane, one per model, and the markers that its requests carry. */
export class LaneCaches {
  readonly split: Split = { read: 0, write5m: 0, write1h: 0, fresh: 0 };
  /** How the last request or call reached its cache, for observers. */
  readonly sent = { model: -1, known: 0, kept: 0, expectedLoss: 0 } as { -readonly [K in keyof Sent]: Sent[K] };
  /** Leading positions unchanged since the previous request, whatever its model. */
  unchanged = 0;
  /** What cached contents were billed. */
  readonly fees = new FeeBook();
  readonly #timeline: Timeline;
  readonly #options: CacheOptions;
  readonly #models: readonly LaneModel[];
  readonly #settingKeys: SettingKeys;
  readonly #slots: (Slot | undefined)[] = [];
  readonly #request: CacheRequest = {
    common: 0,
    warm: 0,
    time: Number.NaN,
    ttl: '5m',
    markers: new Int32Array(4),
    markerCount: 0,
    longMarkers: 0,
  };
  readonly #unseenSplit: Split = { read: 0, write5m: 0, write1h: 0, fresh: 0 };
  /** Filled anew for each request: this is the hot loop. */
  readonly #plan: { -readonly [K in keyof PlanContext]: PlanContext[K] };
  #previousStable: BlockId = -1;
  #previousTail: BlockId = -1;

  /** `models`: those of the timeline, and behind them others as calls name them. */
  constructor(timeline: Timeline, options: CacheOptions, view: View, models: readonly LaneModel[] = timeline.models) {
    this.#timeline = timeline;
    this.#models = models;
    this.#settingKeys = new SettingKeys(timeline);
    this.#options = options;
    this.#plan = { view, systemEnd: -1, stable: -1, previousStable: -1, previousTail: -1 };
  }

  /** Sends request `index`; fills `split`. `stable` is the policy's stable boundary, -1 where it names none. */
  send(view: View, index: number, stable: BlockId, systemEnd: number): void {
    const { requests } = this.#timeline;
    const model = requests.model[index] as number;
    const slot = this.#slotOf(model);
    this.#settingKeys.apply(view, index, slot.rules, systemEnd);
    this.unchanged = view.takeUnchanged();
    this.#takeChanges(view);
    const request = this.#request;
    request.common = slot.unchanged;
    request.warm = this.#warmPositions(view);
    const lastKept = this.#timeline.conditions?.lastKept?.[index] ?? nothingLost;
    const kept = lastKept === nothingLost ? slot.unchanged : positionsUpTo(view, lastKept);
    if (lastKept !== nothingLost) slot.cache.lose(kept);
    request.time = requests.time[index] as number;
    request.ttl = this.ttlOf(index);
    if (slot.rules.usesMarkers) this.#placeMarkers(view, index, stable, systemEnd);
    this.#step(slot, this.#timeline.cards[requests.card[index] as number] as RateCard, view);
    const warm = this.#timeline.conditions?.warm?.[index];
    if (warm !== undefined) readAtLeast(this.split, Math.min(warm, view.tokens));
    this.#note(model, slot, kept);
    if (this.#options.expectedLoss) this.#expectLoss(index, slot);
    slot.unchanged = view.length;
    this.#previousTail = view.ids[view.length - 1] as BlockId;
  }

  /**
   * Sends the live view with so many tokens behind it, and takes those away again; fills `split`. The cache treats it as any
   * request, but the next request is no continuation of it.
   */
  sendCall(view: View, { model, card, request: next, time, input, stable, systemEnd }: SharedCall): void {
    const slot = this.#slotOf(model);
    const live = view.length;
    if (input > 0) view.appendMade('call', input);
    this.#takeChanges(view);
    const request = this.#request;
    request.common = slot.unchanged;
    request.warm = this.#warmPositions(view);
    request.time = time;
    request.ttl = this.ttlOf(next);
    if (slot.rules.usesMarkers)
      this.#placeMarkers(view, next, stable === -1 ? (view.ids[live - 1] ?? -1) : stable, systemEnd);
    this.#step(slot, card, view);
    this.#note(model, slot, slot.unchanged);
    slot.unchanged = view.length;
    if (input > 0) view.dropLast();
  }

  #step({ cache, rules }: Slot, card: RateCard, view: View): void {
    cache.step(view, this.#request, this.split);
    if (cache.fees) this.fees.add(card, cache.fees, rules.storageUsdPerMTokHour);
  }

  #note(model: number, slot: Slot, kept: number): void {
    const { sent } = this;
    sent.model = model;
    sent.known = slot.unchanged;
    sent.kept = Math.min(kept, slot.unchanged);
    sent.expectedLoss = 0;
    sent.request = this.#request;
    sent.rules = slot.rules;
  }

  /** The reply to the last request stands in the view. */
  replied(view: View, model: number): void {
    this.#slots[model]?.cache.replied?.(view);
  }

  /** The provider of this model cut its cached sequence as the view was cut; for other models the view has changed. */
  cut(view: View, model: number, moves: Moves): void {
    this.#slots.forEach((slot, index) => {
      if (!slot) return;
      const known = Math.min(slot.unchanged, moves.cached);
      slot.unchanged = Math.min(known, moves.from);
      if (index !== model || known <= moves.from) return;
      slot.cache.cut(view, known, moves.from, (position) => movedTo(moves, position));
      slot.unchanged = movedTo(moves, known - 1) + 1;
    });
  }

  /** What changed since any request or call is changed for every cache. */
  #takeChanges(view: View): void {
    const cached = view.takeCached();
    for (const slot of this.#slots) if (slot && cached < slot.unchanged) slot.unchanged = cached;
  }

  /** Milliseconds that what request `index` leaves in the cache lives. */
  lifetimeOf(index: number): number {
    return this.#slotOf(this.#timeline.requests.model[index] as number).rules.lifetimes[this.ttlOf(index)];
  }

  /** Lifetime that request `index` asks for at its tail. */
  ttlOf(index: number): TtlClass {
    const { ttl } = this.#options;
    if (ttl === 'never' || ttl === '24h') return ttl;
    return this.#timeline.requests.longTtl[index] === longWrites ? '1h' : '5m';
  }

  /** Takes the expected share out of what was read, and sends it as what it would then be. */
  #expectLoss(index: number, slot: Slot): void {
    const { requests, models } = this.#timeline;
    const { card } = models[requests.model[index] as number] as Timeline['models'][number];
    const idle = (requests.time[index] as number) - (requests.time[index - 1] ?? Number.NaN);
    const ttl = this.ttlOf(index);
    const share = this.#options.expectedLoss?.(card.provider, idle, ttl) ?? 0;
    const lost = Math.round(this.split.read * share);
    this.split.read -= lost;
    this.sent.expectedLoss = lost;
    if (!slot.rules.usesMarkers && !card.chargesWrites) this.split.fresh += lost;
    else if (ttl === '1h') this.split.write1h += lost;
    else this.split.write5m += lost;
  }

  /** An unseen request over what stands in the view: it leaves its entries, and nobody is billed for it here. */
  sendUnseen(view: View, index: number, systemEnd: number): void {
    const slot = this.#slotOf(this.#timeline.requests.model[index] as number);
    // Contents are only created for requests that are billed.
    if (slot.cache.fees) return;
    const request = this.#request;
    request.common = Math.min(slot.unchanged, view.peekCached());
    request.warm = this.#warmPositions(view);
    request.time = this.#timeline.requests.time[index] as number;
    request.ttl = this.ttlOf(index);
    request.markers[0] = Math.max(0, systemEnd);
    request.markers[1] = view.length - 1;
    request.markerCount = 2;
    request.longMarkers = this.#longMarkers(index, systemEnd);
    slot.cache.step(view, request, this.#unseenSplit);
    slot.unchanged = view.length;
  }

  /** The session's warm blocks as far as the view still begins with them, under the settings that it began with. */
  #warmPositions(view: View): number {
    const warm = Math.min(this.#timeline.session.warmBlocks ?? 0, view.length, this.#settingKeys.changedFrom);
    for (let at = 0; at < warm; at += 1) if (view.ids[at] !== at) return at;
    return warm;
  }

  #placeMarkers(view: View, index: number, stable: BlockId, systemEnd: number): void {
    // A policy that cannot say what stays gets the tail, and so does one whose boundary has gone.
    const boundary = stable === -1 ? -1 : view.positionOf(stable);
    const context = this.#plan;
    context.systemEnd = systemEnd;
    context.stable = boundary === -1 ? view.length - 1 : boundary;
    context.previousStable = positionOf(view, this.#previousStable);
    context.previousTail = positionOf(view, this.#previousTail);
    const request = this.#request;
    request.markerCount = this.#options.planner.plan(context, request.markers);
    request.longMarkers = this.#longMarkers(index, systemEnd);
    this.#previousStable = view.ids[context.stable] as BlockId;
  }

  /** How many of the markers that were placed have the one-hour lifetime. */
  #longMarkers(index: number, systemEnd: number): number {
    const { ttl, markers, markerCount } = this.#request;
    if (ttl === '1h') return markerCount;
    if (ttl !== '5m' || this.#timeline.requests.longTtl[index] !== longSystem) return 0;
    let long = 0;
    while (long < markerCount && (markers[long] as number) <= systemEnd) long += 1;
    return long;
  }

  /** The cache of a model; caches are never shared between models. */
  #slotOf(model: number): Slot {
    const known = this.#slots[model];
    if (known) return known;
    const laneModel = this.#models[model] as LaneModel;
    const time = this.#timeline.requests.time[0] as number;
    const rules = this.#options.cacheModelOf(laneModel).rulesFor(laneModel.card, Number.isNaN(time) ? undefined : time);
    const slot = { cache: rules.create(), rules, unchanged: 0 };
    this.#slots[model] = slot;
    return slot;
  }
}

function positionOf(view: View, id: BlockId): number {
  return id === -1 ? -1 : view.positionOf(id);
}
