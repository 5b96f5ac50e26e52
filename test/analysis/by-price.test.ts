import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { byPriceOf, weightsOf } from '../../src/analysis/by-price.ts';
import type { SummaryMeta } from '../../src/analysis/run-meta.ts';
import { billAt, costOf, type LedgerLine, type RowOutcome, type SessionOutcome } from '../../src/results/index.ts';
import type { Usage } from '../../src/session/index.ts';

const rates = { fresh: 3, cacheRead: 0.3, cacheWrite5m: 3.75, cacheWrite1h: 6, output: 15 };

function line(usage: Partial<Usage>, more: Partial<LedgerLine> = {}): LedgerLine {
  const all = { fresh: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, ...usage };
  return { key: 'm@launch#0', rates, usage: all, ...more };
}

describe('a bill as a function of two prices', () => {
  test('by hand: reads and five-minute writes at the price of input, one-hour writes 1.6 times that', () => {
    const ledger = [
      line({ fresh: 1_000_000, cacheRead: 2_000_000, cacheWrite5m: 1_000_000, cacheWrite1h: 500_000, output: 100_000 }),
    ];
    // rest 3 + 1.5, read 2 x 3, write (1 + 0.5 x 6 / 3.75) x 3
    const weights = weightsOf(ledger);
    expect(weights.rest).toBeCloseTo(4.5, 12);
    expect(weights.read).toBeCloseTo(6, 12);
    expect(weights.write).toBeCloseTo(5.4, 12);
    // As billed: 3 + 0.6 + 3.75 + 3 + 1.5; at twice the price of reads 0.6 more.
    expect(billAt(weights, 0.1, 1.25)).toBeCloseTo(11.85, 12);
    expect(billAt(weights, 0.2, 1.25)).toBeCloseTo(12.45, 12);
  });

  test('at the prices that were billed it is the bill', () => {
    const count = fc.nat(10_000_000);
    const usage = fc.record({
      fresh: count,
      cacheRead: count,
      cacheWrite5m: count,
      cacheWrite1h: count,
      output: count,
    });
    fc.assert(
      fc.property(usage, (of) => {
        const { total } = costOf([line(of)]);
        expect(billAt(weightsOf([line(of)]), 0.1, 1.25)).toBeCloseTo(total, 9);
      }),
    );
  });
});

test('compares over the sessions that both could send, and names the prices of every model once', () => {
  const outcome = (usage: Partial<Usage>, more: Partial<RowOutcome> = {}) => ({
    best: { ledger: [line(usage)], calls: [], edits: 0, unsendable: 0, ...more },
    recorded: undefined,
  });
  const sessions = [
    { rows: [outcome({ cacheRead: 1_000_000 }), outcome({ cacheWrite5m: 1_000_000 })] },
    { rows: [outcome({ cacheRead: 5_000_000 }), outcome({}, { unsendable: 1 })] },
  ] as unknown as SessionOutcome[];
  const meta = { rows: [{ label: 'full' }, { label: 'own' }], baseline: 0 } as unknown as SummaryMeta;
  expect(byPriceOf(sessions, meta)).toEqual({
    models: [{ model: 'm', read: 0.3 / 3, write: 1.25 }],
    rows: [{ label: 'own', row: { rest: 0, read: 0, write: 3 }, baseline: { rest: 0, read: 3, write: 0 } }],
  });
});
