import type { ExtraCall, Plan } from '../policies/plan.ts';
import type { Policy, PolicyEvent } from '../policies/policy.ts';
import { cardAt, type RateCard } from '../providers/provider.ts';
import type { CacheOptions } from './cache-use.ts';
import { LaneCaches } from './caches.ts';
import { CallBook, type CallCounts } from './calls.ts';
import { LaneEdits } from './edits.ts';
import type { FeeEntry } from './fees.ts';
import { Ledger, type LedgerEntry } from './ledger.ts';
import { assumedWindow, type Member, membersOf, reserveOf, stableOf } from './members.ts';
import type { ReplayObserver } from './observer.ts';
import { LaneState } from './state.ts';
import type { LaneModel, LaneSegment, Timeline } from './timeline.ts';
import type { View } from './view.ts';

/** What one policy did to one session under one cache and planner. */
export interface LaneReplay {
  readonly ledger: readonly LedgerEntry[];
  /** What extra calls were billed; no part of `ledger`. */
  readonly calls: readonly LedgerEntry[];
  readonly callCounts: CallCounts;
  /** What cached contents were billed besides; no part of `ledger`. */
  readonly fees: readonly FeeEntry[];
  readonly requests: number;
  readonly edits: number;
  /** Requests that were larger than the window allows; nothing of such a session compares. */
  readonly unsendable: number;
}

export interface ReplayOptions extends CacheOptions {
  createPolicy(segmentIndex: number): Policy;
  /** Resolves a model that only an extra call names; throws for an unknown one. */
  resolveModel?(id: string): LaneModel;
  /** Context window, tokens; default: the model's. */
  readonly window?: number | undefined;
  /** Tokens kept free for the reply. */
  readonly outputReserve: number;
  readonly observer?: ReplayObserver | undefined;
}

/** Drives the requests of one session through a policy and a cache. Deterministic; reads no clock. */
export function replayLane(timeline: Timeline, options: ReplayOptions): LaneReplay {
  const lane = new Lane(timeline, options);
  for (const [index, segment] of timeline.segments.entries()) lane.runSegment(segment, index);
  return lane.result();
}

/** The reason of edits that no policy made: the provider takes the thinking out. */
export const providerDropsThinking = 'thinking of an earlier turn, dropped by the provider';

class Lane {
  readonly #timeline: Timeline;
  readonly #options: ReplayOptions;
  readonly #state: LaneState;
  readonly #view: View;
  readonly #caches: LaneCaches;
  readonly #ledger: Ledger;
  readonly #calls: CallBook;
  readonly #edits: LaneEdits;
  #members: readonly Member[] = [];
  /** Tokens kept free for the reply when it is judged whether a request fits. */
  #reserve = 0;
  #wants: Partial<Record<PolicyEvent, boolean>> = {};
  #systemEnd = -1;
  #previousModel = -1;
  /** The request that comes next, or is on its way. */
  #next = 0;
  /** The request before which the last pause was passed. */
  #pausePassed = -1;
  #unsendable = 0;

