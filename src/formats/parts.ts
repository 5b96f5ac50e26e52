import type { Source } from '../bytes/source.ts';
import type { Registry } from '../registry.ts';
import type { Format } from './format.ts';

/**
 * A stream as what each format has to read of it: whoever joins all transcripts of a machine joins those of several harnesses.
 * A record belongs to the format that alone knows it, else to that of the record before it.
 */
export class FormatParts {
  readonly #source: Source;
  readonly #first: Format;
  readonly #formats: Registry<Format>;
  readonly #seen: Set<Format>;

  constructor(source: Source, first: Format, formats: Registry<Format>) {
    this.#source = source;
    this.#first = first;
    this.#formats = formats;
    this.#seen = new Set([first]);
  }

  /** Each format with its own records; what else there is is known when the first has been read. */
  *[Symbol.iterator](): Generator<{ readonly format: Format; readonly source: Source }> {
    for (const format of this.#seen) yield { format, source: this.#partOf(format) };
  }

  /** The formats met so far. */
  get names(): string[] {
    return [...this.#seen].map(({ name }) => name);
  }

  #partOf(format: Format): Source {
    const { path, placeOf } = this.#source;
    return { path, records: () => this.#recordsOf(format), ...(placeOf && { placeOf }) };
  }

  *#recordsOf(format: Format) {
    let current = this.#first;
    for (const record of this.#source.records()) {
      current = this.#formatOf(record.value, current);
      this.#seen.add(current);
      if (current === format) yield record;
    }
  }

  #formatOf(value: unknown, current: Format): Format {
    const head = [value];
    if (current.sniff(head)) return current;
    const [other, ...more] = this.#formats.all.filter((it) => it !== current && it.sniff(head));
    return other && more.length === 0 ? other : current;
  }
}
