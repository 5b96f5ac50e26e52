/** A flat column of numbers by index that reads a default where nothing was written, and grows by doubling. */
export class FloatColumn {
  #values: Float64Array;
  readonly #missing: number;

  constructor(missing: number) {
    this.#missing = missing;
    this.#values = new Float64Array(1024).fill(missing);
  }

  get(index: number): number {
    return index < this.#values.length ? (this.#values[index] as number) : this.#missing;
  }

  set(index: number, value: number): void {
    if (index >= this.#values.length) {
      const longer = new Float64Array(Math.max(index + 1, this.#values.length * 2)).fill(this.#missing);
      longer.set(this.#values);
      this.#values = longer;
    }
    this.#values[index] = value;
  }
}
