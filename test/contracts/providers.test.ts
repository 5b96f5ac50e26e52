import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { elide } from '../../src/policies/elide.ts';
import { cacheModels, planners } from '../../src/providers/index.ts';
import { replaySeen } from '../replay/run.ts';
import { sessionOf, sonnet } from '../sessions.ts';
import { turnShapes } from '../turn-shapes.ts';

const settings = {
  recent_turns: 1,
  min_elide_chars: 300,
  min_elide_tokens: 60,
  stub_tokens: 15,
  terse_success: 'off',
};
const cardOf = (cache: string) => ({ ...sonnet, model: cacheModels.get(cache).examples[0] as string });
// Where there are no markers, where they would stand makes no difference.
const pairs = cacheModels.all.flatMap((cache) =>
  (cache.rulesFor(cardOf(cache.name)).usesMarkers ? planners.names : ['tail']).map((planner) => ({
    cache: cache.name,
    planner,
  })),
);

describe.each(pairs)('$cache under $planner', ({ cache, planner }) => {
  test('bills every token of a prompt exactly once, and reads nothing at first but what was created for it', () => {
    fc.assert(
      fc.property(turnShapes, fc.constantFrom('5m', '1h', 'never'), (turns, ttl) => {
        const policy = () => elide.create(settings);
        const { seen, fees } = replaySeen(sessionOf(turns), { policy, cache, planner, ttl, card: cardOf(cache) });
        for (const { read, write5m, write1h, fresh, prompt } of seen) {
          expect(read + write5m + write1h + fresh).toBe(prompt);
          for (const part of [read, write5m, write1h, fresh]) expect(part).toBeGreaterThanOrEqual(0);
        }
        const created = fees.reduce((sum, { usage }) => sum + usage.cacheWrite5m, 0);
        expect(seen[0]?.read).toBeLessThanOrEqual(created);
      }),
      { numRuns: 25 },
    );
  });
});

describe.each(planners.all)('planner $name', (planner) => {
  const context = fc.integer({ min: 1, max: 60 }).chain((length) =>
    fc.record({
      length: fc.constant(length),
      systemEnd: fc.integer({ min: -1, max: length - 1 }),
      stable: fc.integer({ min: -1, max: length - 1 }),
      previousStable: fc.integer({ min: -1, max: length - 1 }),
      previousTail: fc.integer({ min: -1, max: length - 1 }),
      lastReply: fc.integer({ min: -1, max: length - 1 }),
    }),
  );

  test('places one to four markers, ascending, inside the prompt', () => {
    fc.assert(
      fc.property(context, ({ length, ...positions }) => {
        const nodes = Int32Array.from({ length }, (_, at) => at);
        const ends = Float64Array.from({ length }, (_, at) => (at + 1) * 100);
        const out = new Int32Array(8).fill(-7);
        const count = planner.plan({ view: { length, nodes, ends, blocksAt: () => 1 }, ...positions }, out);
        expect(count).toBeGreaterThan(0);
        // Four per request is the provider's limit (providers.md §1.1).
        expect(count).toBeLessThanOrEqual(4);
        const markers = [...out.subarray(0, count)];
        expect(markers).toEqual([...new Set(markers)].sort((a, b) => a - b));
        for (const marker of markers) expect(marker >= 0 && marker < length).toBe(true);
      }),
    );
  });
});
