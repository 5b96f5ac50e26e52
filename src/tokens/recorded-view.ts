/** What a harness carried, as far as the recorded prompt sizes tell: tokens by position, and which positions hold results. */
export class RecordedView {
  #tokens: number[] = [];
  #isResult: boolean[] = [];
  total = 0;

  reset(tokens: readonly number[]): void {
    this.#tokens = [...tokens];
    this.#isResult = tokens.map(() => false);
    this.total = tokens.reduce((sum, value) => sum + value, 0);
  }

  append(tokens: number, isResult: boolean): void {
    this.#tokens.push(tokens);
    this.#isResult.push(isResult);
    this.total += tokens;
  }

  /**
   * Takes `removed` tokens out: from the newest blocks when they suffice within the last few (a reminder that was sent once),
   * else from the oldest result on (results that were cleared). Undefined when there is nothing to take from.
   */
  shrink(removed: number): { from: number; to: number; tokens: number } | undefined {
    const last = this.#tokens.length - 1;
    if (last < 0 || removed <= 0) return undefined;
    const nearTail = this.#reach(Math.max(0, last - tailBlocks), last, removed);
    const firstResult = this.#isResult.indexOf(true);
    const range = nearTail ?? this.#reach(Math.max(0, firstResult), last, removed) ?? { from: 0, to: last };
    return this.#replace(range.from, range.to, -Math.min(removed, this.#sum(range.from, range.to)));
  }

  swell(added: number): { from: number; to: number; tokens: number } {
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

  #replace(from: number, to: number, change: number): { from: number; to: number; tokens: number } {
    const tokens = this.#sum(from, to) + change;
    this.#tokens.splice(from, to - from + 1, tokens);
    this.#isResult.splice(from, to - from + 1, false);
    this.total += change;
    return { from, to, tokens };
  }
}

/** How far back a silent change counts as one near the tail: the look-back of a cache marker, 20 positions (providers.md §1.1). */
const tailBlocks = 20;
