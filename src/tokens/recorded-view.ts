import type { BlockKind } from '../session/index.ts';
import { total } from './apportion.ts';

/** A change of the past that the recording shows without saying so: the harness sent less than had gathered. */
export interface RecordedEdit {
  /** The request before which it happened. */
  readonly request: number;
  /** Positions in the recorded view, both inclusive, that one block of `tokens` stands for from now on. */
  readonly from: number;
  readonly to: number;
  readonly tokens: number;
}

type Change = Omit<RecordedEdit, 'request'>;

/** One position of the view; a block that the transcript does not show has no number. */
export interface Entry {
  readonly block?: number;
  readonly kind?: BlockKind | undefined;
  readonly tokens: number;
}

/** Stands for thinking that goes with the coming request: until then it keeps its position, and has no tokens. */
const leaving: Entry = { tokens: 0 };

/** How far back a silent change counts as one near the tail: the look-back of a cache marker as published, 20 positions. */
const tailBlocks = 20;

/** What a harness carried, as far as the recorded prompt sizes tell: tokens and kinds by position, in the order of the replay. */
export class RecordedView {
  #entries: Entry[] = [];
  /** Entries before this one have their tokens; those behind it wait for a prompt that tells. */
  #sized = 0;
  /** Tokens of the entries that have them. */
  total = 0;

  /** A context of blocks whose tokens are known. */
  reset(entries: readonly Entry[]): void {
    this.#entries = [...entries];
    this.#sized = entries.length;
    this.total = total(entries.map(({ tokens }) => tokens));
  }

  /** Context that was there all along and is known of only now: before everything, or behind what has its tokens. */
  insert(where: 'first' | 'last', entries: readonly Entry[]): void {
    this.#entries.splice(where === 'first' ? 0 : this.#sized, 0, ...entries);
    this.#sized += entries.length;
    this.total += total(entries.map(({ tokens }) => tokens));
  }

  /** A block enters; its tokens are not known yet. */
  enter(entry: Entry): void {
    this.#entries.push(entry);
  }

  /** The blocks that wait for their tokens, in order. */
  get waiting(): number[] {
    return this.#entries.slice(this.#sized).flatMap(({ block }) => block ?? []);
  }

  get isAllThinking(): boolean {
    return this.#entries.every((entry) => entry === leaving || entry.kind === 'thinking');
  }

  /** Gives the first of the waiting blocks their tokens. */
  size(tokens: readonly number[]): void {
    let given = 0;
    for (; given < tokens.length; this.#sized += 1) {
      const entry = this.#entries[this.#sized] as Entry;
      if (entry === leaving) continue;
      const known = tokens[given++] as number;
      this.#entries[this.#sized] = { ...entry, tokens: known };
      this.total += known;
    }
  }

  /** Thinking of blocks below `before` is no part of the context any more; `close` takes its positions away. */
  strip(before: number): { readonly waiting: readonly number[]; readonly tokens: number } {
    const waiting: number[] = [];
    let tokens = 0;
    this.#entries.forEach(({ block, kind, tokens: known }, at) => {
      if (kind !== 'thinking' || block === undefined || block >= before) return;
      if (at >= this.#sized) waiting.push(block);
      tokens += known;
      this.#entries[at] = leaving;
    });
    this.total -= tokens;
    return { waiting, tokens };
  }

  /** What was stripped leaves its positions. */
  close(): void {
    if (!this.#entries.includes(leaving)) return;
    const isLeft = (entry: Entry) => entry !== leaving;
    this.#sized = this.#entries.slice(0, this.#sized).filter(isLeft).length;
    this.#entries = this.#entries.filter(isLeft);
  }

  /**
   * Takes `removed` tokens out: of the last few blocks where those suffice (a reminder that was sent once), else from the oldest
   * result on (results that were cleared). Of the last few it takes the newest where it is known that what came last goes first,
   * else the oldest, behind which all is sent anew in any case. Undefined when there is nothing to take from.
   */
  shrink(removed: number, takesNewest: boolean): Change | undefined {
    const last = this.#sized - 1;
    if (last < 0 || removed <= 0) return undefined;
    const oldest = Math.max(0, last - tailBlocks);
    const nearTail = takesNewest ? this.#newest(oldest, last, removed) : this.#reach(oldest, last, removed);
    const firstResult = this.#entries.findIndex(({ kind }) => kind === 'result');
    const range = nearTail ?? this.#reach(Math.max(0, firstResult), last, removed) ?? { from: 0, to: last };
    return this.#replace(range.from, range.to, -Math.min(removed, this.#sum(range.from, range.to)));
  }

  swell(added: number): Change {
    const last = this.#entries.findLastIndex((entry, at) => at < this.#sized && entry !== leaving);
    return this.#replace(last, last, added);
  }

  /** The shortest stretch from `from` on that holds `amount` tokens, if it ends by `to`. */
  #reach(from: number, to: number, amount: number): { from: number; to: number } | undefined {
    let sum = 0;
    for (let at = from; at <= to; at += 1) {
      sum += (this.#entries[at] as Entry).tokens;
      if (sum >= amount) return { from, to: at };
    }
    return undefined;
  }

  /** The shortest stretch up to `to` that holds `amount` tokens, if it begins at `from` or later. */
  #newest(from: number, to: number, amount: number): { from: number; to: number } | undefined {
    let sum = 0;
    for (let at = to; at >= from; at -= 1) {
      sum += (this.#entries[at] as Entry).tokens;
      if (sum >= amount) return { from: at, to };
    }
    return undefined;
  }

  #sum(from: number, to: number): number {
    return total(this.#entries.slice(from, to + 1).map(({ tokens }) => tokens));
  }

  #replace(from: number, to: number, change: number): Change {
    const tokens = this.#sum(from, to) + change;
    this.#entries.splice(from, to - from + 1, { tokens });
    this.#sized -= to - from;
    this.total += change;
    return { from, to, tokens };
  }
}
