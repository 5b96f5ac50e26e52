import type { Edit } from '../policies/plan.ts';
import type { RateCard, Split } from '../providers/provider.ts';
import type { ReplayObserver, Sent, Timeline, View } from '../replay/index.ts';
import { addUsage, type Usage } from '../session/index.ts';
import type { LaterUses } from './later-uses.ts';

/** What reading results again would cost at one tier of one price card. */
export interface RefetchEntry {
  readonly card: RateCard;
  readonly tier: number;
  readonly usage: Usage;
}

/**
 * Watches a replay for results that the policy took out of the context and that the recording shows to be used later. What
 * it would cost to read each of those again, once: one more round over the prompt of that moment, the call, the result, and
 * both of these in every later prompt of the turn. Where the recording itself read it again, that is charged all the same.
 */
export class RefetchRisk implements ReplayObserver {
  /** Results that were taken out. */
  readonly elided = new Set<number>();
  /** Those of them that were used later. */
  readonly atRisk = new Set<number>();
  readonly #entries = new Map<string, RefetchEntry>();
  readonly #timeline: Timeline;
  readonly #uses: LaterUses;
  #hasRead = false;

  constructor(timeline: Timeline, uses: LaterUses) {
    this.#timeline = timeline;
    this.#uses = uses;
  }

  onEdits(view: View, edits: readonly Edit[]): void {
    for (const { from, to } of edits) {
      const last = view.positionOf(to);
      for (let at = view.positionOf(from); at <= last; at += 1) {
        const origin = view.originOf(view.ids[at] as number);
        if (this.#timeline.session.blocks[origin]?.kind === 'result') this.elided.add(origin);
      }
    }
  }

  onRequest(view: View, _unchanged: number, split: Split, request: number, tier: number, sent: Sent): void {
    this.#hasRead ||= split.read > 0;
    const { at, outputs } = this.#timeline.session.requests[request] as { at: number; outputs: number };
    for (let block = at; block < at + outputs; block += 1) {
      for (const result of this.#uses.get(block) ?? []) {
        if (!this.elided.has(result) || this.atRisk.has(result)) continue;
        this.atRisk.add(result);
        this.#charge(view, result, request, sent.model, tier);
      }
    }
  }

  /** What reading every result at risk again would cost, by tier. */
  entries(): RefetchEntry[] {
    return [...this.#entries.values()];
  }

  #charge(view: View, result: number, request: number, model: number, tier: number): void {
    const { card } = this.#timeline.models[model] as Timeline['models'][number];
    const { tokens, pair } = this.#timeline;
    const call = pair[result] === -1 ? 0 : (tokens[pair[result] as number] as number);
    // The round comes right after another one: where this cache reads at all, it reads the whole prompt.
    const added = call + (tokens[result] as number);
    const carried = view.tokens + added * this.#roundsLeft(request);
    const usage = {
      fresh: (this.#hasRead ? 0 : carried) + (card.chargesWrites ? 0 : added),
      cacheRead: this.#hasRead ? carried : 0,
      cacheWrite5m: card.chargesWrites ? added : 0,
      cacheWrite1h: 0,
      output: call,
    };
    const key = `${card.id}#${tier}`;
    const before = this.#entries.get(key);
    this.#entries.set(key, { card, tier, usage: before ? addUsage(before.usage, usage) : usage });
  }

  /** Requests of this turn from this one on: each carries what was read again. */
  #roundsLeft(request: number): number {
    const { turn } = this.#timeline.requests;
    let end = request;
    while (end < turn.length && turn[end] === turn[request]) end += 1;
    return end - request;
  }
}
