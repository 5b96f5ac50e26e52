import { expect, test } from 'vitest';
import { full } from '../../src/policies/full.ts';
import { SessionBuilder } from '../../src/session/builder.ts';
import { zeroUsage } from '../../src/session/usage.ts';
import { size } from '../sessions.ts';
import { replaySeen } from './run.ts';

/** A system part of 2,000 tokens, then 1,000 before each request. */
function splits(recorded: readonly [seconds: number, read: number, write5m: number, write1h: number][], ttl?: '5m') {
  const builder = new SessionBuilder();
  builder.block({ kind: 'system', size: size(2000) });
  for (const [seconds, cacheRead, cacheWrite5m, cacheWrite1h] of recorded) {
    builder.turn();
    builder.block({ kind: 'prompt', size: size(1000) });
    builder.request({ time: seconds * 1000, usage: { ...zeroUsage, cacheRead, cacheWrite5m, cacheWrite1h } });
  }
  const session = builder.build({ id: 's', content: 'sizes', tokenizer: 'model', model: 'claude-sonnet-4-5' });
  const { seen } = replaySeen(session, { policy: () => full.create({}), planner: 'tail', ttl: ttl ?? 'recorded' });
  return seen.map(({ read, write5m, write1h }) => [read, write5m, write1h]);
}

test('a request that wrote both: its system part for an hour, its tail for five minutes, and so do those after it', () => {
  const recorded: Parameters<typeof splits>[0] = [
    [0, 0, 1000, 2000],
    [10, 3000, 1000, 0],
    // Six minutes later the tail is gone and the system part is not; an hour after that both are.
    [370, 2000, 3000, 0],
    [3971, 0, 4000, 2000],
  ];
  expect(splits(recorded)).toEqual([
    [0, 1000, 2000],
    [3000, 1000, 0],
    [2000, 3000, 0],
    [0, 4000, 2000],
  ]);
  expect(splits(recorded, '5m')[0]).toEqual([0, 3000, 0]);
});

test('a request that wrote one kind and read nothing shows that it asked for no other', () => {
  expect(
    splits([
      [0, 0, 1000, 2000],
      [4000, 0, 4000, 0],
      [8000, 0, 0, 5000],
    ]),
  ).toEqual([
    [0, 1000, 2000],
    [0, 4000, 0],
    [0, 0, 5000],
  ]);
});
