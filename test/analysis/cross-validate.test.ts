import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Choice, crossValidate, firstWithin, pickBest } from '../../src/analysis/cross-validate.ts';

const choice = (label: string, row: readonly number[], baseline = row.map(() => 100)): Choice => ({
  label,
  costs: { baseline, row },
});
const rule = { seed: 1, pick: pickBest };

test('one setting that is better in every session: both savings agree, and it is always picked', () => {
  const cross = crossValidate([choice('a', new Array(8).fill(80)), choice('b', new Array(8).fill(90))], rule);
  expect(cross).toEqual({
    families: 8,
    splits: 200,
    apparent: expect.closeTo(0.2, 12),
    honest: expect.closeTo(0.2, 12),
    picks: [{ label: 'a', times: 200 }],
  });
});

test('each setting good in one session only: what is picked there costs elsewhere', () => {
  // Six settings, setting i saves 60 in session i and costs 12 more in each of the five others: nothing is saved over all.
  const choices = Array.from({ length: 6 }, (_, at) =>
    choice(
      `s${at}`,
      Array.from({ length: 6 }, (__, family) => (family === at ? 40 : 112)),
    ),
  );
  const cross = crossValidate(choices, rule);
  // On three sessions the pick saves (60 − 2·12) ÷ 300, on the other three it loses 3·12 ÷ 300.
  expect(cross?.apparent).toBeCloseTo(0.12, 12);
  expect(cross?.honest).toBeCloseTo(-0.12, 12);
});

const families = 12;
const noise = fc.array(fc.array(fc.integer({ min: -50, max: 50 }), { minLength: families, maxLength: families }), {
  minLength: 1,
  maxLength: 5,
});
const anySeed = fc.integer({ min: 0, max: 1000 });

test('pure noise, nothing saved over all sessions: the apparent saving is positive, the honest one negative', () => {
  fc.assert(
    fc.property(noise, anySeed, (rows, seed) => {
      const centred = rows.map((row) =>
        row.map((value) => value - row.reduce((sum, each) => sum + each, 0) / families),
      );
      // With its mirror image beside each row, one of the two looks good on every half.
      const choices = [...centred, ...centred.map((row) => row.map((value) => -value))].map((row, at) =>
        choice(
          `s${at}`,
          row.map((value) => 100 + value),
        ),
      );
      const cross = crossValidate(choices, { seed, pick: pickBest, splits: 40 });
      if (!cross) throw new Error('not split');
      const isFlat = centred.every((row) => row.every((value) => value === 0));
      if (!isFlat) expect(cross.apparent).toBeGreaterThan(0);
      expect(cross.honest).toBeCloseTo(-cross.apparent, 9);
    }),
    { numRuns: 60 },
  );
});

test('what is picked looks at least as good as any single setting on the same halves, and a seed repeats itself', () => {
  fc.assert(
    fc.property(noise, anySeed, (rows, seed) => {
      const choices = rows.map((row, at) =>
        choice(
          `s${at}`,
          row.map((value) => 100 + value),
        ),
      );
      const of = (some: readonly Choice[]) => crossValidate(some, { seed, pick: pickBest, splits: 40 });
      const cross = of(choices);
      expect(cross?.picks.reduce((sum, { times }) => sum + times, 0)).toBe(40);
      for (const single of choices)
        expect(cross?.apparent).toBeGreaterThanOrEqual((of([single])?.apparent ?? 1) - 1e-12);
      expect(of(choices)).toEqual(cross);
    }),
    { numRuns: 40 },
  );
});

test('within a tolerance the first is picked, although a later one saves a little more', () => {
  expect([firstWithin([0.095, 0.1], 0.01), firstWithin([0.095, 0.1], 0.001), firstWithin([0.1, 0.1], 0)]).toEqual([
    0, 1, 0,
  ]);
});

test('who picks nothing saves nothing', () => {
  const cross = crossValidate([choice('a', new Array(6).fill(80))], { seed: 1, pick: () => -1, splits: 9 });
  expect(cross).toMatchObject({ apparent: 0, honest: 0, picks: [{ label: null, times: 9 }] });
});

test('five families are too few, a sixth that costs nothing is none', () => {
  expect(crossValidate([choice('a', [1, 1, 1, 1, 1])], rule)).toBeNull();
  expect(crossValidate([choice('a', [1, 1, 1, 1, 1, 0], [2, 2, 2, 2, 2, 0])], rule)).toBeNull();
  expect(crossValidate([], rule)).toBeNull();
  expect(crossValidate([choice('a', new Array(9).fill(80))], { ...rule, leastFamilies: 10 })).toBeNull();
});
