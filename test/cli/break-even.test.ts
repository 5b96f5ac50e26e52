import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { resultSchema } from '../../src/results/result.ts';
import { writeNative } from '../../src/session/native.ts';
import { sessionOf } from '../sessions.ts';
import { tempFolder } from '../temp.ts';
import { ctxsim } from './run.ts';

const cwd = tempFolder();
const rounds = Array.from({ length: 6 }, () => ({ call: 80, result: 900 }));
const turn = (pauseSeconds: number) => ({ prompt: 100, rounds, reply: 200, pauseSeconds });
const session = sessionOf([0, 200, 100, 400, 40, 90, 30, 60].map(turn), { system: 8000 });
writeFileSync(join(cwd, 's.jsonl'), `${[...writeNative(session)].join('\n')}\n`);

async function resultOf(...more: string[]) {
  const { status, out, err } = await ctxsim(cwd, [
    ...['replay', 's.jsonl', '--policy', 'elide:recent_turns=2', '--format', 'json'],
    ...more,
  ]);
  expect({ status, err }).toEqual({ status: 0, err: '' });
  return resultSchema.parse(JSON.parse(out));
}

test('at the price that was solved for, a replay costs the same; at the lifetime that was asked for, too', async () => {
  const { breakEven, rows } = await resultOf('--break-even', '--breakpoints', 'anchor');
  const [even] = breakEven ?? [];
  if (!even) throw new Error('no break-even');
  expect(even.label).toBe('elide:recent_turns=2');
  expect(even.lifetimes.find(({ multiple }) => multiple === 1)?.saving).toBeCloseTo(rows[1]?.saving as number, 12);

  const priced = async (prices: object) => {
    writeFileSync(join(cwd, 'prices.json'), JSON.stringify({ models: { mine: { provider: 'anthropic', ...prices } } }));
    return (await resultOf('--prices', 'prices.json', '--model', 'mine', '--breakpoints', 'anchor')).rows[1]?.saving;
  };
  const list = { input: 3, output: 15, cacheRead: 0.3, cacheWrite5m: 3.75, cacheWrite1h: 6 };
  expect(await priced(list)).toBeCloseTo(rows[1]?.saving as number, 12);
  expect(await priced({ ...list, cacheRead: 3 * (even.readRatio.even as number) })).toBeCloseTo(0, 9);
  expect(await priced({ ...list, cacheWrite5m: 3 * (even.writeRatio.even as number) })).toBeCloseTo(0, 9);

  // What the page draws its map from says the same without a replay.
  const { models, rows: bills } = ((await resultOf('--breakpoints', 'anchor')).byPrice ?? [])[0] ?? {};
  const [bill] = bills ?? [];
  if (!bill) throw new Error('no bill by price');
  const usd = ({ rest, read, write }: typeof bill.row, r: number, w: number) => rest + r * read + w * write;
  const savingAt = (r: number, w: number) => 1 - usd(bill.row, r, w) / usd(bill.baseline, r, w);
  expect(savingAt(models?.[0]?.read as number, models?.[0]?.write as number)).toBeCloseTo(
    rows[1]?.saving as number,
    12,
  );
  const dearer = await priced({ ...list, cacheRead: 0.75, cacheWrite5m: 4.5 });
  expect(Math.abs((dearer as number) - (rows[1]?.saving as number))).toBeGreaterThan(0.01);
  expect(savingAt(0.25, 1.5)).toBeCloseTo(dearer as number, 12);

  // Entries that live twelve times as long are one-hour entries at the price of five-minute ones.
  const [hour] = (await resultOf('--ttl', '1h', '--break-even', '--breakpoints', 'anchor')).breakEven ?? [];
  const fiveMinutes = even.lifetimes.find(({ multiple }) => multiple === 12)?.saving as number;
  const atHourPrice = hour?.lifetimes.find(({ multiple }) => multiple === 1)?.saving as number;
  expect(fiveMinutes).not.toBeCloseTo(rows[1]?.saving as number, 3);
  const flat = { ...list, cacheWrite1h: 3.75 };
  writeFileSync(join(cwd, 'prices.json'), JSON.stringify({ models: { mine: { provider: 'anthropic', ...flat } } }));
  const priceAlone = await resultOf(
    '--prices',
    'prices.json',
    '--model',
    'mine',
    '--ttl',
    '1h',
    '--breakpoints',
    'anchor',
  );
  expect(priceAlone.rows[1]?.saving).toBeCloseTo(fiveMinutes, 12);
  expect(atHourPrice).toBeLessThan(fiveMinutes);
});

test('the table and Markdown say where rows change places; without the flag nothing of it is there', async () => {
  const args = ['replay', 's.jsonl', '--policy', 'elide:recent_turns=0,2'];
  const text = await ctxsim(cwd, [...args, '--break-even']);
  expect(text.out).toContain('Where rows and full change places');
  expect(text.out).toContain('by the price of a read (down)');
  const markdown = await ctxsim(cwd, [...args, '--break-even', '--format', 'md']);
  expect(markdown.out).toContain('| read | write 1 | write 1.25 |');
  expect((await ctxsim(cwd, args)).out).not.toContain('change places');
});
