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
  /** The first choice whose saving is within so much of the best one's is picked; 0: the best. */
  readonly within: number;
  readonly splits?: number;
}

/**
 * What a choice of the best setting is worth on sessions that it was not chosen on: families are split in halves many times,
 * one half picks, and the pick is scored on the other. Both savings are pooled dollars over all splits. Null with fewer than
 * {@link minFamiliesToSplit} families that cost anything, or nothing to choose from.
 */
export function crossValidate(choices: readonly Choice[], rule: PickRule): CrossValidation | null {
  const families = (choices[0]?.costs.baseline ?? []).flatMap((_, family) =>
    choices.every(({ costs }) => (costs.baseline[family] ?? 0) > 0) ? [family] : [],
  );
  if (families.length < minFamiliesToSplit) return null;
  const random = xoroshiro128plus(rule.seed);
  const picks = choices.map(() => 0);
  const [picking, other] = [new Pool(), new Pool()];
  const splits = rule.splits ?? defaultSplits;
  for (let split = 0; split < splits; split += 1) {
    const shuffled = shuffle(families, (most) => uniformInt(random, 0, most));
    const half = shuffled.slice(0, families.length >> 1);
    const at = pickedOn(choices, half, rule.within);
    const { costs } = choices[at] as Choice;
    picks[at] = (picks[at] ?? 0) + 1;
    picking.add(costs, half);
    other.add(costs, shuffled.slice(half.length));
  }
  return {
    families: families.length,
    splits,
    apparent: picking.saving,
    honest: other.saving,
    picks: choices
      .map(({ label }, at) => ({ label, times: picks[at] ?? 0 }))
      .filter(({ times }) => times > 0)
      .sort((a, b) => b.times - a.times),
  };
}

/** The first choice whose saving is within `tolerance` of the best one's: who lists the gentler settings first gets those. */
export function firstWithin(savings: readonly number[], tolerance: number): number {
  const best = Math.max(...savings);
  return savings.findIndex((saving) => saving >= best - tolerance);
}

function pickedOn(choices: readonly Choice[], half: readonly number[], within: number): number {
  const savings = choices.map(({ costs: { baseline, row } }) => {
    const of = (costs: readonly number[]) => half.map((family) => costs[family] ?? 0);
    return pooledSaving({ baseline: of(baseline), row: of(row) }) ?? 0;
  });
  return firstWithin(savings, within);
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

  add({ baseline, row }: PairedCosts, families: readonly number[]): void {
    for (const family of families) {
      this.#baseline += baseline[family] ?? 0;
      this.#row += row[family] ?? 0;
    }
  }

  get saving(): number {
    return 1 - this.#row / this.#baseline;
  }
}
