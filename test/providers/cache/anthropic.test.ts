import { describe, expect, test } from 'vitest';
import { anthropicRule } from '../../../src/providers/cache/anthropic-rules.ts';
import type { Split } from '../../../src/providers/provider.ts';
import { sonnet } from '../../sessions.ts';
import { blocks, type Part, Prompter } from './prompt.ts';

const haiku = { ...sonnet, model: 'claude-haiku-4-5' };

describe('entries stand at markers only', () => {
  test('a request without markers is all fresh, and leaves nothing to read', () => {
    const cache = new Prompter('anthropic');
    expect(cache.send(blocks(1, 20))).toEqual({ read: 0, write5m: 0, write1h: 0, fresh: 2000 });
    expect(cache.send(blocks(1, 20), { markers: [19] })).toEqual({ read: 0, write5m: 2000, write1h: 0, fresh: 0 });
  });

  test('the tail behind the last marker is plain input', () => {
    const cache = new Prompter('anthropic');
    expect(cache.send(blocks(1, 20), { markers: [14] })).toEqual({ read: 0, write5m: 1500, write1h: 0, fresh: 500 });
    expect(cache.send(blocks(1, 22), { markers: [21] })).toEqual({ read: 1500, write5m: 700, write1h: 0, fresh: 0 });
  });

  test('a prompt that keeps the first part only reads up to the last marker inside it', () => {
    const cache = new Prompter('anthropic');
    cache.send(blocks(1, 30), { markers: [11, 29] });
    const changed = [...blocks(1, 20), ...blocks(101, 110)];
    expect(cache.send(changed, { markers: [11, 29] })).toEqual({ read: 1200, write5m: 1800, write1h: 0, fresh: 0 });
  });

  test('a fifth marker is refused', () => {
    expect(() => new Prompter('anthropic').send(blocks(1, 20), { markers: [1, 2, 3, 4, 5] })).toThrow(/at most 4/);
  });
});

describe('look-back of 20 blocks before the marker, as measured (the page says 20 positions with the marker itself)', () => {
  test('an entry 20 blocks back is found', () => {
    const cache = new Prompter('anthropic');
    cache.send(blocks(1, 15), { markers: [14] });
    expect(cache.send(blocks(1, 35), { markers: [34] }).read).toBe(1500);
  });

  test('thinking is passed over without being counted', () => {
    const cache = new Prompter('anthropic');
    cache.send(blocks(1, 15), { markers: [14] });
    const thinking: Part[] = [1, 2].map((at) => [`thinking ${at}`, 100]);
    const prompt = [...blocks(1, 15), ...thinking, ...blocks(16, 35)];
    expect(cache.send(prompt, { markers: [36] }).read).toBe(1500);
  });

  test('an entry 21 blocks back is missed, and the whole prompt is written again', () => {
    const cache = new Prompter('anthropic');
    cache.send(blocks(1, 14), { markers: [13] });
    expect(cache.send(blocks(1, 35), { markers: [34] })).toEqual({ read: 0, write5m: 3500, write1h: 0, fresh: 0 });
  });

  test('an earlier marker looks back from its own place', () => {
    const cache = new Prompter('anthropic');
    cache.send(blocks(1, 15), { markers: [14] });
    expect(cache.send(blocks(1, 35), { markers: [30, 34] }).read).toBe(1500);
  });
});

describe('smallest prefix', () => {
  test('a marker below it is ignored, counted from the start of the prompt', () => {
    const cache = new Prompter('anthropic', haiku);
    expect(cache.send(blocks(1, 40), { markers: [39] })).toEqual({ read: 0, write5m: 0, write1h: 0, fresh: 4000 });
    expect(cache.send(blocks(1, 41), { markers: [9, 40] })).toEqual({ read: 0, write5m: 4100, write1h: 0, fresh: 0 });
  });

  test.each([
    ['claude-opus-4-7', '2026-06-08', 4096],
    ['claude-opus-4-7', '2026-06-09', 2048],
    ['claude-sonnet-4-6', '2026-02-20', 1024],
    ['claude-sonnet-4-6', '2026-03-01', 2048],
    ['claude-sonnet-4-6', '2026-05-14', 1024],
    ['claude-opus-4-5', '2026-06-01', 4096],
    ['claude-opus-5', '2026-08-21', 512],
    ['claude-fable-5', '2026-08-21', 512],
    ['claude-opus-4-8', '2026-08-21', 1024],
    ['claude-haiku-3-5', '2026-08-21', 2048],
  ])('%s on %s: %i tokens', (model, date, tokens) => {
    expect(anthropicRule(model, Date.parse(date)).minPrefixTokens).toBe(tokens);
  });

  test('numbers that nobody published say so', () => {
    for (const model of ['claude-opus-5-5', 'claude-sonnet-5-5', 'claude-haiku-5-5', 'claude-fable-5-1']) {
      expect(anthropicRule(model).assumed).toBe(true);
    }
  });
});

