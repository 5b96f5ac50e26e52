import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { resultSchema } from '../../src/results/result.ts';
import { writeNative } from '../../src/session/native.ts';
import { shellCommand } from '../../src/shell.ts';
import { sessionOf } from '../sessions.ts';
import { tempFolder } from '../temp.ts';
import { ctxsim } from './run.ts';

let cwd: string;

beforeAll(() => {
  cwd = tempFolder();
  for (let n = 10; n < 22; n += 1) {
    const rounds = Array.from({ length: 6 }, () => ({ call: 80, result: 400 + 10 * n }));
    const session = sessionOf(
      Array.from({ length: 4 }, () => ({ prompt: 60, reply: 60, rounds })),
      { id: `s${n}` },
    );
    writeFileSync(join(cwd, `s${n}.jsonl`), `${[...writeNative(session)].join('\n')}\n`);
  }
});

const recommend = (...args: string[]) => ctxsim(cwd, ['recommend', '--no-store', '--family', 'heph', ...args]);

test('three sentences, one table, one command, which gives the same saving', async () => {
  const { status, out, err } = await recommend('s*.jsonl', '--cache', 'anthropic');
  expect([status, err]).toEqual([0, '']);
  const [first, second, third, blank] = out.split('\n');
  expect(first).toMatch(/^Set heph:recent_turns=0 \(heph: \[context\] of its TOML\): it saves \d/);
  expect(second).toMatch(/^Chosen on half of the sessions, a setting saves \d/);
  expect(third).toMatch(/results? it cuts were needed later.*a worse answer is not billed; in hindsight/);
  expect(blank).toBe('');
  const saving = /it saves ([\d.]+ %)/.exec(first ?? '')?.[1];
  expect(out).toMatch(new RegExp(`\n● +heph:recent_turns=0 .*\\+${saving} `));
  const command = /Repeat it with: ctxsim (.*)/.exec(out)?.[1] ?? '';
  expect(command).toBe("replay 's*.jsonl' --policy heph:recent_turns=0 --cache anthropic");
  const repeated = await ctxsim(cwd, [...command.replaceAll("'", '').split(' '), '--format', 'md']);
  expect(repeated.out).toContain(`+${saving}`);
});

test('too few sessions to choose by: that is no advice to leave it', async () => {
  expect((await recommend('s1[0-3].jsonl')).out).toMatch(
    /^Too few sessions to choose by: 10 independent sessions are needed/,
  );
});

test('what one has now is the baseline, and nothing is left to gain', async () => {
  const { out } = await recommend('s*.jsonl', '--baseline', 'heph:recent_turns=0', '--format', 'json');
  const { recommendation, rows } = resultSchema.parse(JSON.parse(out));
  expect(recommendation).toMatchObject({ set: null, where: null });
  expect(rows.find(({ isBaseline }) => isBaseline)?.label).toBe('heph:recent_turns=0');
});

test('one bill at a time', async () => {
  const { status, err } = await recommend('s*.jsonl', '--ttl', '5m,1h');
  expect([status, err.includes('take one value each here')]).toEqual([2, true]);
});

test('a command is quoted where a shell would read it otherwise', () => {
  expect(
    shellCommand(['ctxsim', 'replay', "it's here", 'a/b.jsonl', '--policy', 'bi:recent_turns_full=3,slack=4']),
  ).toBe(String.raw`ctxsim replay 'it'\''s here' a/b.jsonl --policy bi:recent_turns_full=3,slack=4`);
});
