import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { resultSchema } from '../../src/results/result.ts';
import { writeNative } from '../../src/session/native.ts';
import { sessionOf } from '../sessions.ts';
import { tempFolder } from '../temp.ts';
import { ctxsim } from './run.ts';

let cwd: string;

beforeAll(() => {
  cwd = tempFolder();
  mkdirSync(join(cwd, '.bi'));
  const turns = [1, 2].map(() => ({ prompt: 50, reply: 40, rounds: [{ call: 30, result: 900 }] }));
  writeFileSync(join(cwd, 's.jsonl'), `${[...writeNative(sessionOf(turns))].join('\n')}\n`);
});

const write = (name: string, text: string) => writeFileSync(join(cwd, name), text);
const replay = (...policies: string[]) =>
  ctxsim(cwd, ['replay', 's.jsonl', '--format', 'json', ...policies.flatMap((policy) => ['--policy', policy])]);
const labels = async (...policies: string[]) =>
  resultSchema.parse(JSON.parse((await replay(...policies)).out)).rows.map(({ label }) => label);

describe("settings from the agent's own file", () => {
  test('heph: the [context] table of a TOML, whatever else is in the file', async () => {
    write('heph.toml', '[model]\nname = "x"\n[context]\nrecent_turns = 1 # one\nhigh_water = 0.9\n');
    expect(await labels('heph:config=heph.toml')).toEqual(['full', 'heph:recent_turns=1,high_water=0.9']);
  });

  test('what is given beside it wins, lists make rows, and files too', async () => {
    write('heph.toml', '[context]\nrecent_turns = 1\nlow_water = 0.4\n');
    write('other.toml', '[context]\n[other]\n');
    expect(await labels('heph:config=heph.toml,recent_turns=0,2')).toEqual([
      'full',
      'heph:low_water=0.4,recent_turns=0',
      'heph:low_water=0.4,recent_turns=2',
    ]);
    expect(await labels('heph:config=heph.toml,other.toml+bi', 'heph+bi:slack=2')).toEqual([
      'full',
      'heph:recent_turns=1,low_water=0.4+bi',
      'heph+bi',
    ]);
  });

  test.each([
    ['heph', ''],
    ['heph', '# nothing yet\n'],
    ['heph', '[model]\nname = "x"\n'],
    ['heph', '[context]\n'],
    ['bi', '{}'],
    ['bi', '{"model": "gpt-5.5"}'],
  ])('%s: a file that sets nothing leaves all defaults: %j', async (preset, text) => {
    write('empty', text);
    const [row] = resultSchema.parse(JSON.parse((await replay(`${preset}:config=empty`)).out)).rows.slice(1);
    const [plain] = resultSchema.parse(JSON.parse((await replay(preset)).out)).rows.slice(1);
    expect(row).toEqual(plain);
  });

  test.each([
    ['{"recent_turns_full": 4, "model": "gpt-5.5"}', 'bi:recent_turns_full=4', 4],
    ['{"recent_turns_full": 0}', 'bi:recent_turns_full=0', 6],
    ['{"recent_turns_full": -1}', 'bi:recent_turns_full=-1', 6],
    ['{"recentTurns": 3}', 'bi', 6],
  ])('bi: %s is %s, %i turns', async (text, label, turns) => {
    write('.bi/config.json', text);
    const { rows } = resultSchema.parse(JSON.parse((await replay('bi:config=.bi/config.json')).out));
    expect(rows[1]).toMatchObject({ label, params: { recent_turns_full: turns } });
  });

  test('it may be the baseline', async () => {
    write('heph.toml', '[context]\nrecent_turns = 1\n');
    const { out } = await ctxsim(cwd, ['replay', 's.jsonl', '--baseline', 'heph:config=heph.toml', '-p', 'full']);
    expect(out).toContain('heph:recent_turns=1');
  });

  test.each([
    ['heph:config=none.toml', '', ['config=none.toml: ENOENT', 'It must be a TOML file.']],
    ['heph:config=h.toml', '[context', ['config=h.toml: Invalid TOML document']],
    ['heph:config=h.toml', 'context = 3', ['config=h.toml, [context] holds no settings']],
    [
      'heph:config=h.toml',
      '[context]\nrecnt_turns = 1',
      ['config=h.toml, [context]: unknown setting of heph "recnt_turns"', 'Did you mean "recent_turns"?'],
    ],
    ['heph:config=h.toml', '[context]\nrecent_turns = "1,2"', ['[context]: recent_turns must be a number', '"1,2"']],
    ['heph:config=h.toml', '[context]\nrecent_turns = -1', ['config=h.toml, [context]: ', 'recent_turns=-1 is out']],
    [
      'heph:config=h.toml',
      '[context]\nlow_water = 0.9',
      ['config=h.toml, [context]: fold: low_water=0.9, high_water=0.8', '0 < low_water < high_water <= 1'],
    ],
    [
      'heph:config=h.toml',
      '[context]\nsummary_max_tokens = 0',
      ['summary_max_tokens=0', 'Token caps must be positive.'],
    ],
    [
      'heph:config=h.toml',
      '[context]\ninstruction_max_tokens = 5000',
      ['The instruction cap cannot exceed the summary cap.'],
    ],
    ['bi:config=h.toml', '{', ['config=h.toml: ', 'It must be a JSON file.']],
    ['bi:config=h.toml', '[]', ['config=h.toml holds no settings']],
    ['bi:config=h.toml', '{"recent_turns_full": "6"}', ['config=h.toml: recent_turns_full must be a number']],
    ['pi:config=h.toml', '', ['--policy pi:config=h.toml: pi has no settings file', 'heph, bi']],
  ])('%s with %j: exit 2, and says what is wrong', async (policy, text, words) => {
    write('h.toml', text);
    const { status, out, err } = await replay(policy);
    for (const word of words) expect(err).toContain(word);
    expect([status, out]).toEqual([2, '']);
    expect(err).not.toContain('    at ');
  });
});
