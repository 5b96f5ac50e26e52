import type { BlockId, Edit, Plan } from '../policies/plan.ts';
import type { Policy, PolicyEvent, ReadonlyState } from '../policies/policy.ts';
import type { BreakpointPlanner, Cache, CacheModel, CacheRequest, Split, TtlClass } from '../providers/provider.ts';
import type { DerivedName } from '../session/derived.ts';
import type { Usage } from '../session/usage.ts';
import { checkPairs } from './pairs.ts';
import type { LaneSegment, Timeline } from './timeline.ts';
import { View } from './view.ts';

/** Tokens by rate: one entry per model and price tier that a replay used. */
export interface LedgerEntry {
  /** Index into the timeline's models. */
  readonly model: number;
  /** Index into the rate card's tiers. */
  readonly tier: number;
  readonly usage: Usage;
}

/** What one policy did to one session under one cache and planner. */
export interface LaneReplay {
  readonly ledger: readonly LedgerEntry[];
  readonly requests: number;
  /** Edits that changed a request. */
  readonly edits: number;
  /** Requests that were larger than the window allows; nothing of such a session compares. */
  readonly unsendable: number;
}

/** Sees every request after it was split; used to attribute a bill. Called in the hot loop: must not allocate. */
export interface ReplayObserver {
  onSegment?(view: View): void;
  onRequest(view: View, unchanged: number, split: Split, request: number, tier: number): void;
}

export interface ReplayOptions {
  createPolicy(): Policy;
  /** The cache model of a request's model. */
  cacheModelOf(model: string): CacheModel;
  readonly planner: BreakpointPlanner;
  readonly ttl: TtlClass | 'recorded';
  /** Context window, tokens; default: the model's. */
  readonly window?: number | undefined;
  /** Tokens kept free for the reply. */
  readonly outputReserve: number;
  readonly observer?: ReplayObserver | undefined;
}

/** Per model of the lane: its cache, and what of the view has not changed since that cache last saw it. */
interface CacheSlot {
  readonly cache: Cache;
  readonly usesMarkers: boolean;
  unchanged: number;
}

/** Drives the requests of one session through a policy and a cache. Deterministic; reads no clock. */
export function replayLane(timeline: Timeline, options: ReplayOptions): LaneReplay {
  const lane = new Lane(timeline, options);
  for (const segment of timeline.segments) lane.runSegment(segment);
  return lane.result();
}

class Lane implements ReadonlyState {
  turn = 0;
  round = 0;
  ingestFirst = 0;
  ingestEnd = 0;
  lastUsage: Usage | undefined;
  window = Number.POSITIVE_INFINITY;
  now = Number.NaN;
  idle = Number.NaN;
  ratios = { read: 1, write: 1 };
  readonly outputReserve: number;

  readonly #timeline: Timeline;
  readonly #options: ReplayOptions;
  readonly #view: View;
  readonly #slots: (CacheSlot | undefined)[] = [];
  readonly #split: Split = { read: 0, write5m: 0, write1h: 0, fresh: 0 };
  readonly #request: CacheRequest;
  readonly #ledger: Float64Array;
  readonly #tierOffsets: number[] = [];
  #policy: Policy = { events: [], on: () => undefined };
  #wants: Readonly<Record<PolicyEvent, boolean>> = noEvents;
  #segment: LaneSegment;
  #appended = 0;
  #systemEnd = -1;
  #stable: BlockId = -1;
  #previousStable: BlockId = -1;
  #previousTail: BlockId = -1;
  #previousTime = Number.NaN;
  #previousModel = -1;
  #edits = 0;
  #unsendable = 0;

