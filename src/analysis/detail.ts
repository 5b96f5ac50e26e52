import { bestSetting, type RequestTrace, type ResultDetail, type SessionOutcome } from '../results/index.ts';
import type { ResultRow } from '../results/result.ts';
import { isComparable, type SummaryMeta } from './describe.ts';
import { partsOf, requestOf } from './parts.ts';

/** What charts need beside the rows. Of the outcomes one at most has kept its requests: see {@link onlyDearestTraced}. */
export function detailOf(
  outcomes: readonly SessionOutcome[],
  meta: SummaryMeta,
  rows: readonly ResultRow[],
): ResultDetail {
  return {
    parts: rows.map(({ label }, index) => ({
      label,
      parts: partsOf(
        outcomes.filter((outcome) => isComparable(outcome, index) && isComparable(outcome, meta.baseline)),
        index,
      ),
    })),
    trace: traceOf(outcomes, meta, rows),
  };
}

function traceOf(
  outcomes: readonly SessionOutcome[],
  { baseline }: SummaryMeta,
  rows: readonly ResultRow[],
): ResultDetail['trace'] {
  const traced = outcomes.find((outcome) => requestsOf(outcome, baseline).length > 0);
  if (!traced) return null;
  const best = bestSetting(rows);
  const shown = [baseline, ...(best ? [rows.indexOf(best)] : [])];
  return {
    id: traced.id,
    file: traced.file,
    rows: shown.flatMap((index) => {
      const label = rows[index]?.label;
      const requests = requestsOf(traced, index).map(requestOf);
      return label === undefined || requests.length === 0 ? [] : [{ label, requests }];
    }),
  };
}

function requestsOf({ rows }: SessionOutcome, row: number): readonly RequestTrace[] {
  return rows[row]?.best.requests ?? [];
}
