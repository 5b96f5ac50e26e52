import type { ResultDetail, SessionOutcome } from '../results/index.ts';
import type { ResultRow } from '../results/result.ts';
import { isComparable } from './describe.ts';
import { partsOf, requestOf } from './parts.ts';
import type { SummaryMeta } from './run-meta.ts';

/** What the bill of every row paid for. */
export function rowParts(
  outcomes: readonly SessionOutcome[],
  meta: SummaryMeta,
  rows: readonly ResultRow[],
): ResultDetail['parts'] {
  return rows.map(({ label }, index) => ({
    label,
    parts: partsOf(
      outcomes.filter((outcome) => isComparable(outcome, index) && isComparable(outcome, meta.baseline)),
      index,
    ),
  }));
}

/** The requests of one session under each of its rows, by these labels; a row that was not replayed has none and is left out. */
export function tracedRows(
  { rows }: SessionOutcome,
  labels: readonly string[],
): NonNullable<ResultDetail['trace']>['rows'] {
  return labels.flatMap((label, index) => {
    const requests = (rows[index]?.best.requests ?? []).map(requestOf);
    return requests.length === 0 ? [] : [{ label, requests }];
  });
}
