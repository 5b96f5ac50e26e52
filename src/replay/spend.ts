import type { RateCard, Split } from '../providers/provider.ts';
import type { BlockKind } from '../session/index.ts';
import { grown } from './grown.ts';
import type { ReplayObserver } from './observer.ts';
import type { Timeline } from './timeline.ts';
import type { View } from './view.ts';

/** Columns of a table of `SpendSplit`: what the tokens stood for. Output is billed apart and has no column. */
export const spendColumns = ['system', 'prompts', 'replies', 'currentTurnResults', 'earlierTurnResults'] as const;
/** Rows of it: how they were billed. */
const billedClasses = 4;

/**
 * Watches a replay and splits what its requests carried by what it was for and how it was billed. Integers only:
 * dollars are made once, at the end, from the counts per rate.
 */
export class SpendSplit implements ReplayObserver {
  /** By card and tier: tokens by billed class (fresh, read, 5m, 1h) × column. */
  readonly #tables = new Map<
    string,
    { readonly card: RateCard; readonly tier: number; readonly tokens: Float64Array }
  >();
  readonly #timeline: Timeline;
  /** Cumulative tokens by position: system, prompts, replies, results. */
  #sums: Float64Array[] = [0, 1, 2, 3].map(() => new Float64Array(256));
  #from = 0;

  constructor(timeline: Timeline) {
    this.#timeline = timeline;
  }

  onSegment(): void {
    this.#from = 0;
  }

  onRequest(view: View, unchanged: number, split: Split, request: number, tier: number): void {
    this.#extend(view, Math.min(unchanged, this.#from));
    this.#from = view.length;
    const turnStart = this.#turnStart(view, request);
    const table = this.#tableOf(this.#timeline.requests.card[request] as number, tier);
    let start = 0;
    let tokens = 0;
    // A prompt is billed front to back: read, one-hour writes, five-minute writes, fresh.
    for (const [billed, amount] of [
      [1, split.read],
      [3, split.write1h],
      [2, split.write5m],
      [0, split.fresh],
    ] as const) {
      tokens += amount;
      const end = firstPositionBeyond(view, tokens);
      this.#add(table, billed, start, end, turnStart);
      start = end;
    }
  }

  /** What was billed, by card and tier. */
  tables() {
    return [...this.#tables.values()];
  }

  #tableOf(index: number, tier: number): Float64Array {
    const key = `${index}#${tier}`;
    const known = this.#tables.get(key) ?? {
      card: this.#timeline.cards[index] as RateCard,
      tier,
      tokens: new Float64Array(billedClasses * spendColumns.length),
    };
    this.#tables.set(key, known);
    return known.tokens;
  }

  #add(table: Float64Array, billed: number, start: number, end: number, turnStart: number): void {
    const at = billed * spendColumns.length;
    for (let column = 0; column < 3; column += 1)
      table[at + column] = (table[at + column] as number) + this.#between(column, start, end);
    const earlierEnd = Math.min(end, Math.max(start, turnStart));
    table[at + 3] = (table[at + 3] as number) + this.#between(3, earlierEnd, end);
    table[at + 4] = (table[at + 4] as number) + this.#between(3, start, earlierEnd);
  }

  #between(column: number, start: number, end: number): number {
    const sums = this.#sums[column] as Float64Array;
    return end <= start ? 0 : (sums[end - 1] as number) - (start === 0 ? 0 : (sums[start - 1] as number));
  }

  #extend(view: View, from: number): void {
    if (view.length > (this.#sums[0] as Float64Array).length)
      this.#sums = this.#sums.map((sums) => grown(sums, view.length));
    for (let at = from; at < view.length; at += 1) {
      const id = view.ids[at] as number;
      const origin = view.originOf(id);
      const column = origin === -1 ? 2 : this.#columnOf(origin);
      this.#sums.forEach((sums, index) => {
        sums[at] = (at === 0 ? 0 : (sums[at - 1] as number)) + (index === column ? view.tokensOf(id) : 0);
      });
    }
  }

  /** What stands before a session's first prompt is its opening context, whatever its kind. */
  #columnOf(block: number): number {
    const { session } = this.#timeline;
    if (block < (session.turns[0]?.firstBlock ?? session.blocks.length)) return 0;
    return columnOfKind[session.blocks[block]?.kind ?? 'meta'];
  }

  /** Position of the current turn's first block; results before it belong to earlier turns. */
  #turnStart(view: View, request: number): number {
    const segment = this.#timeline.segments.findLast((candidate) => candidate.firstRequest <= request);
    const first = segment?.turnStarts[this.#timeline.requests.turn[request] as number];
    const position = first === undefined ? -1 : view.positionOf(first);
    return position === -1 ? 0 : position;
  }
}

const columnOfKind: Readonly<Record<BlockKind, number>> = {
  system: 0,
  tools: 0,
  prompt: 1,
  meta: 1,
  image: 1,
  reply: 2,
  thinking: 2,
  call: 2,
  summary: 2,
  record: 2,
  result: 3,
  stub: 3,
};

/** First position whose end lies beyond `tokens`. */
function firstPositionBeyond(view: View, tokens: number): number {
  let low = 0;
  let high = view.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((view.ends[middle] as number) <= tokens) low = middle + 1;
    else high = middle;
  }
  return low;
}
