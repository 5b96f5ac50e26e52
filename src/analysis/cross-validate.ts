import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { CrossValidation } from '../results/index.ts';
import type { PairedCosts } from './families.ts';
import { pooledSaving } from './interval.ts';

/** Halves of fewer than three families are decided by one of them. */
export const minFamiliesToSplit = 6;

/** Splits of the families: the mean of so many hardly moves with the seed. */
const defaultSplits = 200;

/** A setting that may be picked: what it cost, family by family. */
export interface Choice {
  readonly label: string;
  readonly costs: PairedCosts;
}

/** How a setting is picked, and how often that is tried. */
export interface PickRule {
  readonly seed: number;
  /** The place of the picked choice, given what each cost on one half; -1: none, everything is left as it is. */
  pick(costs: readonly PairedCosts[]): number;
  /** Fewer families are not split. */
  readonly leastFamilies?: number;
  readonly splits?: number;
}

/**
 * What a choice of a setting is worth on sessions that it was not chosen on: families are split in halves many times, one half
 * picks, and the pick is scored on the other. Both savings are pooled dollars over all splits. Null with too few families that
 * cost anything, or nothing to choose from.
 */
export function crossValidate(choices: readonly Choice[], rule: PickRule): CrossValidation | null {
  const families = (choices[0]?.costs.baseline ?? []).flatMap((_, family) =>
    choices.every(({ costs }) => (costs.baseline[family] ?? 0) > 0) ? [family] : [],
  );
  if (families.length < Math.max(minFamiliesToSplit, rule.leastFamilies ?? 0)) return null;
  const random = xoroshiro128plus(rule.seed);
  const times = new Map<number, number>();
  const [picking, other] = [new Pool(), new Pool()];
  const splits = rule.splits ?? defaultSplits;
  for (let split = 0; split < splits; split += 1) {
    const shuffled = shuffle(families, (most) => uniformInt(random, 0, most));
    const half = shuffled.slice(0, families.length >> 1);
    const at = rule.pick(choices.map(({ costs }) => costsIn(costs, half)));
    times.set(at, (times.get(at) ?? 0) + 1);
    // What is left as it is costs what it costs.
    const { baseline } = (choices[Math.max(0, at)] as Choice).costs;
    const costs = { baseline, row: choices[at]?.costs.row ?? baseline };
    picking.add(costsIn(costs, half));
    other.add(costsIn(costs, shuffled.slice(half.length)));
  }
  return {
    families: families.length,
    splits,
    apparent: picking.saving,
    honest: other.saving,
    picks: [...times]
      .sort(([a, often], [b, less]) => less - often || a - b)
      .map(([at, count]) => ({ label: choices[at]?.label ?? null, times: count })),
  };
}

/** The first of those whose saving is within `tolerance` of the best one's: who lists the gentler settings first gets those. */
export function firstWithin(savings: readonly number[], tolerance: number): number {
  const best = Math.max(...savings);
  return savings.findIndex((saving) => saving >= best - tolerance);
}

/** The choice that saves most, the first of equals. */
export function pickBest(costs: readonly PairedCosts[]): number {
  return firstWithin(
    costs.map((each) => pooledSaving(each) ?? 0),
    0,
  );
}

function costsIn({ baseline, row }: PairedCosts, families: readonly number[]): PairedCosts {
  const of = (costs: readonly number[]) => families.map((family) => costs[family] ?? 0);
  return { baseline: of(baseline), row: of(row) };
}

function shuffle(values: readonly number[], draw: (most: number) => number): number[] {
  const shuffled = [...values];
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    const other = draw(last);
    [shuffled[last], shuffled[other]] = [shuffled[other] as number, shuffled[last] as number];
  }
  return shuffled;
}

/** Dollars of what was picked, over many halves. */
class Pool {
  #baseline = 0;
  #row = 0;

  add({ baseline, row }: PairedCosts): void {
    for (const usd of baseline) this.#baseline += usd;
    for (const usd of row) this.#row += usd;
  }

  get saving(): number {
    return 1 - this.#row / this.#baseline;
  }
}
