import fc from 'fast-check';
import type { TurnShape } from './sessions.ts';

/** Random sessions: pauses around the five-minute lifetime, results around the 300-character rule. */
export const turnShapes: fc.Arbitrary<TurnShape[]> = fc.array(
  fc.record({
    prompt: fc.integer({ min: 1, max: 400 }),
    reply: fc.integer({ min: 1, max: 400 }),
    pauseSeconds: fc.constantFrom(0, 20, 250, 290, 299, 300, 301, 400, 4000),
    rounds: fc.array(fc.record({ call: fc.integer({ min: 1, max: 200 }), result: fc.integer({ min: 1, max: 2500 }) }), {
      maxLength: 14,
    }),
  }),
  { minLength: 1, maxLength: 7 },
);
