import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type ReadFile, readFiles, refusalOf } from '../../src/run/read.ts';
import { Findings } from '../../src/session/findings.ts';
import { tempFolder } from '../temp.ts';

let cwd: string;
const header = '{"type":"session","format":"ctxsim.session/1","id":"s","model":"claude-sonnet-4-5"}';
const request = (fresh: number) => `{"type":"request","usage":{"fresh":${fresh},"cacheRead":0,"output":1}}`;
const good = [header, '{"type":"turn"}', request(5), request(7), request(9)];

function write(name: string, lines: readonly string[]): void {
  writeFileSync(join(cwd, name), `${lines.join('\n')}\n`);
}

beforeAll(() => {
  cwd = tempFolder();
  write('good.jsonl', good);
  write('torn.jsonl', [...good.slice(0, 4), '{"type":"requ', '{}']);
  write('bogus.jsonl', [...good, '{"type":"request","bogus":1}']);
  write('worse.jsonl', [...good, '{"type":"turn","a":1}', '{"type":"turn","b":1}', '{"type":']);
});

async function read(...paths: string[]) {
  const findings = new Findings();
  const files: ReadFile[] = [];
  for await (const file of readFiles({ paths, cwd, findings })) files.push(file);
  return { files, findings };
}

describe('a file that is refused', () => {
  test.each(['torn.jsonl', 'bogus.jsonl'])('leaves its requests to a good copy behind it: %s', async (bad) => {
    const { files, findings } = await read(bad, 'good.jsonl');
    expect(refusalOf(files[0] as ReadFile)?.code).toBe('invalid-native');
    expect(files[1]?.sessions[0]?.requests).toHaveLength(3);
    expect(findings.count('replayed-request')).toBe(0);
  });

  test('has no request that a good copy before it has not', async () => {
    write('twin.jsonl', [header.replace('"s"', '"s" '), ...good.slice(1)]);
    const { files } = await read('twin.jsonl', 'bogus.jsonl');
    expect(files.map((file) => refusalOf(file)?.code)).toEqual([undefined, 'invalid-native']);
    expect(files[0]?.sessions[0]?.requests).toHaveLength(3);
  });

  test.each([
    ['bogus.jsonl', /bogus\.jsonl: 1 invalid record of the native format.*line 6: .*"bogus"/],
    ['worse.jsonl', /worse\.jsonl: 3 invalid records of the native format.*line 6: .*"a"/],
    ['torn.jsonl', /torn\.jsonl: 2 invalid records of the native format.*line 5: it is no JSON/],
  ])('is named with its first bad line and what is wrong with it: %s', async (name, message) => {
    const { files } = await read('worse.jsonl', 'bogus.jsonl', 'torn.jsonl');
    expect(files.map((file) => refusalOf(file)?.message)).toContainEqual(expect.stringMatching(message));
    expect((await read(name)).files.map((file) => refusalOf(file)?.message)).toEqual([expect.stringMatching(message)]);
  });
});

test('a stored result is no transcript: named, it is refused with the command for it; in a folder it is passed over and counted', async () => {
  mkdirSync(join(cwd, 'folder'));
  write('folder/good.jsonl', good);
  write('folder/costs.json', ['{', '  "schema": "ctxsim.result/1",', '  "answer": ""', '}']);
  const { files, findings } = await read('folder');
  expect(files.map(({ path }) => path)).toEqual([join('folder', 'good.jsonl')]);
  expect(findings.list()).toEqual([
    { kind: 'stored-result', detail: '', count: 1, first: join(cwd, 'folder/costs.json') },
  ]);
  const named = await read('folder/costs.json');
  expect(named.files[0]?.error?.hint).toBe('Show it with: ctxsim report folder/costs.json');
  expect(named.findings.list()).toEqual([]);
});

test('a good file keeps its requests from a copy in a later one', async () => {
  write('longer.jsonl', [header.replace('"s"', '"s" '), ...good.slice(1), request(11)]);
  const { files, findings } = await read('good.jsonl', 'longer.jsonl');
  expect(files.map(({ sessions }) => sessions[0]?.requests.length)).toEqual([3, 1]);
  expect(findings.count('replayed-request')).toBe(3);
});

test('a file that another one begins with is an earlier state of it, and read only where that one is refused', async () => {
  write('state-1.jsonl', good.slice(0, 4));
  write('state-2.jsonl', [...good, request(11)]);
  for (const order of [
    ['state-1.jsonl', 'good.jsonl', 'state-2.jsonl'],
    ['state-2.jsonl', 'state-1.jsonl', 'good.jsonl'],
  ]) {
    const { files, findings } = await read(...order);
    expect(files.map(({ path, sessions }) => [path, sessions[0]?.requests.length])).toEqual([['state-2.jsonl', 4]]);
    expect(findings.list().map(({ kind, count }) => [kind, count])).toEqual([['earlier-state', 2]]);
  }
  const { files } = await read('good.jsonl', 'bogus.jsonl');
  expect(files.map((file) => [file.path, refusalOf(file)?.code])).toEqual([
    ['bogus.jsonl', 'invalid-native'],
    ['good.jsonl', undefined],
  ]);
});
