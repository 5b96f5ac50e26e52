import type { Policy, Schedule } from '../policies/policy.ts';
import type { Rates, Split } from '../providers/provider.ts';
import {
  type LaneReplay,
  type ReplayObserver,
  type ReplayOptions,
  replayLane,
  type Timeline,
} from '../replay/index.ts';

/** What schedules are replayed with. */
export interface Scheduled {
  readonly timeline: Timeline;
  readonly options: Omit<ReplayOptions, 'createPolicy' | 'observer'>;
  /** The policy that acts at these moments of its segment. */
  createPolicy(acts: Schedule): Policy;
}

/** What an observer sees of a prompt. */
export type View = Parameters<ReplayObserver['onRequest']>[0];

/** Bills a replay request by request, in millionths of a US dollar, and keeps what a lower bound needs. */
export class RequestCosts {
  /** At k the bill of all requests before k. */
  readonly before: Float64Array;
  /** Tokens of each prompt. */
  readonly prompt: Float64Array;
  /** Of these, in blocks that stood in the previous prompt at the same place: nothing else can have been read. */
  readonly kept: Float64Array;
  /** Rate of what was not read, US dollars per million tokens; the cheapest one where everything was read. */
  readonly unreadRate: Float64Array;
  readonly #timeline: Timeline;

  constructor(timeline: Timeline) {
    const count = timeline.requests.at.length;
    this.#timeline = timeline;
    this.before = new Float64Array(count + 1);
    this.prompt = new Float64Array(count);
    this.kept = new Float64Array(count);
    this.unreadRate = new Float64Array(count);
  }

  onRequest(view: View, unchanged: number, split: Split, request: number, tier: number): void {
    const rates = ratesOf(this.#timeline, request, tier);
    const output = this.#timeline.requests.output[request] as number;
    const { fresh, read, write5m, write1h } = split;
    const paid =
      fresh * rates.fresh +
      read * rates.cacheRead +
      write5m * rates.cacheWrite5m +
      write1h * rates.cacheWrite1h +
      output * rates.output;
    this.before[request + 1] = (this.before[request] as number) + paid;
    this.prompt[request] = view.tokens;
    this.kept[request] = unchanged === 0 ? 0 : (view.ends[unchanged - 1] as number);
    this.unreadRate[request] = unreadRate(split, rates);
  }
}

/** Replays one schedule, an entry per segment; only the segments given are replayed. */
export function replaySchedule(
  { timeline, options, createPolicy }: Scheduled,
  segments: Timeline['segments'],
  acts: (segment: number) => Schedule,
  also?: { onRequest(view: View, unchanged: number, request: number): void },
): { costs: RequestCosts; replay: LaneReplay } {
  const costs = new RequestCosts(timeline);
  const replay = replayLane(
    { ...timeline, segments },
    {
      ...options,
      createPolicy: (segment) => createPolicy(acts(segment)),
      observer: {
        onRequest(view, unchanged, split, request, tier) {
          costs.onRequest(view, unchanged, split, request, tier);
          also?.onRequest(view, unchanged, request);
        },
      },
    },
  );
  return { costs, replay };
}

/** Rates of a request, US dollars per million tokens. */
export function ratesOf({ cards, requests }: Timeline, request: number, tier: number): Rates {
  const rates = cards[requests.card[request] as number]?.tiers[tier]?.rates;
  if (!rates) throw new Error(`no tier ${tier} for request ${request}`);
  return rates;
}

/** The tier that a prompt of so many tokens falls into. */
export function tierOf({ cards, requests }: Timeline, request: number, prompt: number): number {
  const tiers = cards[requests.card[request] as number]?.tiers ?? [];
  return Math.max(
    0,
    tiers.findLastIndex(({ abovePromptTokens }) => prompt > abovePromptTokens),
  );
}

/** Nothing that is sent is cheaper than this: a smaller prompt may escape the charge for writing, a longer one cannot. */
function unreadRate({ fresh, write5m, write1h }: Split, rates: Rates): number {
  if (fresh > 0 || write5m + write1h === 0) return Math.min(rates.fresh, rates.cacheWrite5m, rates.cacheWrite1h);
  return Math.min(
    write5m > 0 ? rates.cacheWrite5m : Number.POSITIVE_INFINITY,
    write1h > 0 ? rates.cacheWrite1h : Number.POSITIVE_INFINITY,
  );
}
