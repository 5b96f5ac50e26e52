import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { CtxsimError } from '../errors.ts';
import type { Io } from './io.ts';
import { partialOf, replaceable } from './whole-file.ts';

/** Where converted sessions go. */
export interface SessionSink {
  /** `text` is whole lines of one session. */
  add(id: string, text: string): void;
  /** What was added is there from now on; without it nothing has changed. */
  finish(): void;
  /** Takes back what was not finished. */
  abandon(): void;
}

/**
 * Opens what `-o` names: standard output without it, a directory where it is one or ends as one, else a file.
 * @throws CtxsimError `exists` where something would be written over and `force` is not set; `unwritable`.
 */
export function openSink(io: Io, output: string | undefined, force: boolean): SessionSink {
  if (output === undefined) return { add: (_, text) => io.out(text), finish: () => {}, abandon: () => {} };
  const path = resolve(io.cwd(), output);
  return explained(output, () => {
    const isFolder = /[\\/]$/.test(output) || (existsSync(path) && statSync(path).isDirectory());
    return isFolder ? folderSink(path, output, force) : fileSink(path, output, force);
  });
}

/** All sessions in one file. It stands under another name until it is whole, as it may be one of those that are read; a device or a pipe is written into. */
function fileSink(path: string, output: string, force: boolean): SessionSink {
  if (existsSync(path) && !force) throw exists(output, 'it exists');
  const place = replaceable(path);
  const partial = place === undefined ? undefined : partialOf(place);
  const file = openSync(partial ?? path, 'w');
  return {
    add: (_, text) => explained(output, () => writeSync(file, bytesOf(path, text))),
    finish: () => {
      closeSync(file);
      if (partial !== undefined && place !== undefined) explained(output, () => renameSync(partial, place));
    },
    abandon: () => {
      closeSync(file);
      if (partial !== undefined) rmSync(partial);
    },
  };
}

/** A file for each session, numbered, so that they are read again in the same order. */
function folderSink(path: string, output: string, force: boolean): SessionSink {
  if (existsSync(path) && readdirSync(path).length > 0 && !force) throw exists(output, 'the directory is not empty');
  mkdirSync(path, { recursive: true });
  let count = 0;
  return {
    add: (id, text) => {
      count += 1;
      const name = `${String(count).padStart(4, '0')}-${id.replace(/[^\w.-]+/g, '-').slice(0, longestName)}.jsonl`;
      explained(output, () => writeFileSync(join(path, name), text));
    },
    finish: () => {},
    abandon: () => {},
  };
}

/** File systems allow 255 bytes; an id may be a whole path. */
const longestName = 80;

/** One gzip member per session: put one behind the other they are a gzip file. */
function bytesOf(path: string, text: string): Uint8Array {
  return path.endsWith('.gz') ? gzipSync(text, { level: 9 }) : Buffer.from(text);
}

function exists(output: string, why: string): CtxsimError {
  return new CtxsimError('exists', `-o ${output}: ${why}`, 'Name another, or write over what is there with --force.');
}

function explained<T>(output: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof CtxsimError) throw error;
    throw new CtxsimError(
      'unwritable',
      `-o ${output}: ${(error as Error).message}`,
      'Check that the folder exists and may be written.',
    );
  }
}
