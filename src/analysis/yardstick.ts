import { costOf, mergeLedgers, type SessionOutcome, yardstickPolicy } from '../results/index.ts';
import { formatCount, formatPercent } from '../units.ts';
import { isComparable } from './describe.ts';
import type { SummaryMeta } from './run-meta.ts';

/** How far a row's bill is above the yardstick's, as a share of the baseline's; null for the yardstick, and without one. */
export function regretOf(outcomes: readonly SessionOutcome[], meta: SummaryMeta, row: number): number | null {
  const yardstick = yardstickOf(meta);
  if (yardstick === -1 || row === yardstick || isCharged(meta)) return null;
  const compared = comparedOver(outcomes, [row, yardstick, meta.baseline]);
  const spent = billOf(compared, meta.baseline);
  return spent > 0 ? (billOf(compared, row) - billOf(compared, yardstick)) / spent : null;
}

/** The largest saving that cutting old results to elide's stubs can have, a fraction; null without a yardstick, and where it is not known. */
export function boundOf(outcomes: readonly SessionOutcome[], meta: SummaryMeta): number | null {
  const compared = measuredSessions(outcomes, meta);
  if (isCharged(meta) || yardstickOf(meta) === meta.baseline) return null;
  const spent = billOf(compared, meta.baseline);
  let least = 0;
  for (const { leastUsd } of foresightsOf(compared, meta)) {
    if (leastUsd === undefined) return null;
    least += leastUsd;
  }
  return spent > 0 ? 1 - least / spent : null;
}

/** What a reader must know of the yardstick. */
export function yardstickNotes(outcomes: readonly SessionOutcome[], meta: SummaryMeta): string[] {
  const foresights = foresightsOf(measuredSessions(outcomes, meta), meta);
  if (foresights.length === 0) return [];
  if (isCharged(meta)) {
    return [`${yardstickPolicy} was searched without what --refetch-rate charges: no regret and no bound are given.`];
  }
  const inexact = foresights.filter(({ isExact }) => !isExact).length;
  const proof =
    inexact === 0
      ? 'proven for every session'
      : `proven for ${formatCount(foresights.length - inexact)} of ${formatCount(foresights.length)} sessions; in the others, with several models or lifetimes, evictions, resets that keep results, or a cache with a memory or fees of its own, a cheaper one may exist`;
  const bound = boundOf(outcomes, meta);
  return [
    `${yardstickPolicy} knows the future: the cheapest choice of turn starts at which older results are cut (${proof}). Other kinds of policies may beat it, and have a regret below zero then.`,
    ...(bound === null
      ? []
      : [
          `No cutting to elide's stubs of the results that elide cuts, at whatever moments, saves more than ${formatPercent(bound)} here: a bound, which no schedule reaches.`,
        ]),
  ];
}

/** The search knows nothing of refetches. */
function isCharged({ refetchRate = 0 }: SummaryMeta): boolean {
  return refetchRate > 0;
}

function yardstickOf({ rows }: SummaryMeta): number {
  return rows.findIndex(({ policy }) => policy === yardstickPolicy);
}

function measuredSessions(outcomes: readonly SessionOutcome[], meta: SummaryMeta): SessionOutcome[] {
  const yardstick = yardstickOf(meta);
  return yardstick === -1 ? [] : comparedOver(outcomes, [yardstick, meta.baseline]);
}

function foresightsOf(outcomes: readonly SessionOutcome[], meta: SummaryMeta) {
  const yardstick = yardstickOf(meta);
  return outcomes.flatMap(({ rows }) => rows[yardstick]?.best.foresight ?? []);
}

function comparedOver(outcomes: readonly SessionOutcome[], rows: readonly number[]): SessionOutcome[] {
  return outcomes.filter((outcome) => rows.every((row) => isComparable(outcome, row)));
}

function billOf(outcomes: readonly SessionOutcome[], row: number): number {
  return costOf(mergeLedgers(outcomes.map(({ rows }) => rows[row]?.best.ledger ?? []))).total;
}
