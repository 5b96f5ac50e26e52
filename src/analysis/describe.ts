import { createHash } from 'node:crypto';
import {
  costOf,
  type LedgerLine,
  mergeLedgers,
  type SessionOutcome,
  spendKinds,
  unpricedShareOf,
} from '../results/index.ts';
import type { Result, ResultRow, SessionResult, Shares } from '../results/result.ts';
import { compareText } from '../session/index.ts';
import { distinct } from './distinct.ts';
import { effectiveCount } from './interval.ts';
import { concentrationNotes, notesOf } from './notes.ts';
import type { SummaryMeta } from './run-meta.ts';
import { sumOf } from './sum.ts';

/** How much was replayed, and what it was spent on. */
export function corpusOf(
  outcomes: readonly SessionOutcome[],
  sessions: readonly SessionResult[],
  baseline: string,
): Omit<Result['corpus'], 'bound'> {
  const spends = sessions.map(({ cost }) => cost[baseline] ?? 0).sort((a, b) => b - a);
  const total = sumOf(spends);
  const share = (dollars: number) => (total > 0 ? dollars / total : 0);
  return {
    sessions: outcomes.length,
    // A sub-agent has no human turns, and a fork repeats those of its parent.
    turns: sumOf(outcomes.map(({ parent, turns }) => (parent === undefined ? turns : 0))),
    requests: sumOf(outcomes.map(({ requests }) => requests)),
    tokens: sumOf(outcomes.map(({ promptTokens }) => promptTokens)),
    shares: sharesOf(outcomes),
    recordedUsd: usdOfBills(outcomes.map(({ recordedBill }) => recordedBill)),
    estimatedOutputUsd: usdOfBills(outcomes.map(({ estimatedBill }) => estimatedBill)),
    largestSession: share(spends[0] ?? 0),
    largestFive: share(sumOf(spends.slice(0, 5))),
    effectiveSessions: effectiveCount(spends),
  };
}

/** Null where the bill of any session is not known, or anything in one has no price. */
function usdOfBills(all: readonly (readonly LedgerLine[] | undefined)[]): number | null {
  const bills = all.flatMap((bill) => (bill ? [bill] : []));
  if (bills.length < all.length || bills.flat().some(({ unpriced }) => unpriced !== undefined)) return null;
  return costOf(mergeLedgers(bills)).total;
}

function sharesOf(outcomes: readonly SessionOutcome[]): Shares {
  const dollars = spendKinds.map((kind) => [kind, sumOf(outcomes.map(({ spend }) => spend[kind]))] as const);
  const total = sumOf(dollars.map(([, usd]) => usd));
  return Object.fromEntries(dollars.map(([kind, usd]) => [kind, total > 0 ? usd / total : 0])) as Shares;
}

/** What the numbers rest on. */
export function assumptionsOf(
  outcomes: readonly SessionOutcome[],
  meta: SummaryMeta,
  rows: readonly ResultRow[],
  corpus: Result['corpus'],
): Result['assumptions'] {
  const unpricedShare = Math.max(...rows.map(unpricedShareOf));
  const tokens = sumOf(outcomes.map(({ promptTokens }) => promptTokens));
  const estimated = sumOf(outcomes.map(({ promptTokens, estimatedShare }) => promptTokens * estimatedShare));
  return {
    baseline: meta.rows[meta.baseline]?.label ?? '',
    models: [...new Set(outcomes.flatMap(({ models }) => models))].sort(compareText),
    cache: [...new Set(outcomes.flatMap(({ cache }) => cache))].sort(compareText),
    breakpoints: [...new Set(outcomes.flatMap(({ planner, recordedPlanner }) => [planner, recordedPlanner]))]
      .filter((planner) => planner !== '-')
      .sort(compareText),
    ttl: meta.ttl,
    serviceTier: meta.service.tier,
    region: meta.service.region,
    served: servedOf(outcomes),
    pricedAt: meta.pricedAt,
    unpricedShare,
    tokens: distinct(
      outcomes.map(({ tokenMethod }) => tokenMethod),
      '; ',
    ),
    estimatedShare: tokens > 0 ? estimated / tokens : 0,
    tokenUncertainty: uncertaintyOf(outcomes),
    notes: [...concentrationNotes(rows, corpus), ...notesOf(outcomes, meta, unpricedShare)],
  };
}

function servedOf(outcomes: readonly SessionOutcome[]): Record<string, number> {
  const names = [...new Set(outcomes.flatMap(({ served }) => Object.keys(served)))].sort(compareText);
  return Object.fromEntries(names.map((name) => [name, sumOf(outcomes.map(({ served }) => served[name] ?? 0))]));
}

/** What the estimated part of the tokens is off by, weighed by tokens; null where that is unknown or nothing was estimated. */
function uncertaintyOf(outcomes: readonly SessionOutcome[]): number | null {
  const known = outcomes.filter(({ estimatedShare, tokenUncertainty }) => estimatedShare > 0 && tokenUncertainty);
  const weight = (outcome: SessionOutcome) => outcome.promptTokens * outcome.estimatedShare;
  const estimated = sumOf(known.map(weight));
  return estimated > 0
    ? sumOf(known.map((outcome) => weight(outcome) * (outcome.tokenUncertainty ?? 0))) / estimated
    : null;
}

/** Names what was replayed, whatever the files were called and in whatever order they came. */
export function digestOf(outcomes: readonly SessionOutcome[]): string {
  const facts = outcomes.map(({ id, turns, requests, promptTokens }) => [id, turns, requests, promptTokens]);
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 16);
}

/** Whether the session could be sent whole under the row, and has what its policy needs. */
export function isSendable(outcome: SessionOutcome, row: number): boolean {
  const best = outcome.rows[row]?.best;
  return best?.unsendable === 0 && best.lacks === undefined;
}

/** Whether the session can be sent under the row and anything of it has a price. */
export function isComparable(outcome: SessionOutcome, row: number): boolean {
  const ledger = outcome.rows[row]?.best.ledger ?? [];
  const isUnpriced = ledger.length > 0 && ledger.every(({ unpriced }) => unpriced !== undefined);
  return isSendable(outcome, row) && !isUnpriced;
}

/** Whether the session lacks what the row's policy needs. */
export function isApplicable(outcome: SessionOutcome, row: number): boolean {
  return outcome.rows[row]?.best.lacks === undefined;
}
