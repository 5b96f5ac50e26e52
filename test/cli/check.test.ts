import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type CheckResult, checkSchema } from '../../src/results/check.ts';
import { resultSchema } from '../../src/results/result.ts';
import { jsonSchemas } from '../../src/results/schemas.ts';
import { SessionBuilder } from '../../src/session/builder.ts';
import { writeNative } from '../../src/session/native.ts';
import { sessionOf, size } from '../sessions.ts';
import { tempFolder } from '../temp.ts';
import { ctxsim } from './run.ts';

let cwd: string;
const write = (name: string, text: string) => writeFileSync(join(cwd, name), text);
const read = (name: string) => readFileSync(join(cwd, name), 'utf8');
const files = ['sessions/s1.jsonl', 'sessions/s2.jsonl', 'sessions/s3.jsonl'];
const heph = ['--policy', 'heph:config=heph.toml', '--against', 'costs.json'];
const check = (...args: string[]) => ctxsim(cwd, ['check', ...args]);
const checked = async (...args: string[]): Promise<CheckResult> =>
  checkSchema.parse(JSON.parse((await check(...args, '--format', 'json')).out));

function turnsOf(count: number, result: number) {
  const rounds = Array.from({ length: 3 }, () => ({ call: 80, result }));
  return Array.from({ length: count }, () => ({ prompt: 60, rounds, reply: 60 }));
}

/**
 * A recording with usage, of turns of four requests. `clock`: its harness writes the time of day at the start of the prompt;
 * `dip`: the number of a request that reads 1,234 tokens only, which is in the middle of a block.
 */
function recording(id: string, { turns = 3, clock = false, firstTime = 0, dip = -1 } = {}): string {
  const builder = new SessionBuilder();
  let [seconds, prompt, cached] = [firstTime, 4000, 0];
  const request = (output: number) => {
    const read = clock ? 0 : seconds === firstTime + 10 * dip ? 1234 : cached;
    const usage = { fresh: 0, cacheRead: read, cacheWrite5m: prompt - read, cacheWrite1h: 0, output };
    builder.request({ time: seconds * 1000, usage });
    seconds += 10;
    cached = prompt;
    prompt += output;
  };
  builder.block({ kind: 'system', size: size(4000) });
  for (let turn = 0; turn < turns; turn += 1) {
    builder.turn();
    builder.block({ kind: 'prompt', size: size(60) });
    prompt += 60;
    for (let round = 0; round < 3; round += 1) {
      request(80);
      const callId = `c${turn}-${round}`;
      builder.block({ kind: 'call', callId, tool: 'Read', action: 'view', size: size(80) });
      builder.block({ kind: 'result', callId, size: size(500, { stub: 10 }) });
      prompt += 500;
    }
    request(60);
    builder.block({ kind: 'reply', size: size(60) });
  }
  const model = 'claude-sonnet-4-5';
  const session = builder.build({ id, content: 'sizes', tokenizer: 'model', agent: 'mine', model });
  return `${[...writeNative(session)].join('\n')}\n`;
}

beforeAll(async () => {
  cwd = tempFolder();
  for (const folder of ['sessions', 'before', 'after', 'longer']) mkdirSync(join(cwd, folder));
  for (const n of [1, 2, 3])
    write(
      `sessions/s${n}.jsonl`,
      `${[...writeNative(sessionOf(turnsOf(4, 500 + 200 * n), { id: `s${n}` }))].join('\n')}\n`,
    );
  write('heph.toml', '[context]\nrecent_turns = 0\n');
  await check('sessions', ...heph, '--update', '-q');
  for (const n of [1, 2]) {
    write(`before/r${n}.jsonl`, recording(`a${n}`));
    write(`after/r${n}.jsonl`, recording(`b${n}`, { clock: true, firstTime: 90_000 }));
    write(`longer/r${n}.jsonl`, recording(`c${n}`, { turns: 4, firstTime: 90_000 }));
  }
  await check('before', '--against', 'recorded.json', '--update', '-q');
});

