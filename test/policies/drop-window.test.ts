import { expect, test } from 'vitest';
import { dropWindow } from '../../src/policies/drop-window.ts';
import type { Settings } from '../../src/policies/policy.ts';
import { replaySeen } from '../replay/run.ts';
import { sessionOf, type TurnShape } from '../sessions.ts';
import { make } from './defaults.ts';

const turns: TurnShape[] = [6, 3].map((count) => ({
  prompt: 50,
  reply: 40,
  rounds: Array.from({ length: count }, () => ({ call: 30, result: 500 })),
}));
const replay = (settings: Settings, options = {}) =>
  replaySeen(sessionOf(turns), { policy: make(dropWindow, settings), ...options });
/** Blocks of each request behind the system prompt. */
const lengths = (settings: Settings, options = {}) => replay(settings, options).seen.map(({ ids }) => ids.length - 1);

test('without a trigger it slides, and never parts a call from its result', () => {
  expect(lengths({ keep_messages: 4 })).toEqual([1, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4]);
  expect(lengths({ keep_messages: 3 })).toEqual([1, 3, 4, 4, 4, 4, 4, 4, 3, 4, 4]);
  expect(lengths({ keep_messages: 3, round: 'down' })).toEqual([1, 3, 2, 2, 2, 2, 2, 2, 3, 2, 2]);
});

test('the head stays', () => {
  expect(lengths({ keep_first: 1, keep_messages: 2 })).toEqual([1, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3]);
});

test('with a trigger above what it keeps it moves in steps', () => {
  const settings = { measure: 'messages', trigger: 8, strict: 'yes', keep_messages: 4 };
  expect(lengths(settings)).toEqual([1, 3, 5, 7, 4, 6, 8, 4, 6, 8, 4]);
});

test('as much stays as fits below the level', () => {
  const settings = { trigger: 4000, strict: 'yes', keep_level: 1, round: 'down' };
  const { seen } = replay(settings);
  expect(seen.map(({ prompt }) => prompt)).toEqual([2050, 2580, 3110, 3640, 3590, 3590, 3590, 3680, 3680, 3680, 3680]);
});

test('in an overflow what does not fit is dropped, and the request can be sent', () => {
  const settings = { when: 'overflow', trigger_reserve: 0, keep_level: 1, round: 'down' };
  const { seen, unsendable } = replay(settings, { window: 4000, outputReserve: 100 });
  expect(Math.max(...seen.map(({ prompt }) => prompt))).toBeLessThanOrEqual(4000);
  expect(unsendable).toBe(0);
});

test('what stays in front can be read after every step', () => {
  const { seen } = replay({ keep_first: 1, keep_messages: 2 });
  for (const { read } of seen.slice(3)) expect(read).toBe(2050);
});
