import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  effectiveCount,
  estimateSaving,
  familiesOf,
  pairedCosts,
  pooledSaving,
  signTest,
  studentQuantile,
} from '../../src/analysis/index.ts';
import type { SessionResult } from '../../src/results/result.ts';

const intervalOf = (baseline: number[], row: number[]) => estimateSaving({ baseline, row }).ci95;

describe('pooledSaving', () => {
  it('pools dollars, not sessions', () => {
    // A session of $9 that saves 10 %, one of $1 that loses 100 %: (8.1 + 2) / 10
    expect(pooledSaving({ baseline: [9, 1], row: [8.1, 2] })).toBeCloseTo(-0.01, 12);
  });

  it('is unknown where the baseline cost nothing', () => {
    expect(pooledSaving({ baseline: [0], row: [0] })).toBeNull();
  });
});

describe('estimateSaving', () => {
  it('has no width where all families save alike, and rests on all of them', () => {
    const { ci95, effective } = estimateSaving({ baseline: [1, 2, 3, 4, 5], row: [0.75, 1.5, 2.25, 3, 3.75] });
    expect(ci95?.[0]).toBeCloseTo(0.25, 12);
    expect(ci95?.[1]).toBeCloseTo(0.25, 12);
    expect(effective).toBe(5);
  });

  it('is the mean and its t interval where families are of one size', () => {
    // Savings 0, 0.1, 0.2, 0.3, 0.4: mean 0.2, standard error sqrt(0.025 / 5) = 0.0707107. Squared residuals 4, 1, 0, 1, 4
    // hundredths: (10)² ÷ 34 = 2.941 in effect; Student's t there is 3.22, between 3.5747 at 2.5 and 3.1824 at 3.
    const { ci95, effective } = estimateSaving({ baseline: [1, 1, 1, 1, 1], row: [1, 0.9, 0.8, 0.7, 0.6] });
    expect(effective).toBeCloseTo(100 / 34, 9);
    const reach = studentQuantile(100 / 34) * Math.sqrt(0.025 / 5);
    expect(ci95?.[0]).toBeCloseTo(0.2 - reach, 9);
    expect(ci95?.[1]).toBeCloseTo(0.2 + reach, 9);
    expect(reach).toBeGreaterThan(3.1824 * 0.0707);
    expect(reach).toBeLessThan(3.5747 * 0.0708);
  });

  it('a difference that sits in one family is hardly known: one session in effect', () => {
    const { ci95, effective } = estimateSaving({ baseline: Array(20).fill(1), row: [0, ...Array(19).fill(1)] });
    expect(effective).toBeLessThan(1.2);
    expect(ci95?.[0]).toBeLessThan(-0.2);
    expect(ci95?.[1]).toBeGreaterThan(0.3);
  });

  it('gives none with fewer than five families that compare', () => {
    expect(intervalOf([1, 1, 1, 1], [1, 1, 1, 0])).toBeNull();
    expect(intervalOf([1, 1, 1, 1, 0], [1, 1, 1, 0, 0])).toBeNull();
    expect(intervalOf([1, 1, 1, 1, 1], [1, 1, 1, 0, 1])).not.toBeNull();
    expect(estimateSaving({ baseline: [0], row: [0] })).toEqual({ saving: null, ci95: null, effective: null });
  });

  const money = fc.double({ min: 0.001, max: 100, noNaN: true });
  const families = fc.array(fc.tuple(money, fc.double({ min: 0, max: 2, noNaN: true })), {
    minLength: 5,
    maxLength: 30,
  });

  it('equal costs save exactly nothing', () => {
    fc.assert(
      fc.property(fc.array(money, { minLength: 5, maxLength: 30 }), (costs) => {
        expect(intervalOf(costs, costs)).toEqual([0, 0]);
      }),
    );
  });

  it('holds the point estimate, and no more families in effect than there are', () => {
    fc.assert(
      fc.property(families, (drawn) => {
        const [baseline, row] = [drawn.map(([spent]) => spent), drawn.map(([spent, share]) => spent * share)];
        const { saving, ci95, effective } = estimateSaving({ baseline, row });
        expect(ci95?.[0]).toBeLessThanOrEqual((saving as number) + 1e-12);
        expect(ci95?.[1]).toBeGreaterThanOrEqual((saving as number) - 1e-12);
        expect(effective).toBeLessThanOrEqual(baseline.length + 1e-9);
        expect(effective).toBeGreaterThanOrEqual(1 - 1e-9);
      }),
    );
  });

  it('is the same for all currencies', () => {
    fc.assert(
      fc.property(families, fc.constantFrom(0.5, 2, 1024), (drawn, rate) => {
        const [baseline, row] = [drawn.map(([spent]) => spent), drawn.map(([spent, share]) => spent * share)];
        const inOther = intervalOf(
          baseline.map((usd) => usd * rate),
          row.map((usd) => usd * rate),
        );
        expect(inOther?.[0]).toBeCloseTo(intervalOf(baseline, row)?.[0] as number, 9);
      }),
    );
  });
});

