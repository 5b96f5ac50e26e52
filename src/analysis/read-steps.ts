/** OpenAI's documented step of a reported read, tokens (providers.md §2); no larger one than 2,048 was ever seen. */
const smallestStep = 128;
const largestStep = 2048;

/** A step is believed once this many reads, and this share of them, have shown it. */
const believed = { reads: 3, share: 0.8 } as const;

/**
 * In which steps a provider reports what was read, learned from reads: always `step · n + offset`. Documented are
 * multiples of 128; measured on recorded sessions of gpt-5.5 are 512 n + 384, of gpt-5.6 1,024 n + 768.
 */
export class ReadSteps {
  /** Per step, how often each remainder was read. */
  readonly #remainders = new Map<number, Map<number, number>>();
  #reads = 0;
  step: number = smallestStep;
  offset = 0;

  /** A read of nothing says nothing about steps. */
  observe(read: number): void {
    if (read === 0) return;
    this.#reads += 1;
    for (let step = smallestStep * 2; step <= largestStep; step *= 2) this.#count(step, read % step);
    this.#decide();
  }

  #count(step: number, remainder: number): void {
    const counts = this.#remainders.get(step) ?? new Map<number, number>();
    counts.set(remainder, (counts.get(remainder) ?? 0) + 1);
    this.#remainders.set(step, counts);
  }

  #decide(): void {
    this.step = smallestStep;
    this.offset = 0;
    for (const [step, counts] of this.#remainders) {
      const [offset, count] = [...counts].reduce((best, next) => (next[1] > best[1] ? next : best));
      if (count < believed.reads || count < believed.share * this.#reads) return;
      this.step = step;
      this.offset = offset;
    }
  }
}
