import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { solveLinear } from './linear.ts';

/** One row of a linear fit: how many of each thing, and what they cost together. */
export interface Equation {
  readonly counts: readonly number[];
  readonly cost: number;
}

/** Enough draws that one holds no odd row even where a third of the rows are odd. */
const draws = 500;

/** Least squares; undefined where the equations do not determine the prices. */
export function leastSquares(equations: readonly Equation[]): number[] | undefined {
  const size = equations[0]?.counts.length ?? 0;
  const normal = Array.from({ length: size }, () => new Array<number>(size).fill(0));
  const right = new Array<number>(size).fill(0);
  for (const { counts, cost } of equations) {
    for (let i = 0; i < size; i += 1) {
      const count = counts[i] as number;
      right[i] = (right[i] as number) + count * cost;
      const row = normal[i] as number[];
      for (let j = 0; j < size; j += 1) row[j] = (row[j] as number) + count * (counts[j] as number);
    }
  }
  return solveLinear(normal, right);
}

/** The exact solutions of seeded draws of as many rows as there are prices: some hold no odd row, however large those are. */
export function* drawnSolutions(equations: readonly Equation[]): Generator<number[]> {
  const size = equations[0]?.counts.length ?? 0;
  const random = xoroshiro128plus(1);
  for (let draw = 0; draw < draws; draw += 1) {
    const chosen = Array.from(
      { length: size },
      () => equations[uniformInt(random, 0, equations.length - 1)] as Equation,
    );
    const prices = solveLinear(
      chosen.map(({ counts }) => counts),
      chosen.map(({ cost }) => cost),
    );
    if (prices) yield prices;
  }
}

/** What the row costs at these prices beyond what it says. */
export function residual({ counts, cost }: Equation, prices: readonly number[]): number {
  let sum = -cost;
  for (let at = 0; at < counts.length; at += 1) sum += (counts[at] as number) * (prices[at] as number);
  return sum;
}
