import type { Timeline } from '../replay/index.ts';
import { ratesOf, replaySchedule, type Scheduled, tierOf, type View } from './schedule-costs.ts';

/**
 * A bill, US dollars, that no cutting of old results to the same stubs can bring a session below, at whatever moments, inside
 * turns too: every request carries as little as it can, and reads all of it that any earlier request can have left behind. No
 * policy reaches it, because what is cut makes everything behind it new. Undefined where a stub is larger than its result.
 */
export function leastBill(scheduled: Scheduled): number | undefined {
  const { timeline } = scheduled;
  const fresh = new NeverSent(timeline, keepsReplies(scheduled));
  const { costs } = replaySchedule(scheduled, timeline.segments, () => 'every request', fresh);
  if (fresh.hasGrown) return undefined;
  const lifetime = longestLifetime(scheduled);
  const { requests } = timeline;
  let bill = 0;
  let latest = Number.NaN;
  for (let request = 0; request < requests.at.length; request += 1) {
    const prompt = costs.prompt[request] as number;
    const time = requests.time[request] as number;
    // A missing time, or a clock that runs backwards, is no time passed.
    const isReadAnyway = (timeline.conditions?.lastRead?.[request] ?? -1) >= 0;
    const isExpired = time - latest > lifetime && !isReadAnyway;
    if (!(time <= latest) && !Number.isNaN(time)) latest = time;
    const sent = isExpired ? 0 : prompt - (fresh.tokens[request] as number);
    const read = Math.min(prompt, Math.max(sent, fresh.warm[request] as number));
    const rates = ratesOf(timeline, request, tierOf(timeline, request, prompt));
    const unread = costs.unreadRate[request] as number;
    bill += read * Math.min(rates.cacheRead, unread) + (prompt - read) * unread;
    bill += (requests.output[request] as number) * rates.output;
  }
  return bill / 1e6;
}

/** Counts per request the tokens of blocks that no request has carried before, and those that other sessions keep warm. */
class NeverSent {
  readonly tokens: Float64Array;
  readonly warm: Float64Array;
  /** Some stub is larger than what it stands for. */
  hasGrown = false;
  readonly #timeline: Timeline;
  /** By block, 1 once a cache may hold it. */
  readonly #known: Uint8Array;

  /** `keepsReplies`: what a model answers is in its cache before anybody sends it. */
  constructor(timeline: Timeline, keepsReplies: boolean) {
    this.#timeline = timeline;
    this.tokens = new Float64Array(timeline.requests.at.length);
    this.warm = new Float64Array(timeline.requests.at.length);
    this.#known = new Uint8Array(timeline.tokens.length);
    if (keepsReplies) for (const { at, outputs } of timeline.session.requests) this.#known.fill(1, at, at + outputs);
  }

  onRequest(view: View, unchanged: number, request: number): void {
    const { session, conditions, tokens: whole } = this.#timeline;
    for (let at = unchanged; at < view.length; at += 1) {
      const origin = view.originOf(view.ids[at] as number);
      const tokens = view.tokensOf(view.ids[at] as number);
      if (tokens > (whole[origin] as number)) this.hasGrown = true;
      if (this.#known[origin] === 1) continue;
      this.#known[origin] = 1;
      this.tokens[request] = (this.tokens[request] as number) + tokens;
    }
    const warmBlocks = Math.min(session.warmBlocks ?? 0, view.length);
    const warm = warmBlocks === 0 ? 0 : (view.ends[warmBlocks - 1] as number);
    this.warm[request] = Math.max(warm, conditions?.warm?.[request] ?? 0);
  }
}

function keepsReplies({ timeline, options }: Scheduled): boolean {
  return timeline.models.some(
    (model) => options.cacheModelOf(model).rulesFor(model.card).create().replied !== undefined,
  );
}

/** Milliseconds after which nothing of the session is left in any of its caches. */
function longestLifetime({ timeline, options }: Scheduled): number {
  const { ttl } = options;
  const asked = ttl === 'never' || ttl === '24h' ? [ttl] : (['5m', '1h'] as const);
  const lifetimes = timeline.models.flatMap((model) => {
    const rules = options.cacheModelOf(model).rulesFor(model.card);
    return asked.map((each) => rules.lifetimes[each]);
  });
  return Math.max(...lifetimes);
}
