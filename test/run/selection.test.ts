import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { ctxsim } from '../cli/run.ts';
import { tempFolder } from '../temp.ts';

let cwd: string;
beforeAll(() => {
  cwd = tempFolder();
  write('a', { agent: 'codex', project: '/home/me/shop' }, '2026-03-01T10:00:00Z');
  write('b', { agent: 'claude-code', project: 'C:\\work\\shop' }, '2026-03-20T00:00:00Z');
  write('c', { agent: 'claude-code', project: '/home/me/workshop' }, '2026-03-30T12:00:00Z');
  write('d', {}, undefined);
});

function write(id: string, facts: object, time: string | undefined): void {
  const records = [
    { type: 'session', format: 'ctxsim.session/1', id, model: 'claude-sonnet-4-5', ...facts },
    { type: 'turn' },
    { type: 'block', kind: 'prompt', text: 'hello' },
    { type: 'request', ...(time === undefined ? {} : { time }), usage: { fresh: 90, cacheRead: 0, output: 5 } },
  ];
  writeFileSync(join(cwd, `${id}.jsonl`), records.map((record) => `${JSON.stringify(record)}\n`).join(''));
}

async function picked(...flags: string[]): Promise<string> {
  const { status, out } = await ctxsim(cwd, ['convert', '.', ...flags]);
  expect(status).toBe(0);
  return [...out.matchAll(/"id":"(.)"/g)].map(([, id]) => id).join('');
}

test.each([
  ['', 'abcd'],
  ['--agent codex', 'a'],
  ['--agent codex --agent claude-code', 'abc'],
  ['--project shop', 'ab'],
  ['--project me/shop', 'a'],
  ['--project me/shop/', 'a'],
  ['--project /home/me/shop/', 'a'],
  ['--project work/shop', 'b'],
  ['--project /home/me/workshop --project nothing', 'c'],
  ['--since 2026-03-20', 'bc'],
  ['--since 2026-03-20T00:00:01Z', 'c'],
  ['--last 250h', 'c'],
  ['--last 11d', 'bc'],
  ['--last 10w', 'abc'],
  ['--agent claude-code --last 11d --project shop', 'b'],
])('%s picks %s', async (flags, ids) => {
  expect(await picked(...flags.split(' ').filter((flag) => flag !== ''))).toBe(ids);
});

test('the newest session is looked for among all, and what is left out is counted by its reason', async () => {
  const { out: shown, err } = await ctxsim(cwd, ['inspect', '.', '--agent', 'claude-code', '--last', '9d', '-v']);
  expect(shown.match(/.*native.*/g)).toEqual([expect.stringContaining('c.jsonl: native, 1 session')]);
  expect(err).toContain('session-begun-before: 1, first at b.jsonl');
  expect(err).toContain('session-of-another-agent: 2, first at a.jsonl');
  const { out } = await ctxsim(cwd, ['replay', '.', '--since', '2026-03-02', '--policy', 'full', '--format', 'md']);
  expect(out).toContain('findings in the inputs: session-begun-before 1, session-without-time 1');
});

test.each([
  [['--since', 'yesterday'], '--since yesterday: no such day'],
  [['--since', '2026-13-01'], 'no such day'],
  [['--since', '2026-02-30'], 'no such day'],
  [['--last', '30'], '--last 30: no such span'],
  [['--last', '3d', '--since', '2026-03-01'], '--since and --last say the same thing'],
  [['--agent', 'cursor'], 'none of 4 sessions is selected by --agent, --project, --since and --last'],
  [['--since', '2027-01-01'], 'begun from 2026-03-01 to 2026-03-30'],
  [['-', '--last', '1d'], '--last: standard input can be read only once'],
])('%j is refused and says what to do', async (flags, words) => {
  const { status, out, err } = await ctxsim(cwd, ['replay', 'a.jsonl', 'b.jsonl', 'c.jsonl', 'd.jsonl', ...flags]);
  expect([status, out]).toEqual([2, '']);
  expect(err).toContain(words);
});

test('the command that recommend gives picks the same sessions', async () => {
  const { out } = await ctxsim(cwd, ['recommend', '.', '--no-store', '--agent', 'codex', '--since', '2026-03-01']);
  expect(out).toContain('ctxsim replay . --agent codex --since 2026-03-01 --policy');
});
