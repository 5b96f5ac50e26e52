import {
  addCallCounts,
  costOf,
  type LedgerLine,
  mergeLedgers,
  type RowOutcome,
  type SessionOutcome,
  unpricedTokens,
  usageOf,
} from '../results/index.ts';
import type { Result, ResultRow, SessionResult } from '../results/result.ts';
import { compareText } from '../session/index.ts';
import { answerOf } from './answer.ts';
import { breakEvensOf } from './break-even.ts';
import { byPriceOf } from './by-price.ts';
import { assumptionsOf, corpusOf, digestOf, isApplicable, isComparable, isSendable } from './describe.ts';
import { rowParts } from './detail.ts';
import { distinct } from './distinct.ts';
import { familiesOf, type PairedCosts, pairedCosts } from './families.ts';
import { estimateSaving, type Interval } from './interval.ts';
import { hasFired, withoutEmptyRows } from './own-rows.ts';
import type { RowMeta, SummaryMeta } from './run-meta.ts';
import { signTest } from './sign-test.ts';
import { verdictOf } from './verdict.ts';
import { boundOf, regretOf, yardstickNotes } from './yardstick.ts';

/** Two bills this close, in US dollars, are the same bill: rounding of a sum, not a saving. */
const sameDollars = 1e-9;

type Which = 'best' | 'recorded';

/** Turns the outcomes of all sessions into the result. The order of the outcomes does not matter. */
export function summarize(unsorted: readonly SessionOutcome[], everyRow: SummaryMeta): Result {
  const { outcomes: unordered, meta } = withoutEmptyRows(unsorted, everyRow);
  const outcomes = [...unordered].sort((a, b) => compareText(a.id, b.id) || compareText(a.file, b.file));
  const labels = meta.rows.map((row) => row.label);
  const sessions = outcomes.map((outcome) => sessionResult(outcome, labels, 'best'));
  const families = familiesOf(sessions);
  const underRecorded = familiesOf(outcomes.map((outcome) => sessionResult(outcome, labels, 'recorded')));
  const baselineLabel = labels[meta.baseline] as string;
  const rows = meta.rows.map((row, index) =>
    resultRow(outcomes, meta, row, index, {
      best: pairedCosts(families, baselineLabel, row.label),
      recorded: pairedCosts(underRecorded, baselineLabel, row.label),
    }),
  );
  const corpus = { ...corpusOf(outcomes, sessions, baselineLabel), bound: boundOf(outcomes, meta) };
  const assumptions = assumptionsOf(outcomes, meta, rows, corpus);
  return {
    schema: 'ctxsim.result/1',
    answer: answerOf(rows, { sessions: outcomes.length }),
    rows,
    corpus,
    assumptions: { ...assumptions, notes: [...assumptions.notes, ...yardstickNotes(outcomes, meta)] },
    digest: { version: meta.version, prices: meta.prices, inputs: digestOf(outcomes), seed: meta.seed },
    ...(meta.lifetimeMultiples && { breakEven: breakEvensOf(outcomes, meta) }),
    byPrice: [byPriceOf(outcomes, meta)],
    ...(meta.detailed && { detail: { parts: rowParts(outcomes, meta, rows), trace: null } }),
    sessions,
    findings: [...meta.findings],
  };
}

function resultRow(
  outcomes: readonly SessionOutcome[],
  meta: SummaryMeta,
  { policy, params, label, partOf }: RowMeta,
  index: number,
  paired: Readonly<Record<Which, PairedCosts>>,
): ResultRow {
  const isBaseline = index === meta.baseline;
  const both = (test: (outcome: SessionOutcome, row: number) => boolean) =>
    outcomes.filter((outcome) => test(outcome, index) && test(outcome, meta.baseline));
  const compared = both(isComparable);
  const sendable = both(isSendable);
  const applicable = both(isApplicable);
  const unsendable = applicable.filter((outcome) => !isSendable(outcome, index)).length;
  const baselineUnsendable = applicable.length - sendable.length - unsendable;
  const unpriced = sendable.length - compared.length;
  const ledger = mergeLedgers(ledgersOf(compared, index, 'best'));
  const neverFired = compared.filter((outcome) => !hasFired(outcome, index)).length;
  const outcomesOfRow = compared.map((outcome) => (outcome.rows[index] as { best: RowOutcome }).best);
  const cost = costOf(ledger, mergeLedgers(outcomesOfRow.map(({ calls }) => calls)));
  const saving = isBaseline ? null : savingOf(compared, index, meta.baseline, 'best');
  const { ci95: interval, effective } = isBaseline ? nothingEstimated : estimateSaving(paired.best);
  const savingRecordedMarkers = isBaseline ? null : savingOf(compared, index, meta.baseline, 'recorded');
  return {
    policy,
    params: { ...params },
    label,
    ...(partOf === undefined ? {} : { partOf }),
    model: distinct(compared.flatMap(({ models }) => models)),
    cache: distinct(compared.flatMap(({ cache }) => cache)),
    breakpoints: distinct(compared.map(({ planner }) => planner)),
    ttl: meta.ttl,
    isBaseline,
    serviceTier: meta.service.tier,
    region: meta.service.region,
    usage: usageOf(ledger),
    unpricedTokens: unpricedTokens(ledgersOf(sendable, index, 'best').flat()),
    cost: compared.length > 0 ? cost : { ...cost, total: null },
    calls: addCallCounts(outcomesOfRow.map(({ callCounts }) => callCounts)),
    refetch: isBaseline ? null : refetchOf(compared, index, meta.baseline),
    saving,
    savingRecordedMarkers,
    regret: regretOf(outcomes, meta, index),
    ci95: interval,
    ci95RecordedMarkers: savingRecordedMarkers === null ? null : estimateSaving(paired.recorded).ci95,
    effectiveSessions: effective,
    signTest: isBaseline ? null : signTestOf(paired.best),
    few: !isBaseline && interval === null,
    verdict:
      isBaseline && compared.length > 0
        ? 'baseline'
        : verdictOf({
            saving,
            ci95: interval,
            compared: compared.length,
            neverFired,
            applicable: applicable.length,
            unsendable,
            unpriced,
          }),
    sessions: {
      ...winsOf(compared, index, meta.baseline),
      neverFired: isBaseline ? 0 : neverFired,
      unsendable,
      ...(baselineUnsendable > 0 ? { baselineUnsendable } : {}),
      notApplicable: outcomes.length - applicable.length,
      unpriced,
    },
  };
}

