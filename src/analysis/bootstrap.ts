import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { PairedCosts } from './families.ts';

/** Draws of the bootstrap (architecture.md, "Saving, confidence, verdict"). */
export const defaultDraws = 2_000;

/** With fewer independent families an interval would claim what it cannot know. */
export const minFamilies = 5;

/** The middle 95 % of the draws. */
const tails = [0.025, 0.975] as const;

/** Low and high end of the 95 % interval of a saving, fractions. */
export type Interval = [number, number];

/** How to draw. */
export interface BootstrapOptions {
  readonly seed: number;
  readonly draws?: number;
}

/** 1 − Σ row ÷ Σ baseline; null where the baseline cost nothing. */
export function pooledSaving({ baseline, row }: PairedCosts): number | null {
  const spent = sum(baseline);
  return spent > 0 ? 1 - sum(row) / spent : null;
}

/**
 * Percentile bootstrap of the pooled saving of each row. One draw of families serves all rows, so that their intervals
 * can be compared. Null for a row with fewer than five families that compare. Deterministic in the seed.
 */
export function bootstrapSavings(rows: readonly PairedCosts[], options: BootstrapOptions): (Interval | null)[] {
  const families = rows[0]?.baseline.length ?? 0;
  for (const { baseline, row } of rows) {
    if (baseline.length !== families || row.length !== families) throw new Error('rows differ in their families');
  }
  const savings = rows.map((): number[] => []);
  const random = xoroshiro128plus(options.seed);
  const drawn = new Int32Array(families);
  for (let draw = 0; draw < (options.draws ?? defaultDraws); draw++) {
    for (let at = 0; at < families; at++) drawn[at] = uniformInt(random, 0, families - 1);
    for (const [index, costs] of rows.entries()) {
      const saving = savingOfDraw(costs, drawn);
      if (saving !== null) savings[index]?.push(saving);
    }
  }
  return rows.map((costs, index) => (comparable(costs) < minFamilies ? null : intervalOf(savings[index] ?? [])));
}

/** Families in which anything compares. */
export function comparable({ baseline }: PairedCosts): number {
  return baseline.filter((usd) => usd > 0).length;
}

function savingOfDraw({ baseline, row }: PairedCosts, drawn: Int32Array): number | null {
  let spentByBaseline = 0;
  let spentByRow = 0;
  for (const family of drawn) {
    spentByBaseline += baseline[family] ?? 0;
    spentByRow += row[family] ?? 0;
  }
  return spentByBaseline > 0 ? 1 - spentByRow / spentByBaseline : null;
}

function intervalOf(savings: number[]): Interval | null {
  if (savings.length === 0) return null;
  const sorted = Float64Array.from(savings).sort();
  return [quantile(sorted, tails[0]), quantile(sorted, tails[1])];
}

/** Linear between the two nearest draws. */
function quantile(sorted: Float64Array, share: number): number {
  const position = share * (sorted.length - 1);
  const below = sorted[Math.floor(position)] ?? 0;
  const above = sorted[Math.ceil(position)] ?? 0;
  return below + (above - below) * (position - Math.floor(position));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
