import type { SessionOutcome } from '../results/index.ts';
import { isApplicable } from './describe.ts';
import type { SummaryMeta } from './run-meta.ts';

/** Whether the policy did anything at all: changed a request, or made a call of its own. */
export function hasFired(outcome: SessionOutcome, row: number): boolean {
  const { edits = 0, callCounts } = outcome.rows[row]?.best ?? {};
  return edits > 0 || (callCounts?.total ?? 0) > 0;
}

/** Drops the rows that are only wanted where they say something of their own, from the outcomes too. */
export function withoutEmptyRows(outcomes: readonly SessionOutcome[], meta: SummaryMeta) {
  const twins: string[] = [];
  const stays = meta.rows.map(({ onlyIfOwn, label }, row) => {
    if (row === meta.baseline || onlyIfOwn !== true) return true;
    if (!outcomes.some((outcome) => hasFired(outcome, row))) return false;
    const twin = twinOf(outcomes, row);
    if (twin !== -1) twins.push(`${label} as ${meta.rows[twin]?.label}`);
    return twin === -1;
  });
  const keep = <T>(values: readonly T[]) => values.filter((_, index) => stays[index]);
  const baseline = keep(meta.rows.map((_, index) => index)).indexOf(meta.baseline);
  return {
    outcomes: outcomes.map((outcome) => ({ ...outcome, rows: keep(outcome.rows) })),
    meta: { ...meta, rows: keep(meta.rows), baseline, twins },
  };
}

/** The row before it that came to exactly the same in every session; -1 for none. */
function twinOf(outcomes: readonly SessionOutcome[], row: number): number {
  for (let other = 0; other < row; other += 1)
    if (outcomes.every((outcome) => isSame(outcome, row, other))) return other;
  return -1;
}

/** Where the row does not apply it says nothing, so it differs from nothing. */
function isSame(outcome: SessionOutcome, row: number, other: number): boolean {
  return !isApplicable(outcome, row) || JSON.stringify(outcome.rows[row]) === JSON.stringify(outcome.rows[other]);
}
