import { compareText } from '../session/index.ts';
import type { Result, ResultRow } from './result.ts';

/** The policy that knows the future, by which the others are measured. */
export const yardstickPolicy = 'optimum';

/** Rows that show what was, or what could be at best; nobody can choose them as a setting. */
const notSettings = new Set(['recorded', yardstickPolicy]);

/** Whether somebody can set what the row shows. */
export function isSetting({ policy, partOf }: ResultRow): boolean {
  return partOf === undefined && !notSettings.has(policy);
}

/** Largest saving first, unknown ones last; the label decides between equals. */
export function bySaving(rows: readonly ResultRow[]): ResultRow[] {
  const rank = ({ saving }: ResultRow) => saving ?? Number.NEGATIVE_INFINITY;
  return [...rows].sort((a, b) => (rank(a) === rank(b) ? compareText(a.label, b.label) : rank(b) - rank(a)));
}

/** The setting that surely saves most; where none does, the one with the largest saving; undefined where none was compared. */
export function bestSetting(rows: readonly ResultRow[]): ResultRow | undefined {
  const settings = bySaving(rows.filter((row) => !row.isBaseline && row.saving !== null && isSetting(row)));
  return settings.find(({ verdict }) => verdict === 'saves') ?? settings[0];
}

/** The row that the answer names: what to set or comes nearest to it, the best point of a sweep, else the best setting. */
export function namedRow({
  rows,
  sweep,
  recommendation,
}: Pick<Result, 'rows' | 'sweep' | 'recommendation'>): ResultRow | undefined {
  const label = recommendation ? (recommendation.set ?? recommendation.shown[0]?.label) : sweep?.scenarios[0]?.best;
  return rows.find((row) => row.label === label) ?? bestSetting(rows);
}