  constructor(timeline: Timeline, options: ReplayOptions) {
    this.#timeline = timeline;
    this.#options = options;
    this.#state = new LaneState(timeline, options.outputReserve);
    this.#view = this.#state.view;
    this.#calls = new CallBook(timeline.models, options.resolveModel?.bind(options));
    this.#caches = new LaneCaches(timeline, options, this.#view, this.#calls.models);
    this.#edits = new LaneEdits(this.#view, timeline.pair, (moves) =>
      this.#caches.cut(this.#view, this.#previousModel, moves),
    );
    this.#ledger = new Ledger(timeline.cards);
  }

  /** A recorded reset starts over: a fresh policy, the kept blocks, and what came before the first prompt. */
  runSegment(segment: LaneSegment, index: number): void {
    // A pause before a reset belongs to what stood before it.
    if (segment.firstRequest > 0) this.#passPause(segment.firstRequest);
    this.#members = membersOf(this.#options.createPolicy(index));
    this.#reserve = reserveOf(this.#members, this.#options.outputReserve);
    this.#wants = Object.fromEntries(
      this.#members.flatMap(({ policy }) => policy.events.map((event) => [event, true])),
    );
    this.#edits.endRequest();
    this.#state.enterSegment(segment);
    this.#systemEnd = this.#state.systemEnd();
    this.#options.observer?.onSegment?.();
    for (let request = segment.firstRequest; request < segment.endRequest; request += 1) this.#runRequest(request);
  }

  #runRequest(index: number): void {
    const state = this.#state;
    const { requests } = this.#timeline;
    this.#next = index;
    if (state.turn > 0 && requests.turn[index] !== state.turn) this.#ask('turn_end');
    this.#passPause(index);
    state.moveTo(requests.time[index] as number);
    // It carried what stood and the last reply, before anything new came.
    if (this.#timeline.conditions?.unseen?.[index]) this.#caches.sendUnseen(this.#view, index - 1, this.#systemEnd);
    this.#selectModel(requests.model[index] as number);
    this.#enterTurn(requests.turn[index] as number, requests.at[index] as number);
    state.round += 1;
    this.#ask('pre_request');
    if (this.#isTooLarge()) this.#ask('overflow');
    if (this.#isTooLarge()) {
      this.#unsendable += 1;
      this.#options.observer?.onTooLong?.();
    }
    this.#dispatch(index);
    this.#edits.endRequest();
    state.appendReply(index);
    this.#caches.replied(this.#view, requests.model[index] as number);
    if (requests.turn[index + 1] !== requests.turn[index]) this.#stripThinking(true);
    state.settle(index);
    this.#ask('post_response');
    state.editsDue = -1;
  }

  /** Asks at the end of an entry's life in the pause before a request, and again for as long as a call refreshes it. */
  #passPause(index: number): void {
    if (!this.#wants.idle_deadline || index === 0 || index === this.#pausePassed) return;
    this.#pausePassed = index;
    const end = this.#timeline.requests.time[index] as number;
    const lifetime = this.#caches.lifetimeOf(index - 1);
    for (let deadline = this.#state.latest + lifetime; deadline < end; deadline += lifetime) {
      const { shared, server } = this.#calls.counts;
      this.#state.pauseUntil(deadline);
      this.#ask('idle_deadline');
      if (this.#calls.counts.shared === shared && this.#calls.counts.server === server) return;
    }
  }

  /** Appends what came since the last request and fires the turn events on the way. */
  #enterTurn(turn: number, at: number): void {
    const state = this.#state;
    const isNew = turn !== state.turn;
    // What passes was laid over the old end of the view.
    this.#edits.lift();
    state.append(turn, at);
    if (isNew) this.#stripThinking(false);
    this.#edits.lay();
    if (isNew && turn > 0) this.#ask('turn_start');
    this.#ask('ingest');
  }

  /** Some models drop a turn's thinking once it is over, whatever the client sends. */
  #stripThinking(turnIsOver: boolean): void {
    if (!this.#timeline.models[this.#previousModel]?.stripsThinking) return;
    const gone = this.#state.takeThinking(turnIsOver);
    if (gone.length === 0) return;
    const edits = gone.map((id) => ({ from: id, to: id, with: [], sticky: true, reason: providerDropsThinking }));
    this.#options.observer?.onEdits?.(this.#view, edits);
    this.#view.apply(edits);
  }

  #dispatch(index: number): void {
    const { requests } = this.#timeline;
    const output = requests.output[index] as number;
    this.#caches.send(this.#view, index, stableOf(this.#members, this.#view), this.#systemEnd);
    const { split, unchanged } = this.#caches;
    const tier = this.#ledger.add(requests.card[index] as number, this.#view.tokens, split, output);
    if (this.#members.length > 0) this.#state.sent(split, output);
    this.#options.observer?.onRequest(this.#view, unchanged, split, index, tier, this.#caches.sent);
  }

  #selectModel(model: number): void {
    if (model === this.#previousModel) return;
    const isSwitch = this.#previousModel !== -1;
    this.#previousModel = model;
    const chosen = this.#timeline.models[model] as Timeline['models'][number];
    this.#state.useModel(chosen, this.#options.window ?? assumedWindow(this.#members, chosen.name));
    if (isSwitch) this.#ask('model_switch');
  }

  #isTooLarge(): boolean {
    const { window } = this.#state;
    const accepted = this.#options.window === undefined ? this.#timeline.largestPrompt : 0;
    if (accepted <= window - this.#reserve) return this.#view.tokens > window - this.#reserve;
    // The harness kept less of the window free than is assumed here; what it was seen to send can be sent in any case.
    return this.#view.tokens > Math.max(window, accepted);
  }

  /** Asks the members that want the event, in their order, and follows each one's plan before the next is asked. */
  #ask(event: PolicyEvent): void {
    if (!this.#wants[event]) return;
    for (const member of this.#members) {
      const plan = member.policy.events.includes(event) ? member.policy.on(event, this.#state) : undefined;
      if (plan) this.#follow(plan, member);
    }
  }

  #follow(plan: Plan, member: Member): void {
    for (const call of plan.calls ?? []) this.#bill(call);
    if (plan.fail !== undefined) this.#unsendable += 1;
    if (plan.edits) {
      this.#options.observer?.onEdits?.(this.#view, plan.edits);
      this.#state.edited(this.#edits.apply(plan.edits));
    }
    if (plan.stable !== undefined) member.stable = plan.stable;
  }

  #bill(call: ExtraCall): void {
    const model = this.#calls.modelOf(call, this.#previousModel);
    const card = this.#cardOf(model);
    const { observer } = this.#options;
    if (call.prefix === 'fresh') {
      const alone = { read: 0, write5m: 0, write1h: 0, fresh: call.input };
      const tier = this.#calls.add(call, card, alone);
      observer?.onCall?.(call, card, tier, alone, this.#view);
      return;
    }
    const { now: time } = this.#state;
    const [request, stable, systemEnd] = [this.#next, stableOf(this.#members, this.#view), this.#systemEnd];
    this.#caches.sendCall(this.#view, { model, card, request, time, input: call.input, stable, systemEnd });
    const tier = this.#calls.add(call, card, this.#caches.split);
    observer?.onCall?.(call, card, tier, this.#caches.split, this.#view, this.#caches.sent);
  }

  /** What a call to a model is billed by: to the session's own like the request that comes next. */
  #cardOf(model: number): RateCard {
    const { cards, requests } = this.#timeline;
    if (model === this.#previousModel) return cards[requests.card[this.#next] as number] as RateCard;
    return cardAt((this.#calls.models[model] as LaneModel).card, this.#state.now);
  }

  result(): LaneReplay {
    return {
      ledger: this.#ledger.entries(),
      calls: this.#calls.entries(),
      callCounts: this.#calls.counts,
      fees: this.#caches.fees.entries(),
      requests: this.#timeline.requests.at.length,
      edits: this.#edits.count,
      unsendable: this.#unsendable,
    };
  }
}
