import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempFolder } from '../temp.ts';
import { ctxsim } from './run.ts';

const cwd = tempFolder();

/** Three requests whose prompts grow; the last one reads what `lastRead` says. */
function recording(name: string, lastRead: number, changes: { model?: string; times?: boolean } = {}): string {
  const { model = 'claude-sonnet-4-5', times = true } = changes;
  const request = (second: number, fresh: number, cacheRead: number, cacheWrite5m: number) => ({
    type: 'request',
    ...(times ? { time: `2026-03-02T09:00:0${second}Z` } : {}),
    usage: { fresh, cacheRead, cacheWrite5m, output: 10 },
  });
  const block = (kind: string, tokens: number) => ({
    type: 'block',
    kind,
    size: { chars: tokens * 3, lines: 1, tokens },
  });
  const records = [
    { type: 'session', format: 'ctxsim.session/1', id: name, model, content: 'sizes', tokenizer: 'model' },
    block('system', 5000),
    { type: 'turn' },
    block('prompt', 100),
    request(0, 0, 0, 5100),
    block('reply', 10),
    { type: 'turn' },
    block('prompt', 890),
    request(1, 0, 5100, 900),
    block('reply', 10),
    { type: 'turn' },
    block('prompt', 990),
    request(2, 0, lastRead, 7000 - lastRead),
    block('reply', 10),
  ];
  writeFileSync(join(cwd, name), `${records.map((record) => JSON.stringify(record)).join('\n')}\n`);
  return name;
}

