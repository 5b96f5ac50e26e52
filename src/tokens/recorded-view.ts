import type { BlockKind } from '../session/index.ts';

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

/** How far back a silent change counts as one near the tail: the look-back of a cache marker, 20 positions (providers.md §1.1). */
const tailBlocks = 20;

/** What a harness carried, as far as the recorded prompt sizes tell: tokens and kinds by position. */
export class RecordedView {
  #tokens: number[] = [];
  #kinds: (BlockKind | undefined)[] = [];
  total = 0;

  reset(tokens: readonly number[]): void {
    this.#tokens = [...tokens];
    this.#kinds = tokens.map(() => undefined);
    this.total = tokens.reduce((sum, value) => sum + value, 0);
  }

  append(tokens: number, kind: BlockKind | undefined): void {
    this.#tokens.push(tokens);
    this.#kinds.push(kind);
    this.total += tokens;
  }

  /** Thinking leaves the view, and no trace. */
  stripThinking(): void {
    const stays = this.#kinds.map((kind) => kind !== 'thinking');
    this.#tokens = this.#tokens.filter((_, at) => stays[at]);
    this.#kinds = this.#kinds.filter((_, at) => stays[at]);
    this.total = this.#tokens.reduce((sum, value) => sum + value, 0);
  }

  /**
   * Takes `removed` tokens out: from the newest blocks when they suffice within the last few (a reminder that was sent once),
   * else from the oldest result on (results that were cleared). Undefined when there is nothing to take from.
   */
  shrink(removed: number): Change | undefined {
    const last = this.#tokens.length - 1;
    if (last < 0 || removed <= 0) return undefined;
    const nearTail = this.#reach(Math.max(0, last - tailBlocks), last, removed);
    const firstResult = this.#kinds.indexOf('result');
    const range = nearTail ?? this.#reach(Math.max(0, firstResult), last, removed) ?? { from: 0, to: last };
    return this.#replace(range.from, range.to, -Math.min(removed, this.#sum(range.from, range.to)));
  }

  swell(added: number): Change {
    const last = this.#tokens.length - 1;
    return this.#replace(last, last, added);
  }

  /** The shortest stretch from `from` on that holds `amount` tokens, if it ends by `to`. */
  #reach(from: number, to: number, amount: number): { from: number; to: number } | undefined {
    let sum = 0;
    for (let at = from; at <= to; at += 1) {
      sum += this.#tokens[at] as number;
      if (sum >= amount) return { from, to: at };
    }
    return undefined;
  }

  #sum(from: number, to: number): number {
    return this.#tokens.slice(from, to + 1).reduce((sum, value) => sum + value, 0);
  }

  #replace(from: number, to: number, change: number): Change {
    const tokens = this.#sum(from, to) + change;
    this.#tokens.splice(from, to - from + 1, tokens);
    this.#kinds.splice(from, to - from + 1, undefined);
    this.total += change;
    return { from, to, tokens };
  }
}
