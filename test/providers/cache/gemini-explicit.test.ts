import { describe, expect, test } from 'vitest';
import { geminiContentRule } from '../../../src/providers/cache/gemini-rules.ts';
import { cacheModels } from '../../../src/providers/index.ts';
import type { RateCard } from '../../../src/providers/prices/rates.ts';
import { errorOf } from '../../errors.ts';
import { sonnet } from '../../sessions.ts';
import { blocks, Prompter } from './prompt.ts';

const card: RateCard = { ...sonnet, model: 'gemini-2.5-pro', provider: 'google', chargesWrites: false };
const pro = () => new Prompter('gemini-explicit', card);
const hour = 3_600_000;
const read = (tokens: number, fresh: number) => ({ read: tokens, write5m: 0, write1h: 0, fresh });

describe('one content a session, up to the first marker with at most a quarter of the prompt behind it', () => {
  test('is created for the first request, read while little stands behind it, and made anew when much does', () => {
    const cache = pro();
    // 3,000 tokens: behind block 10 stand 2,000, more than 750; behind block 30 nothing.
    expect(cache.send(blocks(1, 30), { time: 0, markers: [9, 29] })).toEqual(read(3000, 0));
    expect(cache.fees).toEqual({ created: 3000, tokenMilliseconds: 3000 * hour });
    // 500 of 3,500 behind it.
    expect(cache.send(blocks(1, 35), { time: 60, markers: [9, 34] })).toEqual(read(3000, 500));
    expect(cache.fees).toEqual({ created: 0, tokenMilliseconds: 0 });
    // 1,100 of 4,100 are more than a quarter: block 34 has 700 behind it. The old content lived for 120 of its 3,600 s.
    expect(cache.send(blocks(1, 41), { time: 120, markers: [9, 33, 40] })).toEqual(read(3400, 700));
    expect(cache.fees).toEqual({ created: 3400, tokenMilliseconds: 3400 * hour - 3000 * 3_480_000 });
  });

  test('is deleted when the prompt no longer begins with it, to the millisecond', () => {
    const cache = pro();
    cache.send(blocks(1, 30), { time: 0, markers: [29] });
    const changed = [...blocks(1, 20), ...blocks(101, 110)];
    expect(cache.send(changed, { time: 1.234, markers: [29] })).toEqual(read(3000, 0));
    expect(cache.fees).toEqual({ created: 3000, tokenMilliseconds: 3000 * hour - 3000 * (hour - 1234) });
    // Nothing to put in its place: below the smallest content everything is plain input.
    expect(cache.send(blocks(201, 220), { time: 2.234, markers: [19] })).toEqual(read(0, 2000));
    expect(cache.fees).toEqual({ created: 0, tokenMilliseconds: -3000 * (hour - 1000) });
  });

  test('dies an hour after its creation, read or not; its storage is paid in full', () => {
    const cache = pro();
    cache.send(blocks(1, 30), { time: 0, markers: [29] });
    expect(cache.send(blocks(1, 31), { time: 3600, markers: [30] })).toEqual(read(3000, 100));
    expect(cache.send(blocks(1, 31), { time: 3600.001, markers: [30] })).toEqual(read(3100, 0));
    expect(cache.fees).toEqual({ created: 3100, tokenMilliseconds: 3100 * hour });
  });
});

test('the price of storage by model and date; without a date, the one of today', () => {
  const price = (model: string, date?: string) =>
    geminiContentRule(model, date === undefined ? undefined : Date.parse(date))?.storageUsdPerMTokHour;
  expect([
    price('gemini-3.1-pro-preview'),
    price('gemini-2.5-pro'),
    price('gemini-2.5-flash-lite'),
    price('gemini-3.8-flash'),
    price('gemini-3.8-flash', '2026-12-31T23:59:59Z'),
    price('gemini-3.8-flash', '2027-01-01'),
  ]).toEqual([4.5, 4.5, 1, 0.5, 0.5, 1]);
});

test('a model whose storage has no known price is refused', () => {
  const { message, hint } = errorOf(() =>
    cacheModels.get('gemini-explicit').rulesFor({ model: 'gemini-4-argon', provider: 'google', chargesWrites: false }),
  );
  expect(message).toContain('no price is known for the storage of gemini-4-argon');
  expect(hint).toContain('gemini-2.5-pro');
});