describe('a changed setting', () => {
  test('fails with the right figures, the session, the cause, and a command to look into it', async () => {
    write('heph2.toml', '[context]\nrecent_turns = 2\n');
    const args = [...files, '--policy', 'heph:config=heph2.toml', '--against', 'costs.json', '--max-increase', '2%'];
    const { status, out, err } = await check(...args);
    expect([status, err]).toEqual([1, '']);
    const result = await checked(...args);
    const bills = await Promise.all(
      [0, 2].map(async (turns) => {
        const replayed = await ctxsim(cwd, [
          'replay',
          ...files,
          '-p',
          `elide:recent_turns=${turns}`,
          '--format',
          'json',
        ]);
        return resultSchema.parse(JSON.parse(replayed.out)).rows[1]?.cost.total ?? 0;
      }),
    );
    const [row] = result.rows;
    expect(row?.referenceUsd).toBeCloseTo(bills[0] ?? 0, 12);
    expect(row?.usd).toBeCloseTo(bills[1] ?? 0, 12);
    expect(result.checks[0]?.change).toBeCloseTo((bills[1] ?? 0) / (bills[0] ?? 1) - 1, 12);
    expect(row).toMatchObject({ label: 'heph:recent_turns=2', referenceLabel: 'heph:recent_turns=0' });
    // What grew adds up, by cause and by session.
    const difference = (row?.usd ?? 0) - (row?.referenceUsd ?? 0);
    for (const list of [row?.causes ?? [], row?.sessions ?? []])
      expect(list.reduce((sum, each) => sum + each.difference, 0)).toBeCloseTo(difference, 12);
    const edit = row?.causes.find(({ label }) => label.includes('result of an earlier turn elided'));
    expect(edit?.difference).toBeGreaterThan(0.2 * difference);
    expect(row?.sessions.map(({ name }) => name)).toEqual(['s3', 's2', 's1']);
    expect(out).toContain('2 of 2 checks failed. heph:config=heph2.toml costs $');
    expect(out).toContain('; most in s3 (+$');
    expect(out).toContain('ctxsim explain sessions/s3.jsonl --policy heph:config=heph2.toml');
  });

  test('the figures by hand: one request, output alone differs', async () => {
    const one = (id: string, reply: number) =>
      `${[...writeNative(sessionOf([{ prompt: 1000, rounds: [], reply }], { id, system: 0 }))].join('\n')}\n`;
    mkdirSync(join(cwd, 'hand'));
    write('hand/x.jsonl', one('x', 100));
    await check('hand', '-p', 'full', '--against', 'hand.json', '--update', '-q');
    write('hand/x.jsonl', one('y', 300));
    // 1,000 tokens below the smallest prefix, at 3 USD; output 100 and 300 at 15 USD per million.
    const result = await checked('hand', '-p', 'full', '--against', 'hand.json', '--max-increase', '65%');
    expect(result.rows[0]?.referenceUsd).toBeCloseTo(0.003 + 0.0015, 12);
    expect(result.rows[0]?.usd).toBeCloseTo(0.003 + 0.0045, 12);
    expect(result.checks[0]?.change).toBeCloseTo(0.003 / 0.0045, 12);
    expect(result.rows[0]?.causes[0]).toMatchObject({ label: 'output', times: 1 });
    expect(result.rows[0]?.causes[0]?.difference).toBeCloseTo(0.003, 12);
    expect(result.passed).toBe(false);
    expect((await checked('hand', '-p', 'full', '--against', 'hand.json', '--max-increase', '67%')).passed).toBe(true);
  });
});

