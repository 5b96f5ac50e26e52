import type { PairedCosts } from './families.ts';
import { studentQuantile } from './student.ts';
import { sumOf } from './sum.ts';

/** With fewer independent families an interval would claim what it cannot know (architecture.md). */
export const minFamilies = 5;

/** Bills that differ by less than this share of themselves are equal. */
const sameBill = 1e-12;

/** Low and high end of the 95 % interval of a saving, fractions. */
export type Interval = [number, number];

/** A saving and how sure it is. */
export interface Estimate {
  /** 1 − Σ row ÷ Σ baseline; null where the baseline cost nothing. */
  readonly saving: number | null;
  /** Null with fewer than five families that compare. */
  readonly ci95: Interval | null;
  /** Families on which the difference rests in effect: all where they differ alike, one where a single one differs; null where nothing compares. */
  readonly effective: number | null;
}

/** 1 − Σ row ÷ Σ baseline; null where the baseline cost nothing. */
export function pooledSaving({ baseline, row }: PairedCosts): number | null {
  const spent = sumOf(baseline);
  return spent > 0 ? 1 - sumOf(row) / spent : null;
}

/**
 * The pooled saving of a row with its 95 % interval: the jackknife's standard error times Student's t, with as many degrees of
 * freedom as families that the error rests on in effect. Chosen because it covers where a few sessions make most of the bill:
 * percentile, BCa and bootstrap-t intervals do not at ten sessions (`npm run proof`). Draws nothing at random.
 */
export function estimateSaving(costs: PairedCosts): Estimate {
  const families = costs.baseline
    .map((spent, at) => ({ spent, row: costs.row[at] ?? 0 }))
    .filter(({ spent }) => spent > 0);
  const saving = pooledSaving(costs);
  if (saving === null) return { saving, ci95: null, effective: null };
  // What is left of two equal bills is the rounding of a sum.
  const residuals = families
    .map(({ spent, row }) => row - (1 - saving) * spent)
    .map((residual, at) => (Math.abs(residual) > sameBill * (families[at]?.spent ?? 0) ? residual : 0));
  const effective = effectiveCount(residuals.map((residual) => residual ** 2));
  if (families.length < minFamilies) return { saving, ci95: null, effective };
  const freedom = Math.min(effective, families.length - 1);
  const reach = studentQuantile(freedom) * jackknifeError(costs, families);
  return { saving, ci95: [saving - reach, saving + reach], effective };
}

/** How many equal weights would be as concentrated as these: (Σ w)² ÷ Σ w²; their number where all are zero. */
export function effectiveCount(weights: readonly number[]): number {
  const squares = sumOf(weights.map((weight) => weight ** 2));
  return squares > 0 ? sumOf(weights) ** 2 / squares : weights.length;
}

/** Standard error of the pooled saving from leaving out one family at a time (Efron and Tibshirani 1993, §11). */
function jackknifeError(costs: PairedCosts, families: readonly { spent: number; row: number }[]): number {
  const [spent, row] = [sumOf(costs.baseline), sumOf(costs.row)];
  const without = families.map((family) => 1 - (row - family.row) / (spent - family.spent));
  const mean = sumOf(without) / without.length;
  const squares = sumOf(without.map((saving) => (saving - mean) ** 2));
  return Math.sqrt((squares * (without.length - 1)) / without.length);
}
