import {
  type BreakEven,
  billAt,
  costOf,
  type LedgerLine,
  mergeLedgers,
  type RowOutcome,
  type SessionOutcome,
} from '../results/index.ts';
import { type Weights, weightsOf } from './by-price.ts';
import { isComparable } from './describe.ts';
import type { SummaryMeta } from './run-meta.ts';

/** Prices of reads and writes relative to input that are sold somewhere, or were (providers.md §6). */
const readRatios = [0.02, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.5, 1];
const writeRatios = [1, 1.25, 1.5, 2];

/** One row of one session, as far as break-evens need it. */
export interface EvenOutcome {
  readonly ledger: readonly LedgerLine[];
  /** The prompt of the last request, at its rates. */
  readonly last: { readonly tokens: number; readonly readUsdPerMTok: number } | undefined;
  /** The bill of reading the results at risk again, once. */
  readonly refetch: readonly LedgerLine[];
  /** The ledger under each multiple of the lifetime. */
  readonly atLifetimes: readonly (readonly LedgerLine[])[];
}

/** The same sessions under a row and under the baseline. */
export interface EvenPair {
  readonly label: string;
  readonly row: readonly EvenOutcome[];
  readonly baseline: readonly EvenOutcome[];
  readonly multiples: readonly number[];
}

/**
 * Where a row and the baseline change places. A bill is linear in each price, so those are solved exactly; what a policy would
 * do otherwise under another price is not replayed.
 */
export function breakEvenOf({ label, row, baseline, multiples }: EvenPair): BreakEven {
  const weights = (outcomes: readonly EvenOutcome[]) => weightsOf(mergeLedgers(outcomes.map(({ ledger }) => ledger)));
  const [ofRow, ofBaseline] = [weights(row), weights(baseline)];
  const read = ofRow.read - ofBaseline.read;
  const write = ofRow.write - ofBaseline.write;
  const rest = ofRow.rest - ofBaseline.rest;
  const saved = -(rest + (ofRow.readUsd - ofBaseline.readUsd) + (ofRow.writeUsd - ofBaseline.writeUsd));
  const lifetimes = multiples.map((multiple, at) => ({ multiple, saving: savingAt(row, baseline, at) }));
  return {
    label,
    readRatio: {
      now: ratioOf(ofBaseline.readUsd + ofRow.readUsd, ofBaseline.read + ofRow.read),
      even: root(rest + (ofRow.writeUsd - ofBaseline.writeUsd), read),
    },
    writeRatio: {
      now: ratioOf(ofBaseline.writeUsd + ofRow.writeUsd, ofBaseline.write + ofRow.write),
      even: root(rest + (ofRow.readUsd - ofBaseline.readUsd), write),
    },
    furtherRequests: root(-saved, perRequest(row) - perRequest(baseline)),
    refetchTimes: root(-saved, refetchUsd(row) - refetchUsd(baseline)),
    lifetimes,
    lifetimeEven: changes(lifetimes),
    map: {
      readRatios,
      writeRatios,
      savings: readRatios.map((readRatio) =>
        writeRatios.map((writeRatio) => {
          const cost = (of: Weights) => billAt(of, readRatio, writeRatio);
          return cost(ofBaseline) > 0 ? 1 - cost(ofRow) / cost(ofBaseline) : null;
        }),
      ),
    },
  };
}

/** Where each row and the baseline change places, over the sessions that both could send; the optimum, made in hindsight, is left out. */
export function breakEvensOf(outcomes: readonly SessionOutcome[], meta: SummaryMeta): BreakEven[] {
  const multiples = meta.lifetimeMultiples ?? [];
  return meta.rows.flatMap(({ label }, row) => {
    const compared = outcomes.filter((each) => isComparable(each, row) && isComparable(each, meta.baseline));
    const [first] = compared;
    const isScheduled = first?.rows[row]?.best.foresight !== undefined;
    if (row === meta.baseline || first === undefined || isScheduled) return [];
    const of = (index: number) => compared.map((outcome) => evenOutcome(outcome.rows[index]?.best));
    return [breakEvenOf({ label, row: of(row), baseline: of(meta.baseline), multiples })];
  });
}

function evenOutcome(outcome: RowOutcome | undefined): EvenOutcome {
  return {
    ledger: outcome?.ledger ?? [],
    last: outcome?.even?.last,
    refetch: outcome?.refetch?.ledger ?? [],
    atLifetimes: outcome?.even?.atLifetimes ?? [],
  };
}

/** Where constant + slope × x is zero, for x above zero. */
function root(constant: number, slope: number): number | null {
  const x = -constant / slope;
  return Number.isFinite(x) && x > 0 ? x : null;
}

function ratioOf(usd: number, atInputPrice: number): number | null {
  return atInputPrice > 0 ? usd / atInputPrice : null;
}

/** What one more request at the end of every session would read. */
function perRequest(outcomes: readonly EvenOutcome[]): number {
  return outcomes.reduce((sum, { last }) => sum + (last ? (last.tokens * last.readUsdPerMTok) / 1e6 : 0), 0);
}

function refetchUsd(outcomes: readonly EvenOutcome[]): number {
  return costOf(mergeLedgers(outcomes.map(({ refetch }) => refetch))).total;
}

function savingAt(row: readonly EvenOutcome[], baseline: readonly EvenOutcome[], at: number): number {
  const usd = (outcomes: readonly EvenOutcome[]) =>
    costOf(mergeLedgers(outcomes.map(({ atLifetimes }) => atLifetimes[at] ?? []))).total;
  const spent = usd(baseline);
  return spent > 0 ? 1 - usd(row) / spent : 0;
}

function changes(lifetimes: BreakEven['lifetimes']): BreakEven['lifetimeEven'] {
  return lifetimes.flatMap(({ multiple, saving }, index) => {
    const before = lifetimes[index - 1];
    return before && before.saving * saving < 0 ? [[before.multiple, multiple] as [number, number]] : [];
  });
}
