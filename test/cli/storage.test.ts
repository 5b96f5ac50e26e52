import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { resultSchema } from '../../src/results/result.ts';
import { tempFolder } from '../temp.ts';
import { ctxsim } from './run.ts';

const block = (kind: string, tokens: number) => ({ type: 'block', kind, size: { chars: tokens, lines: 1, tokens } });
const session = [
  {
    type: 'session',
    format: 'ctxsim.session/1',
    id: 's',
    model: 'gemini-2.5-pro',
    content: 'sizes',
    tokenizer: 'model',
  },
  block('system', 4000),
  { type: 'turn' },
  block('prompt', 1000),
  { type: 'request', time: '2026-11-02T09:00:00Z' },
  block('reply', 100),
  { type: 'turn' },
  block('prompt', 400),
  { type: 'request', time: '2026-11-02T09:10:00Z' },
];

test('contents are billed by what was created, read and stored, and the whole is the sum', async () => {
  const cwd = tempFolder();
  writeFileSync(join(cwd, 's.jsonl'), session.map((record) => `${JSON.stringify(record)}\n`).join(''));
  const args = ['replay', 's.jsonl', '--policy', 'full', '--cache', 'gemini-explicit', '--breakpoints', 'tail'];
  const [row] = resultSchema.parse(JSON.parse((await ctxsim(cwd, [...args, '--format', 'json'])).out)).rows;
  // 4,000 created of 5,000; ten minutes later 1,500 of 5,500 stand behind it, and all 5,500 are created.
  expect(row?.usage).toEqual({ fresh: 1000, cacheRead: 9500, cacheWrite5m: 9500, cacheWrite1h: 0, output: 100 });
  // 1.25 / 0.125 / 10 USD; 4,000 tokens for 600 s and 5,500 for 3,600 s at 4.50 USD per million tokens and hour.
  const cost = { fresh: 0.00125, cacheRead: 0.0011875, cacheWrite: 0.011875, output: 0.001, storage: 0.02775 };
  for (const [key, usd] of Object.entries(cost)) expect(row?.cost[key as keyof typeof cost], key).toBeCloseTo(usd, 12);
  expect(row?.cost.total).toBeCloseTo(0.0430625, 12);
  const { out } = await ctxsim(cwd, args);
  expect(out).toContain('storage');
  expect(out).toContain('$0.0278');
});

test('--as-of prices the storage too: that of 3.8 Flash doubles with the year', async () => {
  const cwd = tempFolder();
  const records = session.map((record) => ('model' in record ? { ...record, model: 'gemini-3.8-flash' } : record));
  writeFileSync(join(cwd, 's.jsonl'), records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  const storageAt = async (day: string) => {
    const args = ['replay', 's.jsonl', '--policy', 'full', '--cache', 'gemini-explicit', '--breakpoints', 'tail'];
    const { out } = await ctxsim(cwd, [...args, '--as-of', day, '--format', 'json']);
    return resultSchema.parse(JSON.parse(out)).rows[0]?.cost.storage ?? 0;
  };
  const [before, after] = [await storageAt('2026-12-01'), await storageAt('2027-01-05')];
  expect(before).toBeGreaterThan(0);
  expect(after / before).toBeCloseTo(2, 9);
});
