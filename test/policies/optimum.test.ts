import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { elide } from '../../src/policies/elide.ts';
import { optimum } from '../../src/policies/optimum.ts';
import type { Schedule } from '../../src/policies/policy.ts';
import { replaySeen } from '../replay/run.ts';
import { sessionOf } from '../sessions.ts';
import { turnShapes } from '../turn-shapes.ts';

const settings = { min_elide_chars: 300, min_elide_tokens: 60, stub_tokens: 15 };
const windowed = (recent_turns: number) => elide.create({ ...settings, recent_turns, terse_success: 'off' });
const scheduled = (acts: Schedule) => {
  if (!optimum.createScheduled) throw new Error('it is told the future');
  return optimum.createScheduled(settings, acts);
};

describe('optimum', () => {
  test('at every turn start is elide without a window', () => {
    fc.assert(
      fc.property(turnShapes, (turns) => {
        const session = sessionOf(turns);
        const every = [...turns.map((_, at) => at + 1), turns.length + 1];
        const acted = replaySeen(session, { policy: () => scheduled(every) });
        expect(acted).toEqual(replaySeen(session, { policy: () => windowed(0) }));
      }),
      { numRuns: 60 },
    );
  });

  test('is told of no turn start by itself, and is the full history', () => {
    fc.assert(
      fc.property(turnShapes, (turns) => {
        const session = sessionOf(turns);
        const whole = replaySeen(session, { policy: () => ({ events: [], on: () => undefined }) });
        expect(replaySeen(session, { policy: () => optimum.create(settings) })).toEqual(whole);
      }),
      { numRuns: 30 },
    );
  });

  const turns = Array.from({ length: 4 }, () => ({ prompt: 50, reply: 40, rounds: [{ call: 30, result: 2000 }] }));
  /** Tokens of the results in the last request of each turn. */
  const results = (acts: Schedule) => {
    const session = sessionOf(turns);
    const { seen, origins } = replaySeen(session, { policy: () => scheduled(acts) });
    return [1, 3, 5, 7].map((request) =>
      (origins[request] ?? []).flatMap((block, at) =>
        session.blocks[block]?.kind === 'result' ? [seen[request]?.tokens[at]] : [],
      ),
    );
  };

  test('cuts all that is older where it acts, and nothing between', () => {
    expect(results([3])).toEqual([[2000], [2000, 2000], [10, 10, 2000], [10, 10, 2000, 2000]]);
  });

  test('before every request leaves only what no request has carried', () => {
    const session = sessionOf([{ prompt: 50, reply: 40, rounds: [0, 1, 2].map(() => ({ call: 30, result: 900 })) }]);
    const { seen } = replaySeen(session, { policy: () => scheduled('every request') });
    expect(seen.map(({ tokens }) => tokens.filter((count) => count === 900).length)).toEqual([0, 1, 1, 1]);
    expect(results('every request')).toEqual([[2000], [10, 2000], [10, 10, 2000], [10, 10, 10, 2000]]);
  });
});
