import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { resultSchema } from '../../src/results/result.ts';
import { tempFolder } from '../temp.ts';
import { ctxsim } from './run.ts';

const folder = tempFolder();

/**
 * A session of two turns, of which the second goes to another model. The first prompt is 1,000 tokens of system part and 200
 * of prompt, the second 100 of reply and 200 of prompt more; each answer is 100 tokens.
 */
function sessionOf(id: string, first: string, second: string): string {
  const text = (kind: string, tokens: number) => ({
    type: 'block',
    kind,
    size: { chars: tokens * 3, lines: 1, tokens },
  });
  const records = [
    { type: 'session', format: 'ctxsim.session/1', id, content: 'sizes', tokenizer: 'model' },
    text('system', 1000),
    { type: 'turn' },
    text('prompt', 200),
    { type: 'request', model: first, time: '2026-03-02T09:00:00Z' },
    text('reply', 100),
    { type: 'turn' },
    text('prompt', 200),
    { type: 'request', model: second, time: '2026-03-02T09:00:10Z' },
    text('reply', 100),
  ];
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

const files = {
  priced: sessionOf('priced', 'claude-sonnet-4-5', 'claude-sonnet-4-5'),
  mixed: sessionOf('mixed', 'claude-sonnet-4-5', 'mystery-1'),
  dark: sessionOf('dark', 'mystery-1', 'mystery-1'),
};
for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, `${name}.jsonl`), content);

const replay = (names: readonly (keyof typeof files)[], ...flags: string[]) =>
  ctxsim(folder, [
    'replay',
    ...names.map((name) => `${name}.jsonl`),
    '--policy',
    'drop-window',
    '--cache',
    'none',
    ...flags,
  ]);
const resultOf = async (...names: (keyof typeof files)[]) => {
  const { out, err } = await replay(names, '--allow-unpriced', '--format', 'json');
  return resultSchema.parse(JSON.parse(out || err));
};

describe('a model without a price', () => {
  test('is refused, with the way out', async () => {
    const { status, out, err } = await replay(['mixed']);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).toContain('no price for model "mystery-1"');
    expect(err).toContain('--allow-unpriced');
  });

  test('is kept with --allow-unpriced: what has a price is billed, the rest is counted apart', async () => {
    const { rows, assumptions, sessions } = await resultOf('mixed');
    const [full] = rows;
    // 1,200 x 3 + 100 x 15 per million; the second request's 1,500 and 100 have no price.
    expect(full?.cost.total).toBeCloseTo(0.0051, 12);
    expect(full?.usage).toEqual({ fresh: 1200, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 100 });
    expect(full?.unpricedTokens).toBe(1600);
    expect(assumptions.unpricedShare).toBeCloseTo(1600 / 2900, 12);
    expect(assumptions.notes.join('\n')).toContain("No price is known of mystery-1: up to 55.2 % of a row's tokens");
    expect(sessions[0]?.cost.full).toBeCloseTo(0.0051, 12);
  });

  test('is marked on the verdict, in the answer and at the foot', async () => {
    const { status, out } = await replay(['mixed'], '--allow-unpriced');
    expect(status).toBe(0);
    expect(out).toMatch(/│ full .*baseline \(55\.2 % unpriced\)/);
    expect(out.split('\n')[0]).toContain('50.0 % of its tokens without a price');
    expect(out).toContain('- No price is known of mystery-1');
  });

  test('leaves no bill of nothing: a session in which nothing has a price is counted apart', async () => {
    const { rows, sessions } = await resultOf('priced', 'dark');
    expect(rows.map((row) => row.sessions.unpriced)).toEqual(rows.map(() => 1));
    expect(rows[0]?.sessions.equal).toBe(1);
    expect(sessions.map(({ id, cost }) => [id, cost.full === null])).toEqual([
      ['dark', true],
      ['priced', false],
    ]);
  });

  test('and nothing else: no cost, no saving, a verdict that says why', async () => {
    const { rows, answer } = await resultOf('dark');
    for (const row of rows) expect(row).toMatchObject({ saving: null, verdict: 'unpriced' });
    expect(rows[0]?.unpricedTokens).toBe(2900);
    expect(answer).toBe('drop-window has no price over 1 session.');
    expect((await replay(['dark'], '--allow-unpriced')).out).toMatch(/│ full +│ +- │ +- │ unpriced │/);
  });

  test('may be cached in a way that was not asked for: no bill depends on it', async () => {
    const { status, err } = await ctxsim(folder, [
      'replay',
      'mixed.jsonl',
      '--allow-unpriced',
      '--breakpoints',
      'tail',
    ]);
    expect({ status, err }).toEqual({ status: 0, err: '' });
  });

  test('changes nothing where every model has a price', async () => {
    const plain = await replay(['priced'], '--format', 'json');
    expect((await replay(['priced'], '--format', 'json', '--allow-unpriced')).out).toBe(plain.out);
  });

  test('has no service tier: none is multiplied', async () => {
    const { out } = await replay(['mixed'], '--allow-unpriced', '--service-tier', 'batch', '--format', 'json');
    const { rows } = resultSchema.parse(JSON.parse(out));
    expect(rows[0]?.cost.total).toBeCloseTo(0.00255, 12);
  });
});
