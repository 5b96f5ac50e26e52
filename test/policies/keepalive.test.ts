import { describe, expect, test } from 'vitest';
import { keepalive } from '../../src/policies/keepalive.ts';
import type { Settings } from '../../src/policies/policy.ts';
import { replaySeen } from '../replay/run.ts';
import { sessionOf, type TurnShape } from '../sessions.ts';
import { make } from './defaults.ts';

/** Two turns with a pause between them; the second begins at 2580 tokens and 40 of reply. */
function replay(pauseSeconds: number, settings: Settings = {}) {
  const turn: TurnShape = { prompt: 50, reply: 40, rounds: [{ call: 30, result: 500 }] };
  const session = sessionOf([turn, { ...turn, pauseSeconds }]);
  const { seen, calls, callCounts } = replaySeen(session, { policy: make(keepalive, { min_tokens: 0, ...settings }) });
  return { pings: callCounts.total, read: seen[2]?.read, calls };
}

describe('in a pause', () => {
  test('that the entry survives, nothing is sent', () => {
    expect(replay(200)).toMatchObject({ pings: 0, read: 2580 });
  });

  test('a ping at the end of its life keeps the prefix, and the reply, for another', () => {
    expect(replay(400)).toMatchObject({ pings: 1, read: 2620 });
    expect(replay(400).calls[0]?.usage).toMatchObject({ cacheRead: 2580, output: 1 });
  });

  test('so many at most: nobody knows how long it will be', () => {
    expect(replay(1000)).toMatchObject({ pings: 1, read: 0 });
    expect(replay(1000, { pings: 2 })).toMatchObject({ pings: 2, read: 0 });
    expect(replay(1000, { pings: 9 })).toMatchObject({ pings: 3, read: 2620 });
  });

  test('small prompts are left to expire', () => {
    expect(replay(400, { min_tokens: 2620 }).pings).toBe(1);
    expect(replay(400, { min_tokens: 2621 }).pings).toBe(0);
  });
});