describe('lifetime', () => {
  const prompt = blocks(1, 20);
  const tail = { markers: [19] };

  test('five minutes from the start of the request, the last second included', () => {
    const cache = new Prompter('anthropic');
    cache.send(prompt, { time: 0, ...tail });
    expect(cache.send(prompt, { time: 300, ...tail }).read).toBe(2000);
    expect(cache.send(prompt, { time: 600.001, ...tail }).write5m).toBe(2000);
  });

  test('a read refreshes, for free', () => {
    const cache = new Prompter('anthropic');
    for (const time of [0, 200, 400, 600]) cache.send(prompt, { time, ...tail });
    expect(cache.send(prompt, { time: 850, ...tail }).read).toBe(2000);
  });

  test('reading a longer prefix keeps the shorter entries alive', () => {
    const cache = new Prompter('anthropic');
    cache.send(prompt, { time: 0, markers: [14, 19] });
    cache.send(prompt, { time: 250, ...tail });
    const changed = [...blocks(1, 15), ...blocks(101, 105)];
    expect(cache.send(changed, { time: 500, markers: [14, 19] })).toEqual({
      read: 1500,
      write5m: 500,
      write1h: 0,
      fresh: 0,
    });
  });

  test('an entry that has died is not brought back by reading a longer one', () => {
    const cache = new Prompter('anthropic');
    cache.send(blocks(1, 15), { time: 0, markers: [14] });
    // A look-back miss: the 36-block prompt is written anew at 299 s, its marker is too far from block 15 to read it.
    cache.send(blocks(1, 36), { time: 299, markers: [35] });
    cache.send(blocks(1, 36), { time: 310, markers: [35] });
    const changed = [...blocks(1, 15), ...blocks(101, 105)];
    expect(cache.send(changed, { time: 320, markers: [14, 19] }).read).toBe(0);
  });

  test('one hour, and never', () => {
    const hour = new Prompter('anthropic');
    expect(hour.send(prompt, { time: 0, ttl: '1h', ...tail }).write1h).toBe(2000);
    expect(hour.send(prompt, { time: 3600, ttl: '1h', ...tail }).read).toBe(2000);
    expect(hour.send(prompt, { time: 7300, ttl: '1h', ...tail }).write1h).toBe(2000);
    const never = new Prompter('anthropic');
    expect(never.send(prompt, { time: 0, ttl: 'never', ...tail }).write5m).toBe(2000);
    expect(never.send(prompt, { time: 1e9, ttl: 'never', ...tail }).read).toBe(2000);
  });

  test('a first request without a time is as old as the one after it', () => {
    for (const cache of [new Prompter('anthropic'), new Prompter('ideal')]) {
      cache.send(prompt, { ...tail });
      expect(cache.send(prompt, { time: 1_700_000_000, ...tail }).read).toBe(2000);
      expect(cache.send(prompt, { time: 1_700_000_301, ...tail }).read).toBe(0);
    }
  });

  test('an unknown time is no time passed, and a clock that runs backwards stands still', () => {
    const cache = new Prompter('anthropic');
    cache.send(prompt, { time: 1000, ...tail });
    expect(cache.send(prompt, { ...tail }).read).toBe(2000);
    expect(cache.send(prompt, { time: 10, ...tail }).read).toBe(2000);
    expect(cache.send(prompt, { time: 1299, ...tail }).read).toBe(2000);
  });
});

describe('mixed lifetimes: read to A, one hour to B, five minutes to C', () => {
  test('the one-hour part ends at its last marker', () => {
    const cache = new Prompter('anthropic');
    cache.send(blocks(1, 12), { time: 0, markers: [11], longMarkers: 1 });
    const split = cache.send(blocks(1, 30), { time: 10, markers: [11, 19, 27], longMarkers: 2 });
    expect(split).toEqual({ read: 1200, write1h: 800, write5m: 800, fresh: 200 });
  });

  test('after six minutes the one-hour entry is left', () => {
    const cache = new Prompter('anthropic');
    cache.send(blocks(1, 30), { time: 0, markers: [11, 29], longMarkers: 1 });
    expect(cache.send(blocks(1, 30), { time: 360, markers: [11, 29], longMarkers: 1 })).toEqual({
      read: 1200,
      write1h: 0,
      write5m: 1800,
      fresh: 0,
    });
  });
});

describe('a warm prefix', () => {
  test('is an entry that every request finds, the first and after the lifetime', () => {
    const cache = new Prompter('anthropic');
    const tail = { warm: 15, markers: [19] };
    expect(cache.send(blocks(1, 20), { time: 0, ...tail })).toEqual({ read: 1500, write5m: 500, write1h: 0, fresh: 0 });
    expect(cache.send(blocks(1, 20), { time: 10, ...tail }).read).toBe(2000);
    expect(cache.send(blocks(1, 20), { time: 400, ...tail }).read).toBe(1500);
  });

  test('is found by look-back only, and needs a marker', () => {
    expect(new Prompter('anthropic').send(blocks(1, 20), { warm: 15 }).fresh).toBe(2000);
    const far = { warm: 14, markers: [34] };
    expect(new Prompter('anthropic').send(blocks(1, 35), far).read).toBe(0);
    const near = { warm: 15, markers: [34] };
    expect(new Prompter('anthropic').send(blocks(1, 35), near).read).toBe(1500);
  });

  test('gives a longer prefix that has died no new life', () => {
    const cache = new Prompter('anthropic');
    cache.send(blocks(1, 20), { time: 0, warm: 12, markers: [14, 19] });
    cache.send(blocks(1, 20), { time: 301, warm: 12, markers: [11] });
    expect(cache.send(blocks(1, 20), { time: 310, warm: 12, markers: [14] }).read).toBe(1200);
  });
});

test('a marker behind the last one costs a quarter more once, and a tenth each time that it is found', () => {
  // In input tokens: 2,000 at 1.25 and then 0.1, against 1 each time.
  const dollars = ({ read, write5m, fresh }: Split) => read * 0.1 + write5m * 1.25 + fresh;
  const marked = new Prompter('anthropic');
  const plain = new Prompter('anthropic');
  const bills = [dollars, dollars].map((cost) => [
    cost(marked.send(blocks(1, 20), { markers: [19] })),
    cost(plain.send(blocks(1, 20))),
  ]);
  expect(bills).toEqual([
    [2500, 2000],
    [200, 2000],
  ]);
});
