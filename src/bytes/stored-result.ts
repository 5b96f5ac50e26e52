import { closeSync, openSync, readSync } from 'node:fs';

/** What a result, an inspection or a check of ours begins with. */
const beginning = /^\s*\{\s*"schema":\s*"ctxsim\./;

/** Bytes in which that stands. */
const headBytes = 64;

/** True for a file that ctxsim wrote as JSON: it lies beside transcripts, and is none. False for what cannot be read. */
export function isStoredResult(file: string): boolean {
  if (!file.endsWith('.json')) return false;
  try {
    const fd = openSync(file, 'r');
    try {
      const head = Buffer.alloc(headBytes);
      return beginning.test(head.toString('utf8', 0, readSync(fd, head, 0, headBytes, 0)));
    } finally {
      closeSync(fd);
    }
  } catch {
    return false;
  }
}
