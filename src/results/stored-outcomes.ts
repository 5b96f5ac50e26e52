import { compareText, type Usage } from '../session/index.ts';
import type { Basis, Line, StoredRow, StoredSession } from './basis.ts';
import type { BillPart } from './bill-part.ts';
import { mergeLedgers } from './ledger.ts';
import type { LedgerLine } from './ledger-line.ts';
import { type CallCounts, callCountKeys, notApplicable, type RowOutcome, type SessionOutcome } from './outcome.ts';

type StoredRates = Basis['rates'];
type StoredOutcomes = Pick<Basis, 'rates' | 'rules' | 'sessions'>;

/** Sessions (each under every scenario) in the form that results are stored in, in an order of their own. */
export function storeOutcomes(outcomes: readonly (readonly SessionOutcome[])[]): StoredOutcomes {
  const byKey = new Map<string, LedgerLine>();
  for (const line of outcomes.flat().flatMap(linesOf)) byKey.set(line.key, line);
  const rates = [...byKey.values()]
    .sort((a, b) => compareText(a.key, b.key))
    .map(({ key, rates: each, unpriced, expected, storage }) => ({
      key,
      rates: { ...each },
      ...(unpriced === undefined ? {} : { unpriced }),
      ...(expected ? { expected } : {}),
      ...(storage ? { storageUsdPerMTokHour: storage.usdPerMTokHour } : {}),
    }));
  const numbers = new Map(rates.map(({ key }, index) => [key, index]));
  const sessions = [...outcomes]
    .sort(([a], [b]) => compareText(a?.id ?? '', b?.id ?? '') || compareText(a?.file ?? '', b?.file ?? ''))
    .map((scenarios) => scenarios.map((outcome) => storedSession(outcome, numbers)));
  return { rates, rules: distinctRules(outcomes.flat()), sessions };
}

function distinctRules(outcomes: readonly SessionOutcome[]): Basis['rules'] {
  const byText = new Map(outcomes.flatMap(({ rules }) => rules.map((rule) => [JSON.stringify(rule), rule])));
  return [...byText].sort(([a], [b]) => compareText(a, b)).map(([, rule]) => ({ ...rule }));
}

function linesOf({ rows, recordedBill = [], estimatedBill = [] }: SessionOutcome): readonly LedgerLine[] {
  const ofRows = rows
    .flatMap(({ best, recorded }) => (recorded ? [best, recorded] : [best]))
    .flatMap(({ ledger, calls, parts = [], refetch, even }) => [
      ...ledger,
      ...calls,
      ...parts.flatMap((part) => part.ledger),
      ...(refetch?.ledger ?? []),
      ...(even?.atLifetimes.flat() ?? []),
    ]);
  return [...ofRows, ...recordedBill, ...estimatedBill];
}

function storedSession({ rules: _, ...outcome }: SessionOutcome, numbers: ReadonlyMap<string, number>): StoredSession {
  const rows = outcome.rows.map(({ best, recorded }) => ({
    best: storedRow(best, numbers),
    ...(recorded ? { recorded: storedRow(recorded, numbers) } : {}),
  }));
  // Through JSON what is undefined is gone, as it will be when the result is read again.
  const recordedBill = outcome.recordedBill?.map((line) => storedLine(line, numbers));
  const estimatedBill = outcome.estimatedBill?.map((line) => storedLine(line, numbers));
  return JSON.parse(JSON.stringify({ ...outcome, recordedBill, estimatedBill, rows })) as StoredSession;
}

function storedRow(row: RowOutcome, numbers: ReadonlyMap<string, number>): StoredRow {
  const {
    ledger,
    calls,
    callCounts,
    edits,
    unsendable,
    lacks,
    foresight,
    isRecorded,
    peakPrompt,
    parts,
    refetch,
    even,
  } = row;
  const bill = (lines: readonly LedgerLine[]) => mergeLedgers([lines]).map((line) => storedLine(line, numbers));
  return {
    bill: bill(ledger),
    ...(calls.length > 0 ? { calls: bill(calls) } : {}),
    ...(callCounts.total > 0 ? { callCounts: callCountKeys.map((key) => callCounts[key]) } : {}),
    edits,
    unsendable,
    ...(lacks ? { lacks: [...lacks] } : {}),
    ...(foresight ? { foresight: { isExact: foresight.isExact, leastUsd: foresight.leastUsd } } : {}),
    ...(isRecorded ? { isRecorded } : {}),
    ...(peakPrompt === undefined ? {} : { peakPrompt }),
    ...(parts ? { parts: parts.map(({ ledger: of, ...name }) => ({ ...name, bill: bill(of) })) } : {}),
    ...(refetch ? { refetch: { elided: refetch.elided, atRisk: refetch.atRisk, bill: bill(refetch.ledger) } } : {}),
    ...(even ? { even: { ...(even.last ? { last: even.last } : {}), atLifetimes: even.atLifetimes.map(bill) } } : {}),
  };
}

