import { expect, test } from 'vitest';
import { sonnet } from '../../sessions.ts';
import { blocks, Prompter } from './prompt.ts';

const freeWrites = { ...sonnet, chargesWrites: false };

test('what is not read is written where writes have a price, and is fresh where they have none', () => {
  for (const [card, rest] of [
    [sonnet, { write5m: 500, fresh: 0 }],
    [freeWrites, { write5m: 0, fresh: 500 }],
  ] as const) {
    const cache = new Prompter('ideal', card);
    cache.send(blocks(1, 10), { time: 0 });
    expect(cache.send(blocks(1, 15), { time: 10 })).toEqual({ read: 1000, write1h: 0, ...rest });
  }
});

test('reads any live request of the lane, not just the last one', () => {
  const cache = new Prompter('ideal');
  cache.send(blocks(1, 20), { time: 0 });
  cache.send([...blocks(1, 5), ...blocks(101, 103)], { time: 10 });
  expect(cache.send(blocks(1, 22), { time: 20 }).read).toBe(2000);
});

test('each request lives on its own: the old branch dies, the common part does not', () => {
  const cache = new Prompter('ideal');
  cache.send(blocks(1, 20), { time: 0 });
  cache.send([...blocks(1, 5), ...blocks(101, 103)], { time: 200 });
  expect(cache.send(blocks(1, 20), { time: 301 }).read).toBe(500);
});

test('the one-hour lifetime, billed as such', () => {
  const cache = new Prompter('ideal');
  expect(cache.send(blocks(1, 10), { time: 0, ttl: '1h' }).write1h).toBe(1000);
  expect(cache.send(blocks(1, 10), { time: 3600, ttl: '1h' }).read).toBe(1000);
  expect(cache.send(blocks(1, 10), { time: 7201, ttl: '1h' }).write1h).toBe(1000);
});

test('whole blocks only: a block that changed in its last word is not read', () => {
  const cache = new Prompter('ideal');
  cache.send(
    [
      ['a', 500],
      ['b', 400],
    ],
    { time: 0 },
  );
  expect(
    cache.send(
      [
        ['a', 500],
        ['b2', 401],
      ],
      { time: 1 },
    ).read,
  ).toBe(500);
});

test('a warm prefix is read by the first request, after the lifetime, and by a prompt that keeps nothing else', () => {
  const cache = new Prompter('ideal');
  expect(cache.send(blocks(1, 10), { time: 0, warm: 4 })).toEqual({ read: 400, write5m: 600, write1h: 0, fresh: 0 });
  expect(cache.send(blocks(1, 12), { time: 10, warm: 4 }).read).toBe(1000);
  expect(cache.send(blocks(1, 12), { time: 311, warm: 4 })).toEqual({ read: 400, write5m: 800, write1h: 0, fresh: 0 });
  expect(cache.send([...blocks(1, 4), ...blocks(101, 102)], { time: 320, warm: 4 }).read).toBe(400);
});

test('what a live request left behind a warm prefix is read with it', () => {
  const cache = new Prompter('ideal');
  cache.send(blocks(1, 10), { time: 0, warm: 2 });
  cache.send([...blocks(1, 5), ...blocks(101, 103)], { time: 200, warm: 2 });
  expect(cache.send(blocks(1, 10), { time: 250, warm: 2 }).read).toBe(1000);
});

test('a prompt shorter than the warm prefix is read whole', () => {
  expect(new Prompter('ideal').send(blocks(1, 3), { warm: 5 })).toEqual({
    read: 300,
    write5m: 0,
    write1h: 0,
    fresh: 0,
  });
});

test('none: every token is fresh', () => {
  const cache = new Prompter('none');
  cache.send(blocks(1, 10));
  expect(cache.send(blocks(1, 10))).toEqual({ read: 0, write5m: 0, write1h: 0, fresh: 1000 });
  expect(cache.send(blocks(1, 10), { warm: 4 }).fresh).toBe(1000);
});

test('what was asked for an hour lives for an hour, even after a five-minute request for it; what only that asked for does not', () => {
  const cache = new Prompter('ideal');
  cache.send(blocks(1, 10), { time: 0, ttl: '1h' });
  cache.send(blocks(101, 101), { time: 10 });
  expect(cache.send(blocks(1, 12), { time: 20 }).read).toBe(1000);
  expect(cache.send(blocks(1, 12), { time: 400 })).toMatchObject({ read: 1000, write5m: 200 });
});
