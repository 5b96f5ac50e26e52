import { isAscii, isUtf8 } from 'node:buffer';
import { CtxsimError } from '../errors.ts';
import type { Findings } from '../session/index.ts';
import { parseLine } from './json.ts';
import { peekType, type ReadBytes, scanLines } from './scan.ts';
import type { JsonLine } from './source.ts';

/** Lines above this size are passed over unless told otherwise: snapshots of whole work trees, which carry nothing billable. */
export const defaultMaxLineBytes = 64 * 1024 * 1024;

/** Counts what was wrong with one line. */
export type Report = (kind: string, line: number, detail?: string) => void;

/** Every line that is JSON; whatever else there is goes to `report`. */
export function* jsonLines(
  path: string,
  read: ReadBytes,
  maxLineBytes: number,
  report: Report,
): Generator<JsonLine, void, undefined> {
  for (const row of scanLines(read, maxLineBytes)) {
    if (row.line === 1) refuseUtf16(path, row.bytes);
    if (row.tooLong) {
      report('line-too-long', row.line, peekType(row.bytes));
      continue;
    }
    const text = decode(row.bytes, (kind) => report(kind, row.line));
    if (text === '') continue;
    const { values, fused, lost, repaired } = parseLine(text);
    if (repaired) report('lone-surrogate', row.line);
    if (fused) report('fused-line', row.line, lost ? 'a part is lost' : '');
    else if (values.length === 0 && text.trim() !== '') report(row.terminated ? 'bad-json' : 'torn-tail', row.line);
    for (const value of values) yield { line: row.line, value };
  }
}

/** A reporter that counts each line once, however often the lines are read: detection reads the head, the reader all of it. */
export function reportOnce(
  path: string,
  findings: Findings,
): Report & { readonly pass: (lines: Iterable<JsonLine>) => Iterable<JsonLine> } {
  let seen = 0;
  let furthest = 0;
  const report: Report = (kind, line, detail = '') => {
    furthest = Math.max(furthest, line);
    if (line > seen) findings.add(kind, path, line, detail);
  };
  function* pass(lines: Iterable<JsonLine>): Iterable<JsonLine> {
    try {
      for (const line of lines) {
        furthest = Math.max(furthest, line.line);
        yield line;
      }
    } finally {
      seen = Math.max(seen, furthest);
    }
  }
  return Object.assign(report, { pass });
}

/** @throws CtxsimError `utf-16` where the first bytes say so. */
export function refuseUtf16(path: string, head: Buffer): void {
  const [first, second] = head;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    throw new CtxsimError(
      'utf-16',
      `${path} is UTF-16 text, not UTF-8`,
      'Windows PowerShell redirection writes UTF-16: convert the file (iconv -f UTF-16 -t UTF-8) or write it with Out-File -Encoding utf8.',
    );
  }
}

/** The text of a line without byte order mark, carriage return and the NULs that a power loss leaves; '' when nothing is left. */
export function decode(bytes: Buffer, report: (kind: string) => void = () => {}): string {
  let start = 0;
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end -= 1;
  if (end > 0 && bytes[end - 1] === 0x0d) end -= 1;
  while (end > 0 && bytes[end - 1] === 0) end -= 1;
  while (start < end && bytes[start] === 0) start += 1;
  if (bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf) start += 3;
  while (start < end && bytes[start] === 0) start += 1;
  if (start >= end) {
    if (bytes.includes(0)) report('nul-line');
    return '';
  }
  const content = bytes.subarray(start, end);
  // Most lines are ASCII, and those are copied rather than decoded.
  if (isAscii(content)) return content.toString('latin1');
  if (!isUtf8(content)) report('bad-utf8');
  return content.toString('utf8');
}
