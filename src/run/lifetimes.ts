import type { ReplayObserver, Timeline } from '../replay/index.ts';

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

  onRequest(...[view, , split, request, tier]: Parameters<ReplayObserver['onRequest']>): void {
    this.#hasRead ||= split.read > 0;
    const rates = this.#ratesOf(request, tier);
    this.#last = { tokens: view.tokens, readUsdPerMTok: this.#hasRead ? rates.cacheRead : rates.fresh };
  }

  /** Nothing for a session without requests. */
  found() {
    return this.#last === undefined ? {} : { last: this.#last };
  }

  #ratesOf(request: number, tier: number) {
    const { cards, requests } = this.#timeline;
    const rates = cards[requests.card[request] as number]?.tiers[tier]?.rates;
    if (!rates) throw new Error(`no tier ${tier} for request ${request}`);
    return rates;
  }
}
