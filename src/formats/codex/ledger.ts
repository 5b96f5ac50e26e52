import { isPossible, largestCount } from '../../session/index.ts';
import { billed, type Counts, clamp, type Note, readCounts, sameCounts, toUsage } from './counts.ts';
import { isRecord, type JsonRecord, recordOf, textOf } from './records.ts';
import { type Counted, TokenCounter } from './usage.ts';

/** One request as the file's lines count it, and the provider's name for its response. */
export interface Booked {
  readonly counted: Counted;
  readonly responseId: string | undefined;
}

/** A record that was read: what it counted, how much its thread had used by then, and how much the model had said. */
interface Known {
  readonly counts: Counts;
  readonly thread: Counts | undefined;
  readonly said: number;
}

/**
 * The requests of a file out of its two books. From 0.154 on every response has a `token_usage_record`, that of a
 * compaction included; the `token_count` beside it tells of the same request and is dropped. Earlier lines, and other
 * writers, have `token_count` only.
 */
export class Ledger {
  readonly #counter = new TokenCounter();
  /** By response id: a relay may give every response the same one. */
  readonly #known = new Map<string, Known[]>();
  /** Records whose `token_count` was not met. */
  #open: Counts[] = [];
  /** The last `token_count` that was a request, while no record has claimed it. */
  #unclaimed: Known | undefined;
  /** Items of the model so far: two records without any between them may be one. */
  #said = 0;
  #records = 0;

  /** The model said something. */
  output(): void {
    this.#said += 1;
  }

  /** The request of a `token_usage_record`, or undefined if it was counted already. */
  record(payload: JsonRecord, note: Note): Booked | undefined {
    const counts = readCounts(payload.usage, largestCount, note);
    if (!counts || billed(counts) === 0) return undefined;
    const responseId = textOf(payload.response_id);
    const thread = readCounts(payload.thread_token_usage, Number.MAX_SAFE_INTEGER, () => {});
    if (this.#isRepeated(responseId ?? '', { counts, thread, said: this.#said })) {
      note('repeated-usage-record');
      return undefined;
    }
    const { counts: claimed, said } = this.#unclaimed ?? {};
    this.#unclaimed = undefined;
    if (claimed && said === this.#said && sameCounts(claimed, counts)) return undefined;
    const usage = toUsage(counts, note);
    if (!isPossible(usage)) {
      note('impossible-usage');
      return undefined;
    }
    this.#open.push(counts);
    this.#records += 1;
    const reasoning = clamp(counts.reasoning, usage.output, 'reasoning_output_tokens', note);
    return { counted: { usage, reasoning, key: this.#keyOf(counts, thread) }, responseId };
  }

  /** The request of a `token_count`, or undefined if it tells of none, or of one that a record counted. */
  count(info: unknown, note: Note): Counted | undefined {
    const last = isRecord(info) ? readCounts(info.last_token_usage, largestCount, () => {}) : undefined;
    const at = last ? this.#open.findIndex((counts) => sameCounts(counts, last)) : -1;
    if (at !== -1) {
      this.#open.splice(at, 1);
      this.#counter.pass(recordOf(info));
      return undefined;
    }
    const counted = this.#counter.next(info, note);
    if (counted && last) this.#unclaimed = { counts: last, thread: undefined, said: this.#said };
    return counted;
  }

  /** Adds a record to the known ones, unless it is one: the same counts at the same place of its thread. */
  #isRepeated(responseId: string, record: Known): boolean {
    const known = this.#known.get(responseId) ?? [];
    if (known.some((it) => isSame(it, record))) return true;
    this.#known.set(responseId, [...known, record]);
    return false;
  }

  /** What every copy of the record keeps: its counts, and its place by what the thread had used, else by its number. */
  #keyOf(counts: Counts, thread: Counts | undefined): string {
    const place = thread ? [thread.input, thread.cached, thread.output] : ['record', this.#records];
    return [...place, counts.input, counts.cached, counts.output].join(':');
  }
}

function isSame(a: Known, b: Known): boolean {
  if (!sameCounts(a.counts, b.counts)) return false;
  return a.thread && b.thread ? sameCounts(a.thread, b.thread) : a.said === b.said;
}
