import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { CtxsimError } from '../errors.ts';
import type { Findings } from '../session/index.ts';
import { csvHeader, csvLines } from './csv.ts';
import { readBuffer, unwrapGzip } from './gzip.ts';
import { defaultMaxLineBytes, jsonLines, type Report, reportOnce } from './lines.ts';
import type { ReadBytes } from './scan.ts';
import type { JsonLine, Source } from './source.ts';

/** How a transcript is opened. */
export interface OpenOptions {
  /** Lines above this size are passed over and counted. */
  readonly maxLineBytes?: number;
  /** Where the file is, when `path` is only how the user named it. */
  readonly file?: string;
}

/** A file as a source, as it is or behind gzip. It is opened anew for each reading, and closed when the reading ends or is given up. */
export function openFile(path: string, findings: Findings, options: OpenOptions = {}): Source {
  const file = options.file ?? path;
  if (isPipe(file)) return openPipe(path, file, findings, options);
  const report = reportOnce(path, findings);
  return {
    path,
    records: () => report.pass(fileLines(path, options, report)),
  };
}

function isPipe(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFIFO() === true;
}

/** A pipe that stands in the file system (`<(…)` in a shell) is read to its end once, as standard input is. */
function openPipe(path: string, file: string, findings: Findings, options: OpenOptions): Source {
  const fd = explain(path, () => openSync(file, 'r'));
  const source = openStdin(findings, { fd, ...(options.maxLineBytes ? { maxLineBytes: options.maxLineBytes } : {}) });
  return { path, records: source.records };
}

function* fileLines(path: string, options: OpenOptions, report: ReturnType<typeof reportOnce>): Generator<JsonLine> {
  const fd = explain(path, () => openSync(options.file ?? path, 'r'));
  const read: ReadBytes = (into, offset, length, position) =>
    explain(path, () => readSync(fd, into, offset, length, position));
  try {
    yield* recordLines(path, read, options.maxLineBytes ?? defaultMaxLineBytes, report);
  } finally {
    closeSync(fd);
  }
}

/** Lines of JSON, or rows under a header, whichever the file holds; a gzip wrapper is taken off first. */
function* recordLines(path: string, wrapped: ReadBytes, maxLineBytes: number, report: Report): Generator<JsonLine> {
  const read = explain(path, () => unwrapGzip(wrapped));
  const header = csvHeader(path, read);
  yield* header ? csvLines(path, header, read, maxLineBytes, report) : jsonLines(path, read, maxLineBytes, report);
}

/** Standard input as a source named `-`, read to its end as bytes so that it can be read more than once. */
export function openStdin(findings: Findings, options: { maxLineBytes?: number; fd?: number } = {}): Source {
  const report = reportOnce('-', findings);
  let all: Buffer | undefined;
  const read: ReadBytes = (into, offset, length, position) => {
    all ??= readAll(options.fd ?? 0);
    return readBuffer(all)(into, offset, length, position);
  };
  return {
    path: '-',
    records: () => report.pass(recordLines('-', read, options.maxLineBytes ?? defaultMaxLineBytes, report)),
  };
}

function readAll(fd: number): Buffer {
  const chunks: Buffer[] = [];
  for (;;) {
    const chunk = Buffer.allocUnsafe(1024 * 1024);
    const got = readSome(fd, chunk);
    if (got === 0) return Buffer.concat(chunks);
    chunks.push(got * 4 < chunk.length ? Buffer.from(chunk.subarray(0, got)) : chunk.subarray(0, got));
  }
}

/** A pipe may not be ready (EAGAIN), and on Windows its end is an error (EOF). */
function readSome(fd: number, chunk: Buffer): number {
  for (;;) {
    try {
      return readSync(fd, chunk, 0, chunk.length, null);
    } catch (error) {
      const code = codeOf(error);
      if (code === 'EOF') return 0;
      if (code !== 'EAGAIN') throw unreadable('-', error);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

function explain<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    // What reads through another reader was explained there.
    throw error instanceof CtxsimError ? error : unreadable(path, error);
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a directory',
  EMFILE: 'too many open files',
};

function unreadable(path: string, error: unknown): CtxsimError {
  const code = codeOf(error);
  const reason = (code !== undefined && reasons[code]) || (error instanceof Error ? error.message : String(error));
  const named = code === undefined ? reason : `${reason} (${code})`;
  return new CtxsimError('unreadable', `cannot read ${path}: ${named}`, 'Check the path and its permissions.', error);
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
