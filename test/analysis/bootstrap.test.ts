import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bootstrapSavings, familiesOf, pairedCosts, pooledSaving } from '../../src/analysis/index.ts';
import type { SessionResult } from '../../src/results/result.ts';

const one = (baseline: number[], row: number[], seed = 1, draws = 2_000) =>
  bootstrapSavings([{ baseline, row }], { seed, draws })[0];

describe('pooledSaving', () => {
  it('pools dollars, not sessions', () => {
    // A session of $9 that saves 10 %, one of $1 that loses 100 %: (8.1 + 2) / 10
    expect(pooledSaving({ baseline: [9, 1], row: [8.1, 2] })).toBeCloseTo(-0.01, 12);
  });

  it('is unknown where the baseline cost nothing', () => {
    expect(pooledSaving({ baseline: [0], row: [0] })).toBeNull();
  });
});

describe('bootstrapSavings', () => {
  it('has no width where all families save alike', () => {
    const interval = one([1, 2, 3, 4, 5], [0.75, 1.5, 2.25, 3, 3.75]);
    expect(interval?.[0]).toBeCloseTo(0.25, 12);
    expect(interval?.[1]).toBeCloseTo(0.25, 12);
  });

  it('matches the exact binomial where equal families save all or nothing', () => {
    // 10 families of $1, 5 of which are free: the share of free ones in a draw is Binomial(10, 1/2) ÷ 10.
    // P(X <= 1) = 1.07 %, P(X <= 2) = 5.5 %: the 2.5 % point is 0.2, and 0.8 by symmetry.
    const interval = one(Array(10).fill(1), [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]);
    expect(interval?.[0]).toBeCloseTo(0.2, 12);
    expect(interval?.[1]).toBeCloseTo(0.8, 12);
  });

  it('gives none with fewer than five families that compare', () => {
    expect(one([1, 1, 1, 1], [1, 1, 1, 0])).toBeNull();
    expect(one([1, 1, 1, 1, 0], [1, 1, 1, 0, 0])).toBeNull();
    expect(one([1, 1, 1, 1, 1], [1, 1, 1, 0, 1])).not.toBeNull();
    expect(bootstrapSavings([], { seed: 1 })).toEqual([]);
  });

  it('draws the same families for all rows', () => {
    const baseline = [1, 2, 3, 4, 5, 6];
    const row = [2, 1, 3, 3, 5, 5];
    const paired = bootstrapSavings(
      [
        { baseline, row },
        { baseline, row },
      ],
      { seed: 7 },
    );
    expect(paired[0]).toEqual(paired[1]);
    expect(paired[0]).toEqual(one(baseline, row, 7));
  });

  it('refuses rows over different families', () => {
    const rows = [
      { baseline: [1, 2], row: [1, 2] },
      { baseline: [1], row: [1] },
    ];
    expect(() => bootstrapSavings(rows, { seed: 1 })).toThrow('families');
  });

  it('is the same for the same seed and another for another', () => {
    const baseline = [3, 1, 4, 1, 5, 9, 2, 6];
    const row = [2, 7, 1, 8, 2, 8, 1, 8];
    expect(one(baseline, row, 42)).toEqual(one(baseline, row, 42));
    expect(one(baseline, row, 42)).not.toEqual(one(baseline, row, 43));
  });

  const money = fc.double({ min: 0.001, max: 100, noNaN: true });

  it('equal costs save exactly nothing', () => {
    fc.assert(
      fc.property(fc.array(money, { minLength: 5, maxLength: 30 }), fc.integer(), (costs, seed) => {
        expect(one(costs, costs, seed, 50)).toEqual([0, 0]);
      }),
    );
  });

  it('holds the point estimate of symmetric data', () => {
    const halves = fc.array(fc.double({ min: 0, max: 0.5, noNaN: true }), { minLength: 5, maxLength: 20 });
    fc.assert(
      fc.property(halves, fc.integer(), (deviations, seed) => {
        const baseline = deviations.flatMap(() => [1, 1]);
        const row = deviations.flatMap((deviation) => [0.8 + deviation, 0.8 - deviation]);
        const [low, high] = one(baseline, row, seed, 400) ?? [Number.NaN, Number.NaN];
        expect(low).toBeLessThanOrEqual(0.2 + 1e-9);
        expect(high).toBeGreaterThanOrEqual(0.2 - 1e-9);
      }),
      { numRuns: 40 },
    );
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
    const interval = (order: SessionResult[]) =>
      bootstrapSavings([pairedCosts(familiesOf(order), 'full', 'elide')], { seed: 3, draws: 100 });
    fc.assert(
      fc.property(fc.shuffledSubarray(many, { minLength: many.length }), (shuffled) => {
        expect(interval(shuffled)).toEqual(interval(many));
      }),
      { numRuns: 20 },
    );
  });
});
