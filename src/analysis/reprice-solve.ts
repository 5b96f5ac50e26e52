import { CtxsimError } from '../errors.ts';
import type { Rates } from '../providers/provider.ts';
import { usageClasses } from '../session/index.ts';
import { type CountedRow, slackUsd } from './reprice.ts';
import { drawnSolutions, type Equation, leastSquares, residual } from './reprice-fit.ts';

/** Price lists are written with few digits. More than these are noise of the rounding. */
const mostDigits = 6;
/** A row that is off by this many tolerances is odd; being off by more makes it no worse. */
const capInTolerances = 3;
/** Shorter prices are taken for the true ones where the table is off by no more than this factor. */
const simplerMayCost = 1.1;

/**
 * The prices under which most rows of a table cost what it says: the best of many small samples, fitted to the rows
 * that are not odd, then written as short as agrees as well. The same table always gives the same prices.
 * @throws CtxsimError `unsolvable` for too few rows, or classes that always stand in the same proportion.
 */
export function solvePrices(rows: readonly CountedRow[], toleranceUsd: number): Rates {
  const known = rows.filter(({ publishedUsd }) => publishedUsd !== undefined);
  const classes = usageClasses.filter((name) => known.some(({ tokens }) => tokens[name] > 0));
  if (classes.length === 0 || known.length < classes.length) {
    throw new CtxsimError(
      'unsolvable',
      `${known.length} rows with a published cost do not give ${classes.length} prices`,
      'The table needs a cost column, and at least one row for each column of counts.',
    );
  }
  const equations = known.map(({ tokens, publishedUsd = 0 }) => ({
    counts: classes.map((name) => tokens[name] / 1e6),
    cost: publishedUsd,
  }));
  const overall = leastSquares(equations);
  if (!overall) {
    throw new CtxsimError(
      'unsolvable',
      'the rows do not tell the prices apart',
      `The counts of ${classes.join(', ')} must differ in proportion from row to row.`,
    );
  }
  const cap = capInTolerances * (toleranceUsd + slackUsd);
  let best: readonly number[] = overall;
  for (const drawn of drawnSolutions(equations)) {
    if (misfit(equations, drawn, cap) < misfit(equations, best, cap)) best = drawn;
  }
  best = polish(equations, best, cap);
  const prices = shorten(equations, best, cap);
  return Object.fromEntries(usageClasses.map((name) => [name, prices[classes.indexOf(name)] ?? 0])) as unknown as Rates;
}

/** Least squares over the rows that are not odd, as long as that comes closer. */
function polish(equations: readonly Equation[], start: readonly number[], cap: number): readonly number[] {
  for (let best = start; ; ) {
    const current = best;
    const next = leastSquares(equations.filter((it) => Math.abs(residual(it, current)) < cap));
    if (!next || misfit(equations, next, cap) >= misfit(equations, best, cap)) return best;
    best = next;
  }
}

function shorten(equations: readonly Equation[], prices: readonly number[], cap: number): readonly number[] {
  const allowed = misfit(equations, prices, cap) * simplerMayCost + slackUsd;
  for (let digits = 1; digits <= mostDigits; digits += 1) {
    const shorter = prices.map((price) => Number(price.toPrecision(digits)));
    if (misfit(equations, shorter, cap) <= allowed) return shorter;
  }
  return prices;
}

/** Sum of absolute differences, in which an odd row counts no more than the cap however far off it is. */
function misfit(equations: readonly Equation[], prices: readonly number[], cap: number): number {
  return equations.reduce((sum, it) => sum + Math.min(cap, Math.abs(residual(it, prices))), 0);
}
