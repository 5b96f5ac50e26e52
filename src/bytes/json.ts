/** What could be made of the text of one line. */
export interface ParsedLine {
  readonly values: readonly unknown[];
  /** More than one record stood on the line: a writer went on after a torn write. */
  readonly fused: boolean;
  /** A part of the line could not be read. */
  readonly lost: boolean;
  /** Unpaired surrogates were replaced. */
  readonly repaired: boolean;
}

/** Keys with which the records of the known formats begin; a nested object may begin so too, but its tail does not parse. */
const envelopeStart =
  /\{"(?:type|parentUuid|uuid|sessionId|session_id|timestamp|message|messageId|leafUuid|operation|ordinal|payload|isSidechain|logicalParentUuid|id|role)"/g;

/** Attempts per line; a line that is not mended by then is given up rather than searched for minutes. */
const maxAttempts = 1000;

/** Parses one line, or what can be saved of it. Never throws. */
export function parseLine(text: string): ParsedLine {
  const whole = parse(text);
  if (whole) return { values: [whole.value], fused: false, lost: false, repaired: whole.repaired };
  const starts = [...text.matchAll(envelopeStart)].map(({ index }) => index).slice(-maxAttempts);
  const found: Parsed[] = [];
  let rest = text;
  for (const start of starts.toReversed()) {
    if (rest.trim() === '') break;
    const tail = parse(rest.slice(start));
    if (!tail) continue;
    found.unshift(tail);
    rest = rest.slice(0, start);
  }
  // What is left may still begin with a whole record, with a torn one behind it.
  const end = rest.trim() === '' ? undefined : starts.find((start) => start < rest.length && endsWhole(rest, start));
  const head = end === undefined ? undefined : parse(rest.slice(0, end));
  if (head) found.unshift(head);
  return {
    values: found.map(({ value }) => value),
    fused: found.length > 0,
    lost: rest.slice(end ?? 0).trim() !== '',
    repaired: found.some(({ repaired }) => repaired),
  };
}

function endsWhole(text: string, end: number): boolean {
  return text[end - 1] === '}' && parse(text.slice(0, end)) !== undefined;
}

interface Parsed {
  readonly value: unknown;
  readonly repaired: boolean;
}

function parse(text: string): Parsed | undefined {
  try {
    const value: unknown = JSON.parse(text);
    // Only an escape can put an unpaired surrogate into a decoded string.
    return text.includes('\\ud') || text.includes('\\uD') ? wellFormed(text, value) : { value, repaired: false };
  } catch {
    return undefined;
  }
}

function wellFormed(text: string, asIs: unknown): Parsed {
  let repaired = false;
  const mend = (_key: string, value: unknown): unknown => {
    if (typeof value !== 'string' || !/\p{Surrogate}/u.test(value)) return value;
    repaired = true;
    return value.replace(/\p{Surrogate}/gu, '\uFFFD');
  };
  try {
    return { value: JSON.parse(text, mend) as unknown, repaired };
  } catch {
    // A reviver recurses; a value nested too deeply for it is kept as it is.
    return { value: asIs, repaired: false };
  }
}