describe('ctxsim backtest', () => {
  test('predicts what follows the rules, and finds what does not', async () => {
    const right = await ctxsim(cwd, ['backtest', recording('right.jsonl', 6000)]);
    expect(right).toMatchObject({ status: 0, err: '' });
    expect(right.out).toContain('Predicted 2 requests');
    expect(right.out).toContain('cache read within 2 tokens  100.0 %');
    expect(right.out).not.toContain('Why reads differ');

    const lost = await ctxsim(cwd, ['backtest', recording('lost.jsonl', 0)]);
    expect(lost.out).toContain('cache read within 2 tokens  50.0 %');
    expect(lost.out).toContain('1  eviction before the TTL');
  });

  test('--only edits with nothing edited is no pass', async () => {
    const { status, out, err } = await ctxsim(cwd, [
      'backtest',
      recording('right.jsonl', 6000),
      '--only',
      'edits',
      '--max-error',
      '1%',
    ]);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).toContain('no request came after a change of its past');
  });

  test('each request is priced as its own model: a loss under the cheap one weighs little', async () => {
    const file = recording('mixed.jsonl', 6000);
    const lines = readFileSync(join(cwd, file), 'utf8').trim().split('\n');
    // Two more requests, of Haiku 4.5 (1 / 1.25 / 5 USD), the second of which lost everything.
    const cheap = (second: number, usage: object) =>
      JSON.stringify({ type: 'request', time: `2026-03-02T09:00:0${second}Z`, model: 'claude-haiku-4-5', usage });
    const block = JSON.stringify({ type: 'block', kind: 'meta', size: { chars: 3000, lines: 1, tokens: 1000 } });
    const more = [
      block,
      cheap(3, { fresh: 0, cacheRead: 0, cacheWrite5m: 8010, output: 10 }),
      block,
      cheap(4, { fresh: 0, cacheRead: 0, cacheWrite5m: 9010, output: 10 }),
    ];
    writeFileSync(join(cwd, file), `${[...lines, ...more].join('\n')}\n`);
    const { out } = await ctxsim(cwd, ['backtest', file, '--format', 'json']);
    // Sonnet 4.5: writes 5,100 + 900 + 1,000 at 3.75, reads 5,100 + 6,000 at 0.30, output 30 at 15; Haiku: writes 8,010 + 9,010
    // at 1.25, output 20 at 5. Predicted: 8,010 of the last prompt are read at 0.10.
    const recorded = 7000 * 3.75 + 11_100 * 0.3 + 30 * 15 + 17_020 * 1.25 + 20 * 5;
    expect(JSON.parse(out).pooled.blind.costError).toBeCloseTo((8010 * (0.1 - 1.25)) / recorded, 5);
  });

  test('a bill that is off although the reads came out names what else it was', async () => {
    const file = recording('long.jsonl', 6000);
    const text = readFileSync(join(cwd, file), 'utf8').replaceAll(
      /"cacheWrite5m":(900|1000),/g,
      '"cacheWrite5m":0,"cacheWrite1h":$1,',
    );
    writeFileSync(join(cwd, file), text);
    const { out } = await ctxsim(cwd, ['backtest', file]);
    expect(out).toContain('lifetime of writes');
  });

  test('sessions of one file are told apart by their names', async () => {
    const texts = ['lost.jsonl', 'also-lost.jsonl'].map((name) => readFileSync(join(cwd, recording(name, 0)), 'utf8'));
    writeFileSync(join(cwd, 'both.jsonl'), texts.join(''));
    const { out } = await ctxsim(cwd, ['backtest', 'both.jsonl']);
    expect(out).toMatch(/ both\.jsonl: lost\.jsonl +eviction/);
    expect(out).toMatch(/ both\.jsonl: also-lost\.jsonl +eviction/);
    const { out: one } = await ctxsim(cwd, ['backtest', 'lost.jsonl']);
    expect(one).toMatch(/ lost\.jsonl +eviction/);
  });

  test('a recording whose clock starts at zero has times', async () => {
    const rows = ['0,0,10000', '400,0,10500', '410,10500,500'].map((row) => `a,claude-opus-4-5,${row},0,10`);
    writeFileSync(join(cwd, 'zero.csv'), `session,model,time,read,write5m,fresh,output\n${rows.join('\n')}\n`);
    const { out } = await ctxsim(cwd, ['backtest', 'zero.csv']);
    expect(out).toContain('Predicted 2 requests');
    expect(out).not.toContain('have no times');
  });

  test('as a check: status 1 and the reason when the bill is further off than allowed', async () => {
    recording('lost.jsonl', 0);
    expect(await ctxsim(cwd, ['backtest', 'lost.jsonl', '--max-error', '60%'])).toMatchObject({ status: 0, err: '' });
    const failed = await ctxsim(cwd, ['backtest', 'lost.jsonl', '--max-error', '0.03']);
    expect(failed.status).toBe(1);
    expect(failed.err).toMatch(/^check failed: the pooled bill is off by .*, more than --max-error 0\.03\n$/);
  });

  test.each(['3', '-1%', 'x', ''])('a limit that is no share is refused: %j', async (limit) => {
    const { status, err } = await ctxsim(cwd, ['backtest', recording('right.jsonl', 6000), '--max-error', limit]);
    expect([status, err.includes('out of range')]).toEqual([2, true]);
  });

  test('says that nothing expires without times', async () => {
    const { out } = await ctxsim(cwd, ['backtest', recording('timeless.jsonl', 6000, { times: false })]);
    expect(out).toContain('1 of 1 sessions have no times');
  });

  test('predicts nothing of a damaged native file', async () => {
    const whole = readFileSync(join(cwd, recording('right.jsonl', 6000)), 'utf8');
    writeFileSync(join(cwd, 'damaged.jsonl'), whole.replace('{"type":"turn"}', '{"type":'));
    const { status, out, err } = await ctxsim(cwd, ['backtest', 'damaged.jsonl']);
    expect([status, out]).toEqual([2, '']);
    expect(err).toContain('damaged.jsonl: 1 invalid record of the native format');
  });

  test('leaves out a model without a price, and takes one that is given', async () => {
    const unknown = recording('unknown.jsonl', 6000, { model: 'no-such-model-9' });
    const refused = await ctxsim(cwd, ['backtest', unknown]);
    expect([refused.status, refused.out]).toEqual([2, '']);
    expect(refused.err).toContain('unknown.jsonl: no price for model "no-such-model-9"');
    const price = { input: 3, output: 15, cacheRead: 0.3, cacheWrite5m: 3.75, provider: 'anthropic' };
    writeFileSync(join(cwd, 'prices.json'), JSON.stringify({ models: { 'no-such-model-9': price } }));
    expect((await ctxsim(cwd, ['backtest', unknown, '--prices', 'prices.json'])).status).toBe(0);
  });
});
