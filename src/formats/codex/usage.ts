import { isPossible, largestCount, type TokenCount, type Usage } from '../../session/index.ts';
import {
  billed,
  type Counts,
  clamp,
  difference,
  isGrowth,
  type Note,
  readCounts,
  sameCounts,
  toUsage,
} from './counts.ts';
import { isRecord, type JsonRecord, numberOf } from './records.ts';

/** One request as its `token_count` tells it. */
export interface Counted {
  readonly usage: Usage;
  /** The part of the output that is reasoning. */
  readonly reasoning: number;
  /** The same in every copy of the event, and different for every other event of its session. */
  readonly key: string;
}

/** A total lower than before by less than this share is an old event that came late, not a new counter. */
const staleShare = 0.05;

/** Codex records 95 % of a model's window, and a prompt may use the rest. */
const effectiveWindow = 0.95;

/** A session's running total beyond a thousand times what one request can hold is a fault of the recording. */
const largestTotal = 1000 * largestCount;

/** Smaller recorded windows are known to be wrong. */
const smallestWindow = 8_000;

/**
 * Turns a file's `token_count` events into requests. Most versions write an event again whenever the rate limits
 * change, so an event is a request only if the session's total moved.
 */
export class TokenCounter {
  #lastInfo: string | undefined;
  #total: Counts | undefined;
  #counted = 0;

  /** Takes note of an event whose request was counted otherwise: what follows moves on from its total. */
  pass(info: JsonRecord): void {
    this.#lastInfo = JSON.stringify(info);
    this.#total = readCounts(info.total_token_usage, largestTotal, () => {}) ?? this.#total;
  }

  /** The request behind this `info`, or undefined if it tells of none. */
  next(info: unknown, note: Note): Counted | undefined {
    if (!isRecord(info)) return undefined;
    const asText = JSON.stringify(info);
    if (asText === this.#lastInfo) return undefined;
    this.#lastInfo = asText;

    const total = readCounts(info.total_token_usage, largestTotal, note);
    const last = readCounts(info.last_token_usage, largestCount, note);
    const counts = total ? this.#fromTotal(total, last, windowOf(info), note) : possible(last, windowOf(info), note);
    if (!counts || billed(counts) === 0) return undefined;
    const usage = toUsage(counts, note);
    if (!isPossible(usage)) {
      note('impossible-usage');
      return undefined;
    }
    this.#counted += 1;
    const reasoning = clamp(counts.reasoning, usage.output, 'reasoning_output_tokens', note);
    return { usage, reasoning, key: this.#key(total, counts) };
  }

  /** The counts of one request, checked against how far the session's total moved. */
  #fromTotal(total: Counts, last: Counts | undefined, window: number | undefined, note: Note): Counts | undefined {
    const before = this.#total;
    if (before && sameCounts(before, total)) return undefined;
    if (before && isStale(total, before)) {
      note('stale-usage', undefined, last && tokensOf(last));
      return undefined;
    }
    this.#total = total;
    const stated = last && billed(last) > 0 ? last : undefined;
    if (stated && !possible(stated, window, note)) return undefined;
    if (!before) return firstOf(total, stated, note);
    if (billed(total) < billed(before)) {
      note('usage-reset');
      return stated ?? total;
    }
    return settle(difference(total, before), stated, note);
  }

  #key(total: Counts | undefined, counts: Counts): string {
    // Without totals two requests may well have the same numbers: their place tells them apart, and copies keep it.
    const place = total ? [total.input, total.cached, total.output] : ['#', this.#counted];
    return [...place, counts.input, counts.cached, counts.output].join(':');
  }
}

/** The first event of a file: a total beyond its own request belongs to an earlier file and was billed there. */
function firstOf(total: Counts, last: Counts | undefined, note: Note): Counts {
  if (last && billed(total) > billed(last)) note('resumed-total');
  return last ?? total;
}

/** `last` and the movement of the total should agree; where they do not, the smaller is the safer reading. */
function settle(moved: Counts, last: Counts | undefined, note: Note): Counts | undefined {
  if (last && sameCounts(moved, last)) return last;
  note('usage-mismatch');
  const usable = isGrowth(moved) && billed(moved) > 0;
  if (!last) return usable ? moved : undefined;
  return usable && billed(moved) < billed(last) ? moved : last;
}

function tokensOf({ input, output }: Counts): TokenCount {
  return { input, output };
}

function isStale(total: Counts, before: Counts): boolean {
  return billed(total) < billed(before) && billed(total) > billed(before) * (1 - staleShare);
}

/** Undefined, and a finding, for a request larger than its model's window: damaged rollouts hold session totals there. */
function possible(last: Counts | undefined, window: number | undefined, note: Note): Counts | undefined {
  if (!last || window === undefined) return last;
  if (Math.max(last.total, billed(last)) <= window / effectiveWindow) return last;
  note('impossible-usage');
  return undefined;
}

function windowOf(info: { readonly [key: string]: unknown }): number | undefined {
  const window = numberOf(info.model_context_window);
  return window !== undefined && window >= smallestWindow ? window : undefined;
}
