import { expect, test } from 'vitest';
import type { RateCard } from '../../../src/providers/prices/rates.ts';
import { sonnet } from '../../sessions.ts';
import { type Part, Prompter } from './prompt.ts';

const card = (model: string): RateCard => ({ ...sonnet, model, provider: 'deepseek', chargesWrites: false });
const cache = () => new Prompter('deepseek', card('deepseek-v4-pro'));
const [a, b, c, d]: Part[] = [
  ['a', 1000],
  ['b', 100],
  ['c', 200],
  ['d', 300],
];

test('A+B then A+C misses, and the third request that begins with A reads it', () => {
  const sent = cache();
  expect(sent.send([a, b] as Part[]).read).toBe(0);
  expect(sent.send([a, c] as Part[]).read).toBe(0);
  expect(sent.send([a, d] as Part[])).toEqual({ read: 1000, write5m: 0, write1h: 0, fresh: 300 });
});

test('a conversation reads its last prompt and the reply to it', () => {
  const sent = cache();
  sent.send([a] as Part[]);
  sent.reply(b as Part);
  expect(sent.send([a, b, c] as Part[])).toMatchObject({ read: 1100, fresh: 200 });
  // The reply was not the one that was given: the prompt before it is the unit that is left.
  const other = cache();
  other.send([a] as Part[]);
  other.reply(b as Part);
  expect(other.send([a, d, c] as Part[])).toMatchObject({ read: 1000, fresh: 500 });
});

test('a unit lives for a day after its last use', () => {
  const sent = cache();
  sent.send([a] as Part[], { time: 0 });
  expect(sent.send([a, b] as Part[], { time: 86_400 }).read).toBe(1000);
  expect(sent.send([a, b, c] as Part[], { time: 2 * 86_400 + 1 }).read).toBe(0);
});

test('models of the V3 time read in steps of 64 tokens', () => {
  const sent = new Prompter('deepseek', card('deepseek-chat'));
  sent.send([a] as Part[]);
  // 15 × 64 = 960.
  expect(sent.send([a, b] as Part[])).toMatchObject({ read: 960, fresh: 140 });
});
