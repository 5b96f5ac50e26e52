/** Tokens of requests: all of the prompt, and the output. */
export interface TokenCount {
  readonly input: number;
  readonly output: number;
}

/** One kind of thing that a reader skipped, repaired or could not use, counted, with the first place where it was seen. */
export interface Finding {
  /** Stable kebab-case name, for example `torn-tail` or `unknown-line-type`. */
  readonly kind: string;
  /** What exactly, when the kind has members: the unknown line type, the clamped field. */
  readonly detail: string;
  readonly count: number;
  /** `file:line` of the first occurrence. */
  readonly first: string;
  /** Where usage was passed over: the tokens that the counted places record, and that are not billed for them. */
  readonly tokens?: TokenCount | undefined;
}

/** Counts findings by kind and detail. Nothing is skipped in silence; the command line prints the counts once, at the end. */
export class Findings {
  #byKey = new Map<string, Finding>();

  /** Counts one occurrence; `line` is 1-based. */
  add(kind: string, file: string, line?: number, detail = '', count = 1, tokens?: TokenCount): void {
    const first = line === undefined ? file : `${file}:${line}`;
    this.#count({ kind, detail, count, first, ...(tokens && { tokens }) });
  }

  /** Adds another collector's counts to this one. */
  merge(other: Findings): void {
    for (const finding of other.list()) this.#count(finding);
  }

  #count(finding: Finding): void {
    const key = `${finding.kind}\u0000${finding.detail}`;
    const known = this.#byKey.get(key);
    this.#byKey.set(key, known ? addFinding(known, finding) : finding);
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

/** Kinds whose usage was recorded twice, and is billed at its other place. */
const copies: ReadonlySet<string> = new Set(['replayed-request', 'repeated-line', 'progress-usage']);

/** True for findings of copies: their tokens are not missing. */
export function isBilledElsewhere(kind: string): boolean {
  return copies.has(kind);
}

/** Two of one kind and detail as one, first seen where the first was. */
export function addFinding(a: Finding, b: Finding): Finding {
  const tokens =
    a.tokens && b.tokens
      ? { input: a.tokens.input + b.tokens.input, output: a.tokens.output + b.tokens.output }
      : (a.tokens ?? b.tokens);
  return { ...a, count: a.count + b.count, ...(tokens && { tokens }) };
}

/** Orders by code unit, the same on every machine whatever its locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