describe('what does not matter', () => {
  test('the order of the sessions, the time zone and the language: the same bytes, and it passes', async () => {
    const args = [...heph, '--max-increase', '0%'];
    const first = await check(...files, ...args);
    expect(first.status).toBe(0);
    expect(first.out).toContain('heph:config=heph.toml costs what it did in costs.json');
    const [zone, language] = [process.env.TZ, process.env.LANG];
    try {
      Object.assign(process.env, { TZ: 'Asia/Kathmandu', LANG: 'tr_TR.UTF-8' });
      expect((await check(...files.toReversed(), ...args)).out).toBe(first.out);
      await check(...files.toReversed(), ...heph.slice(0, 2), '--against', 'again.json', '--update', '-q');
      expect(read('again.json')).toBe(read('costs.json'));
    } finally {
      for (const [name, value] of [
        ['TZ', zone],
        ['LANG', language],
      ] as const)
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
    }
  });

  test('a price update, until the reference is updated; it is announced', async () => {
    const other = resultSchema.parse(JSON.parse(read('costs.json')));
    // The reference of a day on which everything cost twice as much.
    const double = (rates: Record<string, number>) => {
      for (const key of Object.keys(rates)) rates[key] = 2 * (rates[key] ?? 0);
    };
    for (const card of Object.values(other.basis?.cards ?? {}).flat())
      for (const { rates } of card.tiers) double(rates);
    for (const { rates } of other.basis?.rates ?? []) double(rates);
    other.digest.prices = 'an-older-snapshot';
    write('older.json', JSON.stringify(other));
    const args = [...files, ...heph.slice(0, 2), '--against', 'older.json'];
    const result = await checked(...args, '--max-increase', '0%');
    expect(result.passed).toBe(true);
    const today = (await checked(...files, ...heph, '--max-increase', '0%')).rows[0]?.usd ?? 0;
    expect(result.rows[0]?.usd).toBeCloseTo(2 * today, 12);
    expect(result.notices[0]).toContain('Prices of claude-sonnet-4-5 have changed since the reference');
    expect(result.notices[0]).toContain('those of an-older-snapshot, until --update takes today');
    await check(...args, '--update', '-q');
    const updated = await checked(...args, '--max-increase', '0%');
    expect(updated.notices).toEqual([]);
    expect(updated.rows[0]?.usd).toBeCloseTo(today, 12);
  });

  test('a session that came out longer: dollars per turn of fresh recordings of the same scenarios', async () => {
    const result = await checked('longer', '--against', 'recorded.json', '--max-increase', '12%');
    expect(result.rows[0]?.sessions.map(({ name, turns, referenceTurns }) => [name, turns, referenceTurns])).toEqual([
      ['r1', 4, 3],
      ['r2', 4, 3],
    ]);
    expect(result.checks[0]?.metric).toBe('usd/turn');
    expect(Math.abs(result.checks[0]?.change ?? 1)).toBeLessThan(0.12);
    const [row] = result.rows;
    expect((row?.usd ?? 0) / (row?.referenceUsd ?? 1)).toBeGreaterThan(1.2);
    for (const { difference, usd, referenceUsd } of row?.sessions ?? [])
      expect(difference).toBeCloseTo(usd - (referenceUsd * 4) / 3, 12);
  });
});

describe('recordings alone', () => {
  test('a harness that puts the time of day into its system prompt: its bill, the cause, and where to look', async () => {
    const { status, out } = await check('after', '--against', 'recorded.json', '--max-increase', '2%');
    expect(status).toBe(1);
    expect(out).toContain('most by "sent again: lost before its time, as recorded (from the first token on)"');
    expect(out).toContain(
      'The recorded prefix broke again and again: r1 (in 11 of 12 requests), r2 (in 11 of 12 requests).',
    );
    const result = await checked('after', '--against', 'recorded.json', '--max-increase', '2%');
    expect(result.rows[0]).toMatchObject({ recorded: 2, policy: 'recorded' });
    // All prompts of twelve requests written at 3.75 USD per million, and 900 tokens of output at 15.
    const prompts = [0, 1, 2].flatMap((turn) => [0, 1, 2, 3].map((round) => 4060 + turn * 1860 + round * 580));
    const usd = (prompts.reduce((sum, tokens) => sum + tokens, 0) * 3.75 + 900 * 15) / 1e6;
    expect(result.rows[0]?.usd).toBeCloseTo(2 * usd, 12);
    // Without losses the last prompt is written once, and each but the last is read once.
    const last = prompts.at(-1) ?? 0;
    const whole = prompts.slice(0, -1).reduce((sum, tokens) => sum + tokens, 0);
    expect(result.rows[0]?.referenceUsd).toBeCloseTo((2 * (whole * 0.3 + last * 3.75 + 900 * 15)) / 1e6, 12);
  });
});

