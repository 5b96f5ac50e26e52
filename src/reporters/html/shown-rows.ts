import type { Result, ResultRow } from '../../results/result.ts';

/** The rows that charts show: of a recommendation, which tries many, those worth a look and the baseline; else all. */
export function shownRows({ rows, recommendation }: Result): readonly ResultRow[] {
  if (!recommendation) return rows;
  const labels = new Set(recommendation.shown.map(({ label }) => label));
  return rows.filter(({ isBaseline, label }) => isBaseline || labels.has(label));
}
