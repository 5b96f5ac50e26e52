import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planners } from '../../src/providers/index.ts';
import type { PlanContext } from '../../src/providers/provider.ts';

const view = { length: 31, nodes: new Int32Array(31), ends: new Float64Array(31) };
const context: PlanContext = { view, systemEnd: 2, stable: 12, previousStable: 8, previousTail: 25 };

function plan(name: string, changes: Partial<PlanContext> = {}): number[] {
  const out = new Int32Array(4);
  return [...out.subarray(0, planners.get(name).plan({ ...context, ...changes }, out))];
}

describe('where the markers stand', () => {
  test.each([
    ['tail', [2, 30]],
    ['last-two', [2, 25, 30]],
    ['anchor', [2, 8, 12, 30]],
    ['claude-code', [1, 2, 30]],
    ['copilot', [1, 2, 25, 30]],
    ['opencode', [30]],
    ['auto', [30]],
  ])('%s', (name, places) => expect(plan(name)).toEqual(places));

  test('anchor has every marker of tail, so that it never reads less', () => {
    const place = fc.integer({ min: -1, max: 30 });
    fc.assert(
      fc.property(place, place, place, place, (systemEnd, stable, previousStable, previousTail) => {
        const places = { systemEnd, stable: Math.max(0, stable), previousStable, previousTail };
        expect(plan('anchor', places)).toEqual(expect.arrayContaining(plan('tail', places)));
      }),
    );
  });

  test('places that are gone or stand twice are left out, and the rest stays in order', () => {
    expect(plan('anchor', { previousStable: -1, stable: 30, previousTail: -1 })).toEqual([2, 30]);
    // A boundary that has not moved leaves a place to the last block of the request before.
    expect(plan('anchor', { previousStable: 5, stable: 5, previousTail: 25 })).toEqual([2, 5, 25, 30]);
    expect(plan('anchor', { previousStable: 20, stable: 5 })).toEqual([2, 5, 20, 30]);
    expect(plan('claude-code', { systemEnd: 0 })).toEqual([0, 30]);
    expect(plan('tail', { systemEnd: -1 })).toEqual([30]);
    expect(plan('last-two', { previousTail: -1 })).toEqual([2, 30]);
  });
});
