import type { Finding, Findings } from '../session/index.ts';

/** What is wrong with a file whose every line must be whole. */
export interface Damage {
  /** Lines that are damaged, and faults of lines that the format does not allow. */
  readonly count: number;
  /** The first of them: its line, and what is wrong there. */
  readonly first: string | undefined;
}

/** Kinds of findings that mean that something of a line is lost; a last line without its end is still being written. */
const lost: ReadonlyMap<string, string> = new Map([
  ['bad-json', 'it is no JSON'],
  ['line-too-long', 'it is too long to be read'],
  ['nul-line', 'it holds NUL bytes'],
  ['fused-line', 'a part of it is lost'],
]);

/** The damage that the findings of one file tell of. Only a strict format is spoilt by a line that is merely lost. */
export function damageOf(findings: Findings, isStrict: boolean): Damage {
  const faults = findings.list().flatMap((finding) => {
    const why = faultOf(finding, isStrict);
    return why === undefined ? [] : [{ why, count: finding.count, line: lineOf(finding) }];
  });
  const [first] = faults.toSorted((a, b) => a.line - b.line);
  return {
    count: faults.reduce((sum, { count }) => sum + count, 0),
    first: first && `line ${first.line}: ${first.why}`,
  };
}

function faultOf({ kind, detail }: Finding, isStrict: boolean): string | undefined {
  if (kind === 'invalid-native-record') return detail;
  if (!isStrict || (kind === 'fused-line' && detail === '')) return undefined;
  return lost.get(kind);
}

/** The line of a place written as `file:line`. */
function lineOf({ first }: Finding): number {
  return Number(first.slice(first.lastIndexOf(':') + 1));
}
