import { expect, test } from 'vitest';
import type { RateCard } from '../../../src/providers/prices/rates.ts';
import { sonnet } from '../../sessions.ts';
import { Prompter } from './prompt.ts';

const card = (model: string, chargesWrites: boolean): RateCard => ({
  ...sonnet,
  model,
  provider: 'openai',
  chargesWrites,
});
const old = () => new Prompter('openai', card('gpt-5.4', false));
const new56 = () => new Prompter('openai', card('gpt-5.6-sol', true));

test('up to gpt-5.5 a read is rounded down to 128 tokens, and nothing below 1,024 is read', () => {
  const cache = old();
  expect(cache.send([['a', 1500]])).toEqual({ read: 0, write5m: 0, write1h: 0, fresh: 1500 });
  // 11 × 128 = 1,408 of 1,500.
  expect(
    cache.send([
      ['a', 1500],
      ['b', 100],
    ]),
  ).toEqual({ read: 1408, write5m: 0, write1h: 0, fresh: 192 });
  // 1,000 common tokens are 7 × 128 = 896, less than 1,024.
  const short = old();
  short.send([['a', 1000]]);
  expect(
    short.send([
      ['a', 1000],
      ['b', 500],
    ]).read,
  ).toBe(0);
  const exact = old();
  exact.send([['a', 1024]]);
  expect(
    exact.send([
      ['a', 1024],
      ['b', 5],
    ]).read,
  ).toBe(1024);
});

test('an entry is gone after ten idle minutes, thirty for gpt-5.5; a day where 24h retention is asked for', () => {
  const prompts = [['a', 2048]] as const;
  const longer = [
    ['a', 2048],
    ['b', 1],
  ] as const;
  for (const [model, idle, read] of [
    ['gpt-5.4', 600, 2048],
    ['gpt-5.4', 601, 0],
    ['gpt-5.5', 1800, 2048],
    ['gpt-5.5', 1801, 0],
  ] as const) {
    const cache = new Prompter('openai', card(model, false));
    cache.send(prompts, { time: 0 });
    expect(cache.send(longer, { time: idle }).read).toBe(read);
  }
  const day = old();
  day.send(prompts, { time: 0, ttl: '24h' });
  expect(day.send(longer, { time: 86_400, ttl: '24h' }).read).toBe(2048);
  expect(day.send(prompts, { time: 2 * 86_400 + 1, ttl: '24h' }).read).toBe(0);
});

test('from gpt-5.6 on entries stand at message ends and breakpoints, and a write has its price', () => {
  const cache = new56();
  expect(
    cache.send(
      [
        ['a', 1024],
        ['b', 200],
      ],
      { markers: [1], time: 0 },
    ),
  ).toEqual({
    read: 0,
    write5m: 1224,
    write1h: 0,
    fresh: 0,
  });
  // The end of the last message is found, exactly; without it nothing is, for `a` alone left no entry.
  expect(
    cache.send(
      [
        ['a', 1024],
        ['b', 200],
        ['c', 77],
      ],
      { markers: [2], time: 1800 },
    ),
  ).toMatchObject({
    read: 1224,
    write5m: 77,
  });
  expect(
    cache.send(
      [
        ['a', 1024],
        ['x', 200],
      ],
      { markers: [1], time: 1801 },
    ),
  ).toMatchObject({ read: 0, write5m: 1224 });
  expect(
    cache.send(
      [
        ['a', 1024],
        ['x', 200],
        ['y', 1],
      ],
      { markers: [2], time: 3602 },
    ),
  ).toMatchObject({ read: 0 });
});
