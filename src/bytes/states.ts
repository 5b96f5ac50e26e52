import { closeSync, openSync, readSync, statSync } from 'node:fs';
import type { Input } from './unique.ts';

/** More than the first line of most transcripts, which names the session and when it began. */
const headBytes = 4096;
const chunkBytes = 256 * 1024;

/**
 * For a file whose bytes are the beginning of another's: the longest of those. Transcripts only grow, so a shorter copy is an
 * earlier state of the longer one.
 */
export function laterStates(inputs: readonly Input[]): Map<Input, Input> {
  const alike = new Map<string, { input: Input; size: number }[]>();
  for (const input of inputs) {
    const head = headOf(input.file);
    if (!head) continue;
    const group = alike.get(head.firstLine);
    if (group) group.push({ input, size: head.size });
    else alike.set(head.firstLine, [{ input, size: head.size }]);
  }
  const later = new Map<Input, Input>();
  for (const group of alike.values()) {
    const longestFirst = group.toSorted((a, b) => b.size - a.size);
    for (const [at, { input }] of longestFirst.entries()) {
      const longer = longestFirst
        .slice(0, at)
        .find((it) => !later.has(it.input) && beginsWith(it.input.file, input.file));
      if (longer) later.set(input, longer.input);
    }
  }
  return later;
}

/** How a file begins; undefined for what is no file, or empty. */
function headOf(file: string): { firstLine: string; size: number } | undefined {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat?.isFile() || stat.size === 0) return undefined;
  const head = attempt(file, (fd) => {
    const bytes = Buffer.alloc(headBytes);
    return bytes.toString('latin1', 0, readSync(fd, bytes, 0, headBytes, 0));
  });
  return head === undefined ? undefined : { firstLine: head.split('\n', 1)[0] ?? '', size: stat.size };
}

function beginsWith(longer: string, shorter: string): boolean {
  const isBeginning = attempt(longer, (a) =>
    attempt(shorter, (b) => {
      const [ofLonger, ofShorter] = [Buffer.alloc(chunkBytes), Buffer.alloc(chunkBytes)];
      for (let position = 0; ; ) {
        const got = readSync(b, ofShorter, 0, chunkBytes, position);
        if (got === 0) return true;
        if (readSync(a, ofLonger, 0, got, position) < got) return false;
        if (ofLonger.compare(ofShorter, 0, got, 0, got) !== 0) return false;
        position += got;
      }
    }),
  );
  return isBeginning === true;
}

/** What cannot be read is said by whoever opens it. */
function attempt<T>(file: string, act: (fd: number) => T): T | undefined {
  try {
    const fd = openSync(file, 'r');
    try {
      return act(fd);
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined;
  }
}
