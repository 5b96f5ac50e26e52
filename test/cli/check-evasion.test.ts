import { lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { maxIncreaseRule, maxRule, nameOfSession } from '../../src/cli/check-flags.ts';
import { writeNative } from '../../src/session/native.ts';
import { sessionOf } from '../sessions.ts';
import { tempFolder } from '../temp.ts';
import { ctxsim } from './run.ts';

/** Ways in which a session could get dearer without failing the check. */
let cwd: string;
const write = (name: string, text: string) => writeFileSync(join(cwd, name), text);
const read = (name: string) => readFileSync(join(cwd, name), 'utf8');
const check = (...args: string[]) => ctxsim(cwd, ['check', ...args]);
const emptyTurns = (count: number) => '{"type":"turn"}\n'.repeat(count);

/** Turns of three rounds whose results are of so many tokens. */
function session(id: string, result: number, turns = 4): string {
  const rounds = Array.from({ length: 3 }, () => ({ call: 80, result }));
  const shapes = Array.from({ length: turns }, () => ({ prompt: 60, rounds, reply: 60 }));
  return `${[...writeNative(sessionOf(shapes, { id }))].join('\n')}\n`;
}

/** The same without its turns, as a sub-agent whose parent is not there. */
function turnless(id: string, result: number): string {
  const [head = '', ...lines] = session(id, result)
    .split('\n')
    .filter((line) => line !== '{"type":"turn"}');
  return [JSON.stringify({ ...JSON.parse(head), parent: `gone-${id}` }), ...lines].join('\n');
}

beforeEach(() => {
  cwd = tempFolder();
  mkdirSync(join(cwd, 's'));
  write('s/a.jsonl', session('a', 500));
});
const full = ['-p', 'full', '--against', 'costs.json'];
const gate = [...full, '--max-increase', '2%'];

describe('a flag that is no amount is refused', () => {
  test.each(['5/constructor', '1/turn/turn', '0x10', '1e3', '1e400', '-1', 'NaN', '', '$5', '5%'])(
    '--max %j',
    (text) => {
      expect(() => maxRule(text)).toThrow(`--max ${text} is out of range`);
    },
  );

  test.each([
    ...['2%/__proto__', '2%/session/turn', '0x10%', '1e3%', '2,5%', '-1%', '%', '', '2%%', 'Infinity%'],
    // Twice the bill, by the word; who writes so means per cent.
    '1',
  ])('--max-increase %j', (text) => {
    expect(() => maxIncreaseRule(text)).toThrow(`--max-increase ${text} is out of range`);
  });

  test.each([
    ['2%', 0.02, 'usd/turn'],
    [' 2 % / session', 0.02, 'usd/session'],
    ['.02', 0.02, 'usd/turn'],
    ['0', 0, 'usd/turn'],
    ['250%/total', 2.5, 'usd'],
  ])('--max-increase %j is one', (text, maxIncrease, metric) => {
    expect(maxIncreaseRule(text)).toEqual({ metric, maxIncrease, level: 'error' });
  });
});

describe('dearer sessions fail', () => {
  test('beside prompts that no request followed', async () => {
    await check('s', ...full, '--update', '-q');
    write('s/a.jsonl', session('a', 600) + emptyTurns(40));
    expect((await check('s', ...gate)).status).toBe(1);
    write('s/a.jsonl', session('a', 500) + emptyTurns(40));
    expect((await check('s', ...gate)).out).toContain('full costs what it did in costs.json');
  });

  test('without human turns, beside one that is large and has some', async () => {
    write('s/a.jsonl', session('a', 4000, 12));
    write('s/b.jsonl', turnless('b', 300));
    await check('s', ...full, '--update', '-q');
    expect((await check('s', ...gate)).status).toBe(0);
    write('s/b.jsonl', turnless('b', 400));
    const { status, out } = await check('s', ...gate);
    expect(status).toBe(1);
    expect(out).toMatch(/FAIL +usd\/turn of full, worst in b/);
    expect(out).toMatch(/ok +usd\/turn of full, all sessions together/);
  });

  test('under a settings file that now says what another row says', async () => {
    write('heph.toml', '[context]\nrecent_turns = 0\n');
    const rows = ['-p', 'heph:recent_turns=2', '-p', 'heph:config=heph.toml', '--against', 'costs.json'];
    await check('s', ...rows, '--update', '-q');
    expect((await check('s', ...rows, '--max-increase', '2%')).status).toBe(0);
    write('heph.toml', '[context]\nrecent_turns = 2\n');
    const { status, out } = await check('s', ...rows, '--max-increase', '2%');
    expect(status).toBe(1);
    expect(out).toMatch(/FAIL +usd\/turn of heph:config=heph.toml, all/);
    expect(out).toMatch(/ok +usd\/turn of heph:recent_turns=2, all/);
  });
});

/** A session of which the requests from the sixth on name this model. */
const withModel = (text: string, model: string) => {
  let requests = 0;
  return text.replaceAll('{"type":"request"', (start) => {
    requests += 1;
    return requests > 5 ? `${start},"model":"${model}"` : start;
  });
};

describe('tokens without a price', () => {
  test('that the reference did not have make no session cheaper', async () => {
    await check('s', ...full, '--update', '-q');
    write('s/a.jsonl', withModel(session('a', 500), 'house-model'));
    const { status, err } = await check('s', ...gate, '--allow-unpriced');
    expect([status, err.split(':')[1]]).toEqual([2, ' under full nothing can be said of a']);
  });

  test('on both sides are named', async () => {
    write('s/a.jsonl', withModel(session('a', 500), 'house-model'));
    await check('s', ...full, '--allow-unpriced', '--update', '-q');
    const { status, out } = await check('s', ...gate, '--allow-unpriced');
    expect(status).toBe(0);
    expect(out).toContain('- full: no price is known of house-model, whose tokens are in no bill');
  });
});

test('a session that neither side could send is named', async () => {
  write('s/b.jsonl', session('b', 4000, 12));
  await check('s', ...full, '--window', '60000', '--update', '-q');
  const { status, out } = await check('s', ...gate, '--window', '60000');
  expect(status).toBe(0);
  expect(out).toContain('- full: not checked, as it could not be sent, or has no price: b.');
});

test('several recordings of one scenario cost as much per session as one', async () => {
  write('ctxsim.config.json', '{"checks":[{"metric":"usd/session","maxIncrease":"2%"}]}');
  await check('s', ...full, '--update', '-q');
  mkdirSync(join(cwd, 's/again'));
  write('s/again/a.jsonl', session('other', 500));
  expect((await check('s', ...full)).out).toContain('2 checks passed. full costs what it did');
});

describe('a reference of other flags', () => {
  test.each([
    ['--ttl', '1h', '--ttl is recorded now and was 1h then'],
    ['--service-tier', 'batch', '--service-tier is recorded now and was batch then'],
    ['--output-reserve', '100', '--output-reserve is 32000 now and was 100 then'],
  ])('%s %s is refused, with the flag', async (flag, value, words) => {
    await check('s', ...full, flag, value, '--update', '-q');
    const { status, out, err } = await check('s', ...gate);
    expect([status, out]).toEqual([2, '']);
    expect(err).toContain(words);
    expect((await check('s', ...gate, flag, value)).status).toBe(0);
  });

  test('other models and markers are compared, and said', async () => {
    await check('s', ...full, '--model', 'claude-opus-4-5', '--breakpoints', 'tail', '--update', '-q');
    const { status, out } = await check('s', ...gate);
    expect(status).toBe(0);
    expect(out).toContain('- Other models: now claude-sonnet-4-5; in the reference claude-opus-4-5.');
    expect(out).toContain('- Other cache markers: now anchor; in the reference tail.');
  });
});

describe('--update', () => {
  test('that cannot write leaves the reference as it was', async () => {
    await check('s', ...full, '--update', '-q');
    const before = read('costs.json');
    write('s/a.jsonl', session('a', 600));
    // Stands where the new one would be written until it is whole.
    mkdirSync(join(cwd, 'costs.json.partial'));
    expect((await check('s', ...full, '--update', '-q')).status).toBe(2);
    expect(read('costs.json')).toBe(before);
  });

  test('writes into what a link leads to', async () => {
    write('real.json', '');
    symlinkSync('real.json', join(cwd, 'costs.json'));
    await check('s', ...full, '--update', '-q');
    expect(lstatSync(join(cwd, 'costs.json')).isSymbolicLink()).toBe(true);
    expect(read('real.json')).toContain('"ctxsim.result/1"');
  });
});

describe('--match', () => {
  const nameOf = (match: string, file: string) => nameOfSession(match)({ id: 'id', file });

  test.each(['(?<=s)0', '\\(x\\)', '[(]', '(?:a)'])('%s has no group', (match) => {
    expect(() => nameOf(match, 'x')).toThrow('has no group');
  });

  test('a group that takes nothing leaves the name, so that sessions are not thrown together', () => {
    expect(nameOf('runs/([a-z]*)', 'runs/1.jsonl')).toBe('1');
    expect(nameOf('(?<scenario>\\w+)-', 'runs/login-2.jsonl')).toBe('login');
    expect(nameOf('(?<!x)(zzz)', 'runs/1.jsonl')).toBe('1');
  });
});
