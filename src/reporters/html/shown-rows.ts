import { bySaving } from '../../results/index.ts';
import type { Result, ResultRow } from '../../results/result.ts';

/** More rows than this are not taken in at a glance: charts then leave out some, and tables are folded away. */
export const mostRows = 16;

/**
 * The rows that charts show, the baseline before the others: of a recommendation, which tries many, those worth a look; of many
 * those that did something, the largest saving first; else all. Tables have every row.
 */
export function shownRows({ rows, recommendation }: Result): readonly ResultRow[] {
  if (recommendation) {
    const labels = new Set(recommendation.shown.map(({ label }) => label));
    return rows.filter(({ isBaseline, label }) => isBaseline || labels.has(label));
  }
  if (rows.length <= mostRows) return rows;
  const baselines = rows.filter(({ isBaseline }) => isBaseline);
  return [...baselines, ...bySaving(rows.filter((row) => !row.isBaseline && row.verdict !== 'never fired'))];
}

/** What charts leave out, in words; empty where that is nothing. */
export function leftOutWords(result: Result): string {
  if (result.recommendation || result.rows.length <= mostRows) return '';
  const left = result.rows.length - shownRows(result).length;
  return left === 0 ? '' : `Left out here: ${left} rows that never fired in any session.`;
}
