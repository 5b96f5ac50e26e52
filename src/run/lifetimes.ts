import type { ReplayObserver, Sent, Timeline } from '../replay/index.ts';

/** The session as if cache entries lived so many times as long: every pause is as many times shorter, counted from its start. */
export function withLifetimes(timeline: Timeline, multiple: number): Timeline {
  const { time } = timeline.requests;
  const start = time[0] ?? Number.NaN;
  const scaled = time.map((at) => start + (at - start) / multiple);
  return { ...timeline, requests: { ...timeline.requests, time: scaled } };
}

/** Remembers the prompt of the last request, and what reading it again would cost. */
export class LastRequest implements ReplayObserver {
  readonly #timeline: Timeline;
  #last: { tokens: number; readUsdPerMTok: number } | undefined;
  #hasRead = false;

  constructor(timeline: Timeline) {
    this.#timeline = timeline;
  }

  onRequest(...[view, , split, , tier, sent]: Parameters<ReplayObserver['onRequest']>): void {
    this.#hasRead ||= split.read > 0;
    const rates = this.#ratesOf(sent, tier);
    this.#last = { tokens: view.tokens, readUsdPerMTok: this.#hasRead ? rates.cacheRead : rates.fresh };
  }

  /** Nothing for a session without requests. */
  found() {
    return this.#last === undefined ? {} : { last: this.#last };
  }

  #ratesOf({ model }: Sent, tier: number) {
    const rates = this.#timeline.models[model]?.card.tiers[tier]?.rates;
    if (!rates) throw new Error(`no tier ${tier} of model ${model}`);
    return rates;
  }
}