function storedLine({ key, usage, storage }: LedgerLine, numbers: ReadonlyMap<string, number>): Line {
  const { fresh, cacheRead, cacheWrite5m, cacheWrite1h, output } = usage;
  const line = [numbers.get(key) ?? -1, fresh, cacheRead, cacheWrite5m, cacheWrite1h, output];
  return storage ? [...line, storage.tokenMilliseconds] : line;
}

/** The sessions of a stored result, each under every scenario. */
export function storedOutcomes({ sessions, rates, rules }: StoredOutcomes): SessionOutcome[][] {
  return sessions.map((scenarios) =>
    scenarios.map((stored) => ({
      ...stored,
      rules: rules.filter(({ model }) => stored.models.includes(model)),
      tokenUncertainty: stored.tokenUncertainty,
      recordedBill: stored.recordedBill?.map((line) => lineOf(line, rates)),
      estimatedBill: stored.estimatedBill?.map((line) => lineOf(line, rates)),
      rows: stored.rows.map(({ best, recorded }) => ({
        best: rowOf(best, rates),
        recorded: recorded && rowOf(recorded, rates),
      })),
    })),
  );
}

function rowOf(stored: StoredRow, rates: StoredRates): RowOutcome {
  const { bill, calls = [], callCounts, edits, unsendable, lacks, foresight } = stored;
  const { isRecorded, peakPrompt, parts, refetch, even } = stored;
  const lines = (of: readonly Line[]) => of.map((line) => lineOf(line, rates));
  return {
    ledger: lines(bill),
    calls: lines(calls),
    callCounts: callCounts ? countsOf(callCounts) : notApplicable([]).callCounts,
    edits,
    unsendable,
    ...(lacks ? { lacks } : {}),
    ...(foresight ? { foresight: { isExact: foresight.isExact, leastUsd: foresight.leastUsd } } : {}),
    ...(isRecorded ? { isRecorded } : {}),
    ...(peakPrompt === undefined ? {} : { peakPrompt }),
    ...(parts
      ? { parts: parts.map(({ bill: of, ...name }): BillPart => ({ ...nameOf(name), ledger: lines(of) })) }
      : {}),
    ...(refetch ? { refetch: { elided: refetch.elided, atRisk: refetch.atRisk, ledger: lines(refetch.bill) } } : {}),
    ...(even ? { even: { ...(even.last ? { last: even.last } : {}), atLifetimes: even.atLifetimes.map(lines) } } : {}),
  };
}

function nameOf({ kind, cause, detail, times }: Omit<NonNullable<StoredRow['parts']>[number], 'bill'>) {
  return { kind, times, ...(cause === undefined ? {} : { cause }), ...(detail === undefined ? {} : { detail }) };
}

function countsOf(counts: readonly number[]): CallCounts {
  return Object.fromEntries(callCountKeys.map((key, index) => [key, counts[index] ?? 0])) as CallCounts;
}

function lineOf([number = -1, ...tokens]: Line, rates: StoredRates): LedgerLine {
  const priced = rates[number];
  if (!priced) throw new Error(`no rates ${number}`);
  const [fresh = 0, cacheRead = 0, cacheWrite5m = 0, cacheWrite1h = 0, output = 0, tokenMilliseconds = 0] = tokens;
  const usage: Usage = { fresh, cacheRead, cacheWrite5m, cacheWrite1h, output };
  const { key, unpriced, expected, storageUsdPerMTokHour } = priced;
  return {
    key,
    rates: priced.rates,
    usage,
    ...(unpriced === undefined ? {} : { unpriced }),
    ...(expected ? { expected } : {}),
    ...(storageUsdPerMTokHour === undefined
      ? {}
      : { storage: { tokenMilliseconds, usdPerMTokHour: storageUsdPerMTokHour } }),
  };
}