describe('effectiveCount', () => {
  it('counts equal weights, and only the one that matters', () => {
    expect(effectiveCount([2, 2, 2])).toBe(3);
    expect(effectiveCount([1, 0, 0])).toBe(1);
    expect(effectiveCount([0, 0])).toBe(2);
    expect(effectiveCount([3, 1])).toBeCloseTo(1.6, 12);
  });
});

describe('studentQuantile', () => {
  it('has the published points, and never rises', () => {
    expect(studentQuantile(1)).toBe(12.7062);
    expect(studentQuantile(0.5)).toBe(12.7062);
    expect(studentQuantile(10)).toBe(2.2281);
    // Published: 2.0860 at 20, 2.7764 at 4, 2.1788 at 12.
    expect(studentQuantile(20)).toBeCloseTo(2.086, 2);
    expect(studentQuantile(12)).toBeCloseTo(2.1788, 2);
    expect(studentQuantile(Number.POSITIVE_INFINITY)).toBe(1.96);
    for (let freedom = 1; freedom < 200; freedom += 0.25)
      expect(studentQuantile(freedom + 0.25)).toBeLessThanOrEqual(studentQuantile(freedom));
  });
});

describe('signTest', () => {
  it('is the exact binomial', () => {
    // 1 of 10: 2 × (1 + 10) ÷ 1024.
    expect(signTest(9, 1)).toBeCloseTo(22 / 1024, 12);
    expect(signTest(1, 9)).toBeCloseTo(22 / 1024, 12);
    expect(signTest(5, 5)).toBe(1);
    expect(signTest(0, 0)).toBe(1);
    expect(signTest(0, 5)).toBeCloseTo(2 / 32, 12);
    expect(signTest(900, 600)).toBeLessThan(1e-10);
    expect(signTest(900, 600)).toBeGreaterThan(0);
  });
});

const session = (id: string, cost: SessionResult['cost'], parent?: string): SessionResult => ({
  id,
  ...(parent === undefined ? {} : { parent }),
  file: `${id}.jsonl`,
  format: 'native',
  model: 'm',
  turns: 1,
  requests: 1,
  cost,
  events: [],
});

describe('families', () => {
  const sessions = [
    session('b', { full: 1, elide: 0.5 }),
    session('a', { full: 2, elide: 1 }),
    session('b/child', { full: 4, elide: null }, 'b'),
    session('b/child/grandchild', { full: 8, elide: 6 }, 'b/child'),
    session('orphan-2', { full: 16, elide: 15 }, 'not-read'),
    session('orphan-1', { full: 32, elide: 30 }, 'not-read'),
  ];

  it('keeps sub-agents with their parent, even when it was not read', () => {
    expect(familiesOf(sessions).map((family) => family.map(({ id }) => id))).toEqual([
      ['a'],
      ['b', 'b/child', 'b/child/grandchild'],
      ['orphan-1', 'orphan-2'],
    ]);
  });

  it('sums over the sessions that both could send', () => {
    expect(pairedCosts(familiesOf(sessions), 'full', 'elide')).toEqual({ baseline: [2, 9, 48], row: [1, 6.5, 45] });
    expect(pairedCosts(familiesOf(sessions), 'full', 'absent')).toEqual({ baseline: [0, 0, 0], row: [0, 0, 0] });
  });

  it('survives a circle of parents', () => {
    const circle = [session('x', {}, 'y'), session('y', {}, 'x'), session('z', {}, 'z')];
    expect(familiesOf(circle).map((family) => family.map(({ id }) => id))).toEqual([['x', 'y'], ['z']]);
  });

  it('an order of the input changes nothing', () => {
    const many = Array.from({ length: 12 }, (_, at) => session(`s${at}`, { full: at + 1, elide: (at * 7) % 11 }));
    const interval = (order: SessionResult[]) => estimateSaving(pairedCosts(familiesOf(order), 'full', 'elide'));
    fc.assert(
      fc.property(fc.shuffledSubarray(many, { minLength: many.length }), (shuffled) => {
        expect(interval(shuffled)).toEqual(interval(many));
      }),
      { numRuns: 20 },
    );
  });
});
