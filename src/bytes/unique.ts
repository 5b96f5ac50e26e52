import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import type { Findings } from '../session/index.ts';

/** A transcript to read: how it is called in messages, and where it is. */
export interface Input {
  /** As the user named it, or `-` for standard input. */
  readonly path: string;
  /** Absolute; `-` for standard input. */
  readonly file: string;
}

const chunkBytes = 1024 * 1024;

/** Drops inputs that are the same file by another name, or a copy (same bytes to the end, because the end may be damaged); copies are findings. */
export function uniqueInputs(inputs: readonly Input[], findings: Findings): Input[] {
  const named = new Set<string>();
  const once = inputs.filter(({ file }) => !named.has(file) && named.add(file));
  const facts = once.map((input) => ({ input, ...identify(input.file) }));
  const perSize = new Map<number, number>();
  for (const { size } of facts) perSize.set(size, (perSize.get(size) ?? 0) + 1);
  const known = new Set<string>();
  const kept: Input[] = [];
  for (const { input, keys, size } of facts) {
    // Hashing reads the file; only equal sizes can be copies, and all empty files are alike.
    const copies = size > 0 && (perSize.get(size) ?? 0) > 1;
    const all = copies ? [...keys, `content:${size}:${hashOf(input.file)}`] : keys;
    if (all.some((key) => known.has(key))) findings.add('duplicate-file', input.path);
    else kept.push(input);
    for (const key of all) known.add(key);
  }
  return kept;
}

function identify(file: string): { keys: string[]; size: number } {
  if (file === '-') return { keys: ['-'], size: 0 };
  try {
    const { dev, ino, size } = statSync(file);
    // Some file systems give every file the inode 0.
    return { keys: [`real:${realpathSync(file)}`, ...(ino === 0 ? [] : [`inode:${dev}:${ino}`])], size };
  } catch {
    // Whoever opens it will say why it cannot be read.
    return { keys: [`name:${file}`], size: 0 };
  }
}

function hashOf(file: string): string {
  try {
    const fd = openSync(file, 'r');
    try {
      const chunk = Buffer.alloc(chunkBytes);
      const hash = createHash('sha256');
      for (let got = readSync(fd, chunk); got > 0; got = readSync(fd, chunk)) hash.update(chunk.subarray(0, got));
      return hash.digest('hex');
    } finally {
      closeSync(fd);
    }
  } catch {
    return `unreadable:${file}`;
  }
}
