import { expect, test } from 'vitest';
import type { Settings } from '../../src/policies/policy.ts';
import { truncateIngest } from '../../src/policies/truncate-ingest.ts';
import { replaySeen } from '../replay/run.ts';
import { sessionOf, type TurnShape } from '../sessions.ts';
import { make } from './defaults.ts';

/** Results of 3,333 and 3,334 tokens: 9,999 and 10,002 characters. */
const turns: TurnShape[] = [
  { prompt: 50, reply: 40, rounds: [3333, 3334, 30_000].map((result) => ({ call: 30, result })) },
];
const replay = (settings: Settings = {}) => replaySeen(sessionOf(turns), { policy: make(truncateIngest, settings) });
const results = (settings: Settings = {}) =>
  replay(settings)
    .seen.at(-1)
    ?.tokens.filter((_, at) => at > 2 && at % 2 === 1);

test('a result of the given length is cut to what may stay, a shorter one is not, and none grows', () => {
  expect(results()).toEqual([3333, 3334, 3353]);
  expect(results({ mark_tokens: 0 })).toEqual([3333, 3333, 3333]);
});

test('tokens may decide instead', () => {
  expect(results({ max_chars: 0, max_tokens: 3333, kept_tokens: 1000 })).toEqual([3333, 1020, 1020]);
});

test('it is never sent whole and changes no prefix', () => {
  const { seen } = replay();
  expect(seen.map(({ tokens }) => tokens.at(-1))).toEqual([50, 3333, 3334, 3353]);
  for (const [index, { read }] of seen.entries()) if (index > 0) expect(read).toBe(seen[index - 1]?.prompt);
});