test('a bill as recorded is told part by part to the token, where no rule explains it', async () => {
  mkdirSync(join(cwd, 'dip'));
  for (const n of [1, 2]) write(`dip/r${n}.jsonl`, recording(`d${n}`, { dip: 5 }));
  const [row] = (await checked('dip', '--against', 'recorded.json', '--max-increase', '2%')).rows;
  // Request 5 has 6,500 tokens, 5,920 of which were sent before: 4,686 of those are written at 3.75, not read at 0.30.
  expect((row?.usd ?? 0) - (row?.referenceUsd ?? 0)).toBeCloseTo((2 * 4686 * (3.75 - 0.3)) / 1e6, 12);
  expect(row?.causes[0]).toMatchObject({ label: 'sent again: lost before its time, as recorded', times: 2 });
  expect(row?.causes[0]?.difference).toBeCloseTo((2 * 4686 * (3.75 - 0.3)) / 1e6, 12);
  expect(row?.causes.reduce((sum, { usd }) => sum + usd, 0)).toBeCloseTo(row?.usd ?? 0, 12);
});

describe('rules', () => {
  test('budgets need no reference', async () => {
    const over = await check('before', '--max', '0.01/turn');
    expect(over.status).toBe(1);
    expect(over.out).toContain('FAIL  usd/turn of recorded, all sessions together: $0.0');
    expect((await check('before', '--max', '0.10/turn')).status).toBe(0);
    expect((await check('before', '--max', '0.01')).status).toBe(1);
    expect((await check('before', '--max', '1/session')).status).toBe(0);
  });

  test('every metric, level and scope of a configuration, found upward', async () => {
    mkdirSync(join(cwd, 'project/deep'), { recursive: true });
    const checks = [
      { metric: 'usd', maxIncrease: '2%', over: 'median' },
      { metric: 'rewrite-factor', maxIncrease: 0.1, over: 'total' },
      { metric: 'hit-share', min: 0.5, maxDecrease: '1%', over: 'worst' },
      { metric: 'peak-prompt', max: 1000, level: 'warn', over: 'worst', sessions: 'r2', policy: 'recorded' },
    ];
    write('project/ctxsim.config.json', JSON.stringify({ checks }));
    const inside = (...args: string[]) => ctxsim(join(cwd, 'project/deep'), ['check', ...args]);
    const same = await inside('../../before', '--against', '../../recorded.json');
    expect(same.status).toBe(0);
    expect(same.out).toContain('5 checks passed with 1 warning.');
    expect(same.out).toContain('warn  peak-prompt of recorded, worst in r2: 9,520 tokens (at most 1,000 tokens)');
    const broken = await inside('../../after', '--against', '../../recorded.json', '--format', 'json');
    expect(broken.status).toBe(1);
    const failed = checkSchema.parse(JSON.parse(broken.out)).checks.filter(({ status }) => status === 'failed');
    expect(failed.map(({ metric, bound }) => `${metric} ${bound}`)).toEqual([
      'usd maxIncrease',
      'rewrite-factor maxIncrease',
      'hit-share min',
      'hit-share maxDecrease',
      'peak-prompt max',
    ]);
    rmSync(join(cwd, 'project/ctxsim.config.json'));
    write('project/package.json', JSON.stringify({ name: 'x', ctxsim: { checks: [{ metric: 'usd', max: 5 }] } }));
    expect((await inside('../../after')).status).toBe(0);
  });

  test('a flag adds its rule to the configuration, in place of the same bound of the same metric there', async () => {
    mkdirSync(join(cwd, 'flags'));
    const checks = [
      { metric: 'usd/turn', maxIncrease: '50%', max: 9 },
      { metric: 'usd/turn', maxIncrease: '60%', sessions: 'r1' },
      { metric: 'usd/turn', maxIncrease: '70%', over: 'median' },
      { metric: 'hit-share', min: 0.1, over: 'total' },
    ];
    write('flags/ctxsim.config.json', JSON.stringify({ checks }));
    const limits = async (...flags: string[]) => {
      const args = ['check', '../before', '--against', '../recorded.json', '--format', 'json', ...flags];
      const { out } = await ctxsim(join(cwd, 'flags'), args);
      const result = checkSchema.parse(JSON.parse(out));
      return result.checks.map(({ bound, over, limit }) => `${bound} ${over} ${limit}`);
    };
    const others = ['maxIncrease total 0.6', 'maxIncrease worst 0.6', 'maxIncrease median 0.7', 'min total 0.1'];
    expect(await limits('--max-increase', '2%')).toEqual([
      ...['max total 9', 'max worst 9', ...others],
      ...['maxIncrease total 0.02', 'maxIncrease worst 0.02'],
    ]);
    // A budget is over all sessions: the worst one still has that of the configuration.
    expect(await limits('--max', '5/turn')).toEqual([
      ...['max worst 9', 'maxIncrease total 0.5', 'maxIncrease worst 0.5', ...others],
      'max total 5',
    ]);
    const alone = await ctxsim(join(cwd, 'flags'), ['check', '../before', '--max', '5']);
    expect(alone.status).toBe(2);
    expect(alone.err).toContain('the rule usd/turn, maxIncrease 50.0 %, has nothing to be compared with');
  });

  test.each([
    ['{"checks":[{"metric":"usd","max":1,"maxIncrese":"2%"}]}', 'checks.0: unknown key "maxIncrese"', 'maxIncrease'],
    ['{"check":[]}', 'the top: unknown key "check"', 'Did you mean "checks"?'],
    ['{"checks":[{"metric":"usd"}]}', 'checks.0: a check without a bound', 'max or maxIncrease'],
    ['{"checks":[{"metric":"hit-share","max":1}]}', 'checks.0: max is no bound of hit-share', 'min or maxDecrease'],
    ['{"checks":[{"metric":"cost","max":1}]}', 'checks.0.metric', 'usd/turn'],
    ['{"checks":[{"metric":"usd","maxIncrease":"2 percent"}]}', 'checks.0.maxIncrease', ''],
    ['{"checks":[{"metric":"usd","maxIncrease":2}]}', 'checks.0.maxIncrease', ''],
    ['{"checks":[{"metric":"usd","max":1,"sessions":"("}]}', 'checks.0.sessions', 'regular expression'],
    ['{', 'ctxsim.config.json: ', 'It must be a JSON file.'],
  ])('a configuration that is wrong exits 2 and says where: %s', async (text, place, remedy) => {
    mkdirSync(join(cwd, 'wrong'), { recursive: true });
    write('wrong/ctxsim.config.json', text);
    const { status, err } = await ctxsim(join(cwd, 'wrong'), ['check', '../before']);
    expect(status).toBe(2);
    expect(err).toContain(place);
    expect(err).toContain(remedy);
  });
});