const nothingEstimated: { readonly ci95: Interval | null; readonly effective: null } = { ci95: null, effective: null };

function signTestOf({ baseline, row }: PairedCosts): number {
  const differences = baseline.map((spent, family) => (row[family] ?? 0) - spent);
  const better = differences.filter((usd) => usd < -sameDollars).length;
  return signTest(better, differences.filter((usd) => usd > sameDollars).length);
}

function savingOf(outcomes: readonly SessionOutcome[], row: number, baseline: number, which: Which): number | null {
  // Sessions whose cache has no markers bill alike under every planner; without any that has, there is no second saving.
  if (which === 'recorded' && outcomes.every((outcome) => outcome.rows[row]?.recorded === undefined)) return null;
  const spent = costOf(mergeLedgers(ledgersOf(outcomes, baseline, which))).total;
  return spent > 0 ? 1 - costOf(mergeLedgers(ledgersOf(outcomes, row, which))).total / spent : null;
}

function ledgersOf(outcomes: readonly SessionOutcome[], row: number, which: Which): (readonly LedgerLine[])[] {
  return outcomes.map((outcome) => {
    const { best, recorded } = outcome.rows[row] as { best: RowOutcome; recorded: RowOutcome | undefined };
    return (which === 'recorded' ? (recorded ?? best) : best).ledger;
  });
}

/** What was taken out of the contexts of a row, and how often it could be read again until nothing is saved. */
function refetchOf(outcomes: readonly SessionOutcome[], row: number, baseline: number): ResultRow['refetch'] {
  const refetches = outcomes.flatMap(({ rows }) => rows[row]?.best.refetch ?? []);
  if (refetches.length === 0) return null;
  const ledger = mergeLedgers(ledgersOf(outcomes, row, 'best'));
  const usd = costOf(mergeLedgers(refetches.map((refetch) => refetch.ledger))).total;
  const charged = costOf(ledger.filter(({ expected }) => expected)).total;
  const saved = costOf(mergeLedgers(ledgersOf(outcomes, baseline, 'best'))).total - (costOf(ledger).total - charged);
  return {
    elided: refetches.reduce((sum, { elided }) => sum + elided, 0),
    atRisk: refetches.reduce((sum, { atRisk }) => sum + atRisk, 0),
    usd,
    breakEvenTimes: saved > 0 && usd > 0 ? saved / usd : null,
  };
}

function winsOf(outcomes: readonly SessionOutcome[], row: number, baseline: number) {
  const wins = { cheaper: 0, equal: 0, dearer: 0 };
  if (row === baseline) return { ...wins, equal: outcomes.length };
  for (const outcome of outcomes) {
    const difference = costOfRow(outcome, row) - costOfRow(outcome, baseline);
    wins[Math.abs(difference) < sameDollars ? 'equal' : difference < 0 ? 'cheaper' : 'dearer'] += 1;
  }
  return wins;
}

function costOfRow(outcome: SessionOutcome, row: number, which: Which = 'best'): number {
  return costOf(mergeLedgers(ledgersOf([outcome], row, which))).total;
}

function sessionResult(outcome: SessionOutcome, labels: readonly string[], which: Which): SessionResult {
  const cost = Object.fromEntries(
    labels.map((label, index) => [label, isComparable(outcome, index) ? costOfRow(outcome, index, which) : null]),
  );
  return {
    id: outcome.id,
    ...(outcome.parent === undefined ? {} : { parent: outcome.parent }),
    file: outcome.file,
    format: outcome.format,
    model: distinct(outcome.models),
    turns: outcome.turns,
    requests: outcome.requests,
    cost,
    events: [...outcome.events],
  };
}
