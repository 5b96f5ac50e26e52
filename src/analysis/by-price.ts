import {
  type ByPrice,
  costOf,
  type LedgerLine,
  mergeLedgers,
  type PriceWeights,
  type SessionOutcome,
} from '../results/index.ts';
import { compareText } from '../session/index.ts';
import { isComparable } from './describe.ts';
import type { SummaryMeta } from './run-meta.ts';

/** A bill by what its price depends on, and what was paid for reads and writes at the prices of today. */
export interface Weights extends PriceWeights {
  readonly readUsd: number;
  readonly writeUsd: number;
}

/** Takes a merged ledger apart by the two prices of the cache. */
export function weightsOf(ledger: readonly LedgerLine[]): Weights {
  const cost = costOf(ledger);
  let [read, write] = [0, 0];
  for (const { rates, usage } of ledger) {
    const long = rates.cacheWrite5m > 0 ? rates.cacheWrite1h / rates.cacheWrite5m : 1;
    read += usage.cacheRead * rates.fresh;
    write += (usage.cacheWrite5m + usage.cacheWrite1h * long) * rates.fresh;
  }
  return {
    rest: cost.total - cost.cacheRead - cost.cacheWrite,
    read: read / 1e6,
    readUsd: cost.cacheRead,
    write: write / 1e6,
    writeUsd: cost.cacheWrite,
  };
}

/** Every row's bill and the baseline's as functions of the prices of reads and writes; nothing is replayed for it. */
export function byPriceOf(outcomes: readonly SessionOutcome[], meta: SummaryMeta): ByPrice {
  return {
    models: modelsOf(outcomes, meta),
    rows: meta.rows.flatMap(({ label }, row) => {
      const compared = outcomes.filter((each) => isComparable(each, row) && isComparable(each, meta.baseline));
      if (row === meta.baseline || compared.length === 0) return [];
      const of = (index: number) => {
        const { rest, read, write } = weightsOf(
          mergeLedgers(compared.map(({ rows }) => rows[index]?.best.ledger ?? [])),
        );
        return { rest, read, write };
      };
      return [{ label, row: of(row), baseline: of(meta.baseline) }];
    }),
  };
}

/** The distinct price ratios of every model that the baseline was billed at. */
function modelsOf(outcomes: readonly SessionOutcome[], { baseline }: SummaryMeta): ByPrice['models'] {
  const points = mergeLedgers(outcomes.map(({ rows }) => rows[baseline]?.best.ledger ?? []))
    .filter(({ rates, unpriced, expected }) => rates.fresh > 0 && unpriced === undefined && !expected)
    .map(({ key, rates }) => ({
      model: key.replace(/@[^@]*$/, ''),
      read: rates.cacheRead / rates.fresh,
      write: rates.cacheWrite5m / rates.fresh,
    }));
  const distinct = new Map(points.map((point) => [JSON.stringify(point), point]));
  return [...distinct.values()].sort((a, b) => compareText(a.model, b.model) || a.read - b.read || a.write - b.write);
}
