/** Fills `into` from `offset` with at most `length` bytes of the file at `position`; returns how many, 0 at the end. */
export type ReadBytes = (into: Buffer, offset: number, length: number, position: number) => number;

/** One line as bytes, without its 0x0A. */
export interface ByteLine {
  /** 1-based. */
  readonly line: number;
  /** A view into the scanner's buffer, valid until the next line is asked for; of a line that is too long, its first bytes. */
  readonly bytes: Buffer;
  readonly tooLong: boolean;
  /** False for a last line that lacks its 0x0A. */
  readonly terminated: boolean;
}

const chunkBytes = 256 * 1024;
const peekBytes = 4096;

/**
 * Splits on 0x0A only: U+2028, U+2029 and U+0085 are legal inside JSON strings, and line readers that split there lose sessions.
 * Bytes of a line above the limit are passed over, never held.
 */
export function* scanLines(read: ReadBytes, maxLineBytes: number): Generator<ByteLine, void, undefined> {
  let buffer: Buffer = Buffer.allocUnsafe(chunkBytes);
  let filled = 0;
  let line = 0;
  let position = 0;
  let peeked: Buffer | undefined;
  for (;;) {
    const got = read(buffer, filled, buffer.length - filled, position);
    if (got === 0) break;
    position += got;
    const held = buffer.subarray(0, filled + got);
    let start = 0;
    for (let end = held.indexOf(0x0a, filled); end !== -1; end = held.indexOf(0x0a, start)) {
      line += 1;
      const bytes = peeked ?? held.subarray(start, end);
      const tooLong = peeked !== undefined || bytes.length > maxLineBytes;
      peeked = undefined;
      start = end + 1;
      yield { line, bytes: tooLong ? bytes.subarray(0, peekBytes) : bytes, tooLong, terminated: true };
    }
    filled = held.length - start;
    if (peeked) filled = 0;
    else if (filled > maxLineBytes) {
      peeked = Buffer.from(held.subarray(start, start + peekBytes));
      filled = 0;
    } else if (start > 0) buffer.copyWithin(0, start, held.length);
    if (filled === buffer.length) buffer = grow(buffer, maxLineBytes);
  }
  if (peeked) yield { line: line + 1, bytes: peeked, tooLong: true, terminated: false };
  else if (filled > 0) yield { line: line + 1, bytes: buffer.subarray(0, filled), tooLong: false, terminated: false };
}

function grow(full: Buffer, maxLineBytes: number): Buffer {
  const larger = Buffer.allocUnsafe(Math.min(full.length * 2, maxLineBytes + chunkBytes));
  full.copy(larger);
  return larger;
}

/**
 * The value of the outermost `type` key in the first bytes of a line that is too long to hold: it says what was lost.
 * Depth is followed by hand because the rest of the JSON is not there.
 */
export function peekType(head: Buffer): string {
  const text = head.toString('latin1');
  const token = /"((?:[^"\\]|\\.)*)"|[{}[\]]/g;
  let depth = 0;
  let key = '';
  for (let match = token.exec(text); match; match = token.exec(text)) {
    const [whole, string] = match;
    if (string === undefined) depth += whole === '{' || whole === '[' ? 1 : -1;
    else if (key === 'type') return string.slice(0, 64);
    key =
      depth === 1 && string !== undefined && /^\s*:/.test(text.slice(token.lastIndex, token.lastIndex + 8))
        ? string
        : '';
  }
  return 'unknown';
}