describe('what cannot be answered exits 2', () => {
  test.each([
    ['missing', undefined, 'missing.json: ENOENT'],
    ['corrupt', '{"schema":"ctxsim.result/1","answer":3}', 'corrupt.json: at answer'],
    ['torn', '{"schema":"ctxsim', 'torn.json: not JSON'],
    ['other', '{"schema":"ctxsim.result/9"}', 'its schema is "ctxsim.result/9"'],
  ])('a %s reference, with the command that makes one', async (name, text, words) => {
    if (text !== undefined) write(`${name}.json`, text);
    const args = ['sessions', '--policy', 'heph:config=heph.toml', '--against', `${name}.json`, '--max-increase', '2%'];
    const { status, out, err } = await check(...args);
    expect([status, out]).toEqual([2, '']);
    expect(err).toContain(words);
    expect(err).toContain(`Make one with: ctxsim check ${args.join(' ')} --update`);
  });

  test.each([
    [['before', '--against', 'recorded.json'], 'nothing says what is allowed'],
    [['before', '--max-increase', '2%'], 'the rule usd/turn, maxIncrease 2.0 %, has nothing to be compared with'],
    [['before', '--update'], '--against FILE'],
    [
      ['sessions', '--against', 'recorded.json', '--max-increase', '2%'],
      'no session is in both: recorded.json has r1, r2',
    ],
    [['before', '--max', 'much'], '--max much is out of range'],
    [['before', '--max-increase', '3%/day', '--against', 'recorded.json'], '--max-increase 3%/day is out of range'],
    [['before', '--max', '1', '--ttl', '5m,1h'], 'take one value each'],
    [['before', '--max', '1', '--format', 'csv'], 'unknown output format "csv"'],
    [['before', '--max', '1', '--match', 'r1'], '--match r1 has no group'],
    [
      ['before', '-p', 'full', '-p', 'bi', '--against', 'recorded.json', '--max-increase', '100%'],
      'no row for full; it has: recorded',
    ],
    [['sessions', '-p', 'full', '--window', '33000', '--max', '1'], 'under full nothing can be said of s1, s2, s3'],
  ])('%j', async (args, words) => {
    const { status, out, err } = await check(...args);
    expect([status, out]).toEqual([2, '']);
    expect(err).toContain(words);
  });

  test('another tokenizer or cache rule, with what differs', async () => {
    const reference = resultSchema.parse(JSON.parse(read('recorded.json')));
    const [rule] = reference.basis?.rules ?? [];
    if (rule) rule.tokenizer = 'older (1.3 × o200k_base)';
    write('tokenizer.json', JSON.stringify(reference));
    const { status, err } = await check('before', '--against', 'tokenizer.json', '--max-increase', '2%');
    expect(status).toBe(2);
    expect(err).toContain('tokens are counted otherwise (now claude-4.6-and-earlier (1.18 × o200k_base); then older');
    const none = await check('before', '--against', 'recorded.json', '--max-increase', '2%', '--cache', 'none');
    expect(none.status).toBe(2);
    expect(none.err).toContain('prompts are cached by another rule (now cache: none');
    expect(none.err).toContain('--update');
  });
});

