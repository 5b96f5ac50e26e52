import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { breakEvenOf, type EvenOutcome } from '../../src/analysis/break-even.ts';
import type { Usage } from '../../src/session/index.ts';

/** Input at 1 USD per million tokens, output at 5; reads and writes as given. */
function outcome(read: number, write: number, usage: Partial<Usage>, more: Partial<EvenOutcome> = {}): EvenOutcome {
  const rates = { fresh: 1, cacheRead: read, cacheWrite5m: write, cacheWrite1h: 1.6 * write, output: 5 };
  const all = { fresh: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, ...usage };
  return { ledger: [{ key: 'k', rates, usage: all }], last: undefined, refetch: [], atLifetimes: [], ...more };
}

/**
 * An edit takes `removed` tokens out and leaves `behind` to be written again; `requests` follow, the edited one among them.
 * The baseline reads all of it in each.
 */
function edited(removed: number, behind: number, requests: number, read: number, write: number) {
  return {
    label: 'edit',
    row: [
      outcome(
        read,
        write,
        { cacheRead: (requests - 1) * behind, cacheWrite5m: behind },
        {
          last: { tokens: behind, readUsdPerMTok: read },
        },
      ),
    ],
    baseline: [
      outcome(
        read,
        write,
        { cacheRead: requests * (removed + behind) },
        {
          last: { tokens: removed + behind, readUsdPerMTok: read },
        },
      ),
    ],
    multiples: [],
  };
}

const tokens = fc.integer({ min: 100, max: 1_000_000 });
const prices = fc.constantFrom([0.25, 1], [0.1, 1], [0.1, 1.25], [0.1, 2], [0.05, 1.25], [0.025, 1.25]);

describe('the closed form of an edit: it pays after N requests iff N r S > (w - r) L', () => {
  test('for the price of a read, of a write, and the requests that follow', () => {
    fc.assert(
      fc.property(
        tokens,
        tokens,
        fc.integer({ min: 1, max: 200 }),
        prices,
        (removed, behind, requests, [r = 0, w = 0]) => {
          const even = breakEvenOf(edited(removed, behind, requests, r, w));
          // r N S = (w - r) L, solved for each in turn.
          const close = (value: number | null, expected: number) => expect((value ?? 0) / expected).toBeCloseTo(1, 9);
          close(even.readRatio.even, (w * behind) / (requests * removed + behind));
          close(even.writeRatio.even, r * (1 + (requests * removed) / behind));
          const needed = ((w - r) * behind) / (r * removed);
          if (needed > requests + 1e-6) close(even.furtherRequests, needed - requests);
          // Where it has paid already, no further request turns it.
          else if (needed < requests - 1e-6) expect(even.furtherRequests).toBeNull();
        },
      ),
    );
  });

  test.each([
    [0.25, 1, 3],
    [0.1, 1, 9],
    [0.1, 1.25, 11.5],
    [0.1, 2, 19],
    [0.05, 1.25, 24],
    [0.025, 1.25, 49],
  ])('at %d / %d it takes %d requests for as much behind as was taken out', (read, write, factor) => {
    expect(1 + (breakEvenOf(edited(1000, 1000, 1, read, write)).furtherRequests ?? 0)).toBeCloseTo(factor, 9);
  });
});

test('one-hour writes keep their distance to five-minute ones', () => {
  const even = breakEvenOf({
    label: 'long',
    row: [outcome(0.1, 1.25, { cacheWrite1h: 1000 })],
    baseline: [outcome(0.1, 1.25, { cacheRead: 32_000 })],
    multiples: [],
  });
  // 1,000 × 1.6 w = 32,000 × 0.1.
  expect(even.writeRatio).toEqual({ now: expect.closeTo(1.25, 9), even: expect.closeTo(2, 9) });
});

test('refetches until nothing is saved', () => {
  const ledgerOf = (of: EvenOutcome) => of.ledger;
  const even = breakEvenOf({
    label: 'r',
    row: [
      outcome(0.1, 1.25, { cacheRead: 1_000_000 }, { refetch: ledgerOf(outcome(0.1, 1.25, { cacheRead: 400_000 })) }),
    ],
    baseline: [outcome(0.1, 1.25, { cacheRead: 2_000_000 })],
    multiples: [],
  });
  expect(even.refetchTimes).toBeCloseTo(2.5, 9);
});

test('lifetimes between which the rows change places, and the map of prices', () => {
  const [cheap, dear] = [1_000_000, 3_000_000].map((cacheRead) => outcome(0.1, 1.25, { cacheRead }).ledger);
  const at = (ledgers: (typeof cheap)[]) =>
    outcome(0.1, 1.25, { cacheRead: 1_000_000 }, { atLifetimes: ledgers as never });
  const even = breakEvenOf({
    label: 'l',
    row: [at([dear, dear, cheap])],
    baseline: [at([cheap, cheap, dear])],
    multiples: [0.5, 1, 2],
  });
  expect(even.lifetimes.map(({ saving }) => saving)).toEqual(
    [-2, -2, 2 / 3].map((saving) => expect.closeTo(saving, 9)),
  );
  expect(even.lifetimeEven).toEqual([[1, 2]]);
  const { readRatios, writeRatios, savings } = even.map;
  expect([savings.length, savings[0]?.length]).toEqual([readRatios.length, writeRatios.length]);
});

test('no price turns what never differs', () => {
  const same = () => [outcome(0.1, 1.25, { cacheRead: 1000, output: 10 })];
  const even = breakEvenOf({ label: 'same', row: same(), baseline: same(), multiples: [] });
  expect(even).toMatchObject({
    readRatio: { even: null },
    writeRatio: { even: null },
    furtherRequests: null,
    refetchTimes: null,
  });
});
