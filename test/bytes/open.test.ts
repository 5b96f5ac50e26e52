import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openFile, openStdin } from '../../src/bytes/index.ts';
import { Findings } from '../../src/session/findings.ts';
import { errorOf } from '../errors.ts';
import { tempFolder } from '../temp.ts';

const folder = tempFolder();

test('a missing file is an error that names path and reason', () => {
  const error = errorOf(() => [
    ...openFile('gone.jsonl', new Findings(), { file: join(folder, 'gone.jsonl') }).records(),
  ]);
  expect(error.code).toBe('unreadable');
  expect(error.message).toBe('cannot read gone.jsonl: there is no such file (ENOENT)');
  expect(error.hint).toBeDefined();
});

test('a directory is an error, not an empty transcript', () => {
  const error = errorOf(() => [...openFile(folder, new Findings()).records()]);
  expect(error.message).toBe(`cannot read ${folder}: it is a directory (EISDIR)`);
});

test('standard input is read to its end, is named -, and can be read again', () => {
  const path = join(folder, 'stdin.jsonl');
  writeFileSync(path, `{"a":"${'ü'.repeat(800_000)}"}\n{"b":2}\nbad\n`);
  const fd = openSync(path, 'r');
  const findings = new Findings();
  const source = openStdin(findings, { fd });
  expect(source.path).toBe('-');
  expect([...source.records()].map(({ line }) => line)).toEqual([1, 2]);
  expect([...source.records()].map(({ line }) => line)).toEqual([1, 2]);
  expect(findings.list()).toEqual([{ kind: 'bad-json', detail: '', count: 1, first: '-:3' }]);
  closeSync(fd);
});

test('standard input that cannot be read is an error', () => {
  expect(errorOf(() => [...openStdin(new Findings(), { fd: 9999 }).records()]).message).toMatch(
    /^cannot read -: .*EBADF/,
  );
});