describe('sessions', () => {
  test('new and vanished ones are named; --match decides what is the same', async () => {
    mkdirSync(join(cwd, 'moved/r9'), { recursive: true });
    write('moved/r1.jsonl', recording('m1'));
    write('moved/r9/x.jsonl', recording('m9'));
    const result = await checked('moved', '--against', 'recorded.json', '--max-increase', '0%');
    expect([result.vanished, result.added, result.passed]).toEqual([['r2'], ['x'], true]);
    expect(result.notices).toEqual([
      'Only in the reference, and not compared: r2.',
      'Not in the reference, and not compared: x.',
    ]);
    const matched = await checked(
      'moved',
      '--against',
      'recorded.json',
      '--max-increase',
      '0%',
      '--match',
      '/(r\\d)/x',
    );
    expect(matched.added).toEqual(['r9']);
    const byId = await check('moved', '--against', 'recorded.json', '--max-increase', '0%', '--match', 'id');
    expect(byId.err).toContain('recorded.json has a1, a2, this run m1, m9');
  });

  test('a result of ctxsim replay is a reference, without causes', async () => {
    await ctxsim(cwd, ['replay', ...files, '-p', 'elide:recent_turns=0', '-q', '-o', 'replayed.json']);
    const args = [...files, '-p', 'elide:recent_turns=0', '--against', 'replayed.json', '--max-increase', '0%'];
    const result = await checked(...args);
    expect(result.passed).toBe(true);
    expect(result.notices[0]).toContain('does not say what its bills paid for');
  });
});

