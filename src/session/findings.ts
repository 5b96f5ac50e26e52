/** One kind of thing that a reader skipped, repaired or could not use, counted, with the first place where it was seen. */
export interface Finding {
  /** Stable kebab-case name, for example `torn-tail` or `unknown-line-type`. */
  readonly kind: string;
  /** What exactly, when the kind has members: the unknown line type, the clamped field. */
  readonly detail: string;
  readonly count: number;
  /** `file:line` of the first occurrence. */
  readonly first: string;
}

/** Counts findings by kind and detail. Nothing is skipped in silence; the command line prints the counts once, at the end. */
export class Findings {
  #byKey = new Map<string, { kind: string; detail: string; count: number; first: string }>();

  /** Counts one occurrence; `line` is 1-based. */
  add(kind: string, file: string, line?: number, detail = '', count = 1): void {
    const key = `${kind}\u0000${detail}`;
    const known = this.#byKey.get(key);
    if (known) known.count += count;
    else this.#byKey.set(key, { kind, detail, count, first: line === undefined ? file : `${file}:${line}` });
  }

  /** Adds another collector's counts to this one. */
  merge(other: Findings): void {
    for (const { kind, detail, count, first } of other.list()) {
      const key = `${kind}\u0000${detail}`;
      const known = this.#byKey.get(key);
      if (known) known.count += count;
      else this.#byKey.set(key, { kind, detail, count, first });
    }
  }

  /** How often a kind occurred; of one detail only, if that is named. */
  count(kind: string, detail?: string): number {
    let sum = 0;
    for (const finding of this.#byKey.values()) {
      if (finding.kind === kind && (detail === undefined || finding.detail === detail)) sum += finding.count;
    }
    return sum;
  }

  /** All findings, sorted by kind and detail, so that the output does not depend on the order of reading. */
  list(): Finding[] {
    return [...this.#byKey.values()].sort((a, b) => compareText(a.kind, b.kind) || compareText(a.detail, b.detail));
  }
}

/** Orders by code unit, the same on every machine whatever its locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