  constructor(timeline: Timeline, options: ReplayOptions) {
    this.#timeline = timeline;
    this.#options = options;
    this.#view = new View(timeline.tokens);
    this.#segment = timeline.segments[0] as LaneSegment;
    this.outputReserve = options.outputReserve;
    this.#request = {
      common: 0,
      time: Number.NaN,
      ttl: '5m',
      markers: new Int32Array(4),
      markerCount: 0,
      longMarkers: 0,
    };
    let entries = 0;
    for (const model of timeline.models) {
      this.#tierOffsets.push(entries);
      entries += model.card.tiers.length;
    }
    this.#ledger = new Float64Array(entries * 5);
  }

  runSegment(segment: LaneSegment): void {
    this.#segment = segment;
    this.#policy = this.#options.createPolicy();
    this.#wants = wantsOf(this.#policy);
    this.turn = 0;
    this.round = 0;
    this.lastUsage = undefined;
    this.#stable = -1;
    this.#view.reset(segment.keeps);
    this.#appended = segment.firstBlock;
    const firstAt = this.#timeline.requests.at[segment.firstRequest] ?? segment.endBlock;
    this.#append(Math.min(firstAt, segment.turnStarts[1] ?? segment.endBlock));
    this.#systemEnd = this.#findSystemEnd();
    this.#options.observer?.onSegment?.(this.#view);
    for (let request = segment.firstRequest; request < segment.endRequest; request += 1) this.#runRequest(request);
  }

  #runRequest(index: number): void {
    const { requests } = this.#timeline;
    this.now = requests.time[index] as number;
    this.idle = this.now - this.#previousTime;
    this.#selectModel(requests.model[index] as number);
    this.#enterTurn(requests.turn[index] as number, requests.at[index] as number);
    this.round += 1;
    const undo = this.#wants.pre_request ? this.#ask('pre_request') : undefined;
    if (this.#tooLarge() && this.#wants.overflow) this.#ask('overflow');
    if (this.#tooLarge()) this.#unsendable += 1;
    this.#dispatch(index);
    if (undo) this.#view.restore(undo);
    if (this.#wants.post_response) this.#ask('post_response');
  }

  /** Appends what came since the last request and fires the turn events on the way. */
  #enterTurn(turn: number, at: number): void {
    if (turn !== this.turn) {
      if (this.turn > 0 && this.#wants.turn_end) this.#ask('turn_end');
      this.turn = turn;
      this.round = 0;
    }
    this.ingestFirst = this.#appended;
    this.#append(at);
    this.ingestEnd = at;
    if (this.round === 0 && turn > 0 && this.#wants.turn_start) this.#ask('turn_start');
    if (this.#wants.ingest) this.#ask('ingest');
  }

  #dispatch(index: number): void {
    const view = this.#view;
    const { requests } = this.#timeline;
    const model = requests.model[index] as number;
    const slot = this.#slots[model] as CacheSlot;
    const unchanged = view.takeUnchanged();
    for (const other of this.#slots) if (other && unchanged < other.unchanged) other.unchanged = unchanged;

    const request = this.#request;
    request.common = slot.unchanged;
    request.time = this.now;
    const long = requests.longTtl[index] === 1;
    request.ttl = this.#options.ttl === 'never' ? 'never' : long ? '1h' : '5m';
    if (slot.usesMarkers) {
      const stable = this.#stable === -1 ? -1 : view.positionOf(this.#stable);
      request.markerCount = this.#options.planner.plan(
        {
          view,
          systemEnd: this.#systemEnd,
          stable: stable === -1 ? view.length - 1 : stable,
          previousStable: this.#previousStable === -1 ? -1 : view.positionOf(this.#previousStable),
          previousTail: this.#previousTail === -1 ? -1 : view.positionOf(this.#previousTail),
        },
        request.markers,
      );
      request.longMarkers = request.ttl === '1h' ? request.markerCount : 0;
      this.#previousStable = view.ids[stable === -1 ? view.length - 1 : stable] as BlockId;
    }
    slot.cache.step(view, request, this.#split);
    slot.unchanged = view.length;
    this.#previousTail = view.ids[view.length - 1] as BlockId;
    this.#previousTime = this.now;
    const tier = this.#bill(model, requests.output[index] as number);
    this.#options.observer?.onRequest(view, unchanged, this.#split, index, tier);
  }

  /** Adds the split to the ledger under the tier that the whole request falls into; returns that tier. */
  #bill(model: number, output: number): number {
    const { tiers } = (this.#timeline.models[model] as Timeline['models'][number]).card;
    const prompt = this.#view.tokens;
    let tier = 0;
    while (tier + 1 < tiers.length && prompt > (tiers[tier + 1] as { abovePromptTokens: number }).abovePromptTokens)
      tier += 1;
    const at = ((this.#tierOffsets[model] as number) + tier) * 5;
    const ledger = this.#ledger;
    const { fresh, read, write5m, write1h } = this.#split;
    ledger[at] = (ledger[at] as number) + fresh;
    ledger[at + 1] = (ledger[at + 1] as number) + read;
    ledger[at + 2] = (ledger[at + 2] as number) + write5m;
    ledger[at + 3] = (ledger[at + 3] as number) + write1h;
    ledger[at + 4] = (ledger[at + 4] as number) + output;
    if (this.#wants.post_response || this.#wants.pre_request) {
      this.lastUsage = { fresh, cacheRead: read, cacheWrite5m: write5m, cacheWrite1h: write1h, output };
    }
    return tier;
  }

  #selectModel(model: number): void {
    if (model === this.#previousModel) return;
    const switched = this.#previousModel !== -1;
    this.#previousModel = model;
    const { name, card, limits } = this.#timeline.models[model] as Timeline['models'][number];
    if (!this.#slots[model]) {
      const cacheModel = this.#options.cacheModelOf(name);
      const time = this.#timeline.requests.time[0] as number;
      const cache = cacheModel.create(card, Number.isNaN(time) ? undefined : time);
      this.#slots[model] = { cache, usesMarkers: cacheModel.usesMarkers, unchanged: 0 };
    }
    this.window = this.#options.window ?? limits?.window ?? Number.POSITIVE_INFINITY;
    const rates = card.tiers[0]?.rates;
    if (rates) this.ratios = { read: rates.cacheRead / rates.fresh, write: rates.cacheWrite5m / rates.fresh };
    if (switched && this.#wants.model_switch) this.#ask('model_switch');
  }

  #tooLarge(): boolean {
    // What the provider accepted when it was recorded can be sent, whatever the published window says.
    return this.#view.tokens > Math.max(this.window - this.outputReserve, this.#timeline.largestPrompt);
  }

  /** Asks the policy and applies its plan; returns how to undo edits that were for one request only. */
  #ask(event: PolicyEvent): ReturnType<View['apply']> | undefined {
    const plan = this.#policy.on(event, this);
    return plan ? this.#carryOut(plan) : undefined;
  }

  #carryOut(plan: Plan): ReturnType<View['apply']> | undefined {
    if (plan.fail !== undefined) this.#unsendable += 1;
    let undo: ReturnType<View['apply']> | undefined;
    if (plan.edits && plan.edits.length > 0) undo = this.#applyEdits(plan.edits);
    if (plan.stable !== undefined) this.#stable = plan.stable;
    return undo;
  }

  #applyEdits(edits: readonly Edit[]): ReturnType<View['apply']> | undefined {
    checkPairs(edits, this.#view, this.#timeline.pair);
    this.#edits += edits.length;
    const sticky = edits.filter((edit) => edit.sticky);
    const passing = edits.filter((edit) => !edit.sticky);
    if (sticky.length > 0) this.#view.apply(sticky);
    return passing.length > 0 ? this.#view.apply(passing) : undefined;
  }

  #append(end: BlockId): void {
    if (end > this.#appended) {
      this.#view.append(this.#appended, end);
      this.#appended = end;
    }
  }

  #findSystemEnd(): number {
    let end = -1;
    for (let at = 0; at < this.#view.length; at += 1) {
      const { kind } = this.block(this.#view.ids[at] as BlockId);
      if (kind !== 'system' && kind !== 'tools') break;
      end = at;
    }
    return end;
  }

  result(): LaneReplay {
    const ledger: LedgerEntry[] = [];
    this.#timeline.models.forEach((model, index) => {
      model.card.tiers.forEach((_, tier) => {
        const at = ((this.#tierOffsets[index] as number) + tier) * 5;
        const [fresh = 0, cacheRead = 0, cacheWrite5m = 0, cacheWrite1h = 0, output = 0] = this.#ledger.subarray(
          at,
          at + 5,
        );
        if (fresh + cacheRead + cacheWrite5m + cacheWrite1h + output === 0) return;
        ledger.push({ model: index, tier, usage: { fresh, cacheRead, cacheWrite5m, cacheWrite1h, output } });
      });
    });
    return { ledger, requests: this.#timeline.requests.at.length, edits: this.#edits, unsendable: this.#unsendable };
  }

  turnBlocks(turn: number): { first: BlockId; end: BlockId } {
    const { turnStarts } = this.#segment;
    const first = turnStarts[turn] ?? this.#appended;
    return { first, end: Math.min(turnStarts[turn + 1] ?? this.#appended, this.#appended) };
  }

  block(id: BlockId) {
    const block = this.#timeline.session.blocks[id];
    if (!block || id >= this.#appended) throw new Error(`block ${id} has not entered the context`);
    return block;
  }

  tokens(id: BlockId): number {
    return this.#view.tokensOf(id);
  }

  derivedTokens(id: BlockId, name: DerivedName): number | undefined {
    const counted = this.block(id).size?.derived?.[name];
    return counted === undefined ? undefined : Math.round(counted * this.#timeline.scale);
  }

  get viewLength(): number {
    return this.#view.length;
  }

  get nextPrompt(): number {
    return this.#view.tokens;
  }

  viewAt(position: number): BlockId {
    return this.#view.ids[position] as BlockId;
  }

  positionOf(id: BlockId): number {
    return this.#view.positionOf(id);
  }
}

const noEvents: Readonly<Record<PolicyEvent, boolean>> = {
  ingest: false,
  turn_start: false,
  pre_request: false,
  post_response: false,
  turn_end: false,
  idle_deadline: false,
  overflow: false,
  model_switch: false,
};

function wantsOf(policy: Policy): Readonly<Record<PolicyEvent, boolean>> {
  const wants = { ...noEvents };
  for (const event of policy.events) wants[event] = true;
  return wants;
}