describe('output', () => {
  test('github: a sticky comment on stdout, escaped annotations on stderr, the job summary', async () => {
    write('summary.md', '');
    const env = { GITHUB_STEP_SUMMARY: join(cwd, 'summary.md') };
    const args = [
      'check',
      'after',
      '--against',
      'recorded.json',
      '--max-increase',
      '2%',
      '--format',
      'github',
      '--name',
      'mine',
    ];
    const { status, out, err } = await ctxsim(cwd, args, { env });
    expect(status).toBe(1);
    expect(out.split('\n')[0]).toBe('<!-- ctxsim:mine -->');
    expect(out).toContain('; most in r1 (+$0.2483), most by "sent again: lost before its time');
    expect(read('summary.md')).toBe(out);
    const lines = err.trim().split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(
      /^::error title=ctxsim%3A usd\/turn of recorded::usd\/turn of recorded, all .* \+350\.7 %25 .*%0A2 of 2/,
    );
  });

  test('where everything goes into files, the log says what failed; the reference is named where it was another policy', async () => {
    const args = ['sessions', '--against', 'costs.json', '--max-increase', '2%', '--policy', 'elide:recent_turns=2'];
    const { status, out, err } = await check(...args, '-o', 'log.txt', '-o', 'log.xml');
    expect([status, out]).toEqual([1, '']);
    expect(err).toMatch(/more than heph:recent_turns=0 in costs\.json over as many turns; most in s\d/);
    expect(err).toMatch(
      /\nFAIL {2}usd\/turn of elide:recent_turns=2, all sessions together: .*\nwritten to log\.txt, log\.xml\n/s,
    );
    expect((await check(...args, '-o', 'log.txt', '-q')).err).toBe('');
  });

  test('junit: a case per check, failures counted', async () => {
    const args = ['after', '--against', 'recorded.json', '--max-increase', '2%', '--format', 'junit'];
    const { out } = await check(...args);
    expect(out).toContain('tests="2" failures="2" errors="0" skipped="0"');
    expect(out.match(/<failure /g)).toHaveLength(2);
    expect(out.match(/<testcase /g)).toHaveLength(2);
  });

  test('several files at once; JSON fits the schema that ships', async () => {
    const outputs = ['c.json', 'c.md', 'c.xml', 'c.github.md', 'c.txt'].flatMap((file) => ['-o', file]);
    const { status, out } = await check('after', '--against', 'recorded.json', '--max-increase', '2%', ...outputs);
    expect([status, out]).toEqual([1, '']);
    const schema = z.fromJSONSchema(jsonSchemas()['check.json'] as Parameters<typeof z.fromJSONSchema>[0]);
    expect(schema.safeParse(JSON.parse(read('c.json'))).error).toBeUndefined();
    expect(read('c.md')).toMatch(/^\*\*2 of 2 checks failed/);
  });
});

test('a damaged file is no pass: the check cannot answer, and no reference is written without it', async () => {
  write('sessions/damaged.jsonl', `${read('sessions/s1.jsonl').split('\n').slice(0, 4).join('\n')}\n{"type":"blo\n`);
  const passed = await check('sessions', ...heph, '--max-increase', '2%');
  const written = await check('sessions', '--policy', 'full', '--against', 'unwritten.json', '--update');
  rmSync(join(cwd, 'sessions/damaged.jsonl'));
  expect(passed.status).toBe(2);
  expect(passed.err).toContain('left out: sessions/damaged.jsonl');
  expect(passed.err).toContain('could not answer');
  expect(written.status).toBe(2);
  expect(() => read('unwritten.json')).toThrow();
});
