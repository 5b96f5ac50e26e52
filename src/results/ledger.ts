import { addUsage, compareText, type Usage, usageClasses, zeroUsage } from '../session/index.ts';
import type { LedgerLine, RatesPerMTok } from './ledger-line.ts';
import { type CallCounts, callCountKeys } from './outcome.ts';
import type { Cost } from './result.ts';

/**
 * Adds ledgers up: integers per set of rates, sorted by key, so that the order of sessions cannot change a bill.
 * Associative and commutative.
 */
export function mergeLedgers(ledgers: Iterable<readonly LedgerLine[]>): LedgerLine[] {
  const byKey = new Map<string, LedgerLine>();
  for (const ledger of ledgers) {
    for (const line of ledger) {
      const known = byKey.get(line.key);
      byKey.set(line.key, known ? addLines(known, line) : line);
    }
  }
  return [...byKey.values()].sort((a, b) => compareText(a.key, b.key));
}

function addLines(a: LedgerLine, b: LedgerLine): LedgerLine {
  const usage = addUsage(a.usage, b.usage);
  if (!a.storage || !b.storage) return { ...a, usage };
  const tokenMilliseconds = a.storage.tokenMilliseconds + b.storage.tokenMilliseconds;
  return { ...a, usage, storage: { ...a.storage, tokenMilliseconds } };
}

/** Tokens of a ledger that were replayed and have a price, whatever it is. */
export function usageOf(ledger: readonly LedgerLine[]): Usage {
  return ledger.reduce(
    (sum, line) => (line.unpriced === undefined && !line.expected ? addUsage(sum, line.usage) : sum),
    zeroUsage,
  );
}

/** A ledger of which only a share is expected to be spent. */
export function expectedLedger(ledger: readonly LedgerLine[], share: number): LedgerLine[] {
  return ledger.map((line) => ({
    ...line,
    key: `${line.key} expected at ${share}`,
    rates: mapRates(line.rates, (rate) => rate * share),
    expected: true,
  }));
}

function mapRates(rates: RatesPerMTok, change: (rate: number) => number): RatesPerMTok {
  return Object.fromEntries(usageClasses.map((name) => [name, change(rates[name])])) as RatesPerMTok;
}

/** Adds up how many extra calls there were. */
export function addCallCounts(counts: readonly CallCounts[]): CallCounts {
  const sum = (key: keyof CallCounts) => counts.reduce((total, each) => total + each[key], 0);
  return Object.fromEntries(callCountKeys.map((key) => [key, sum(key)])) as CallCounts;
}

const millisecondsPerHour = 3_600_000;

/** US dollars of the priced part of a merged ledger, computed once from integer token counts; `calls` is the part of it for extra calls. */
export function costOf(ledger: readonly LedgerLine[], calls: readonly LedgerLine[] = []): Cost {
  let fresh = 0;
  let cacheRead = 0;
  let cacheWrite = 0;
  let output = 0;
  let stored = 0;
  for (const { rates, usage, storage } of ledger) {
    fresh += usage.fresh * rates.fresh;
    cacheRead += usage.cacheRead * rates.cacheRead;
    cacheWrite += usage.cacheWrite5m * rates.cacheWrite5m + usage.cacheWrite1h * rates.cacheWrite1h;
    output += usage.output * rates.output;
    if (storage) stored += (storage.tokenMilliseconds * storage.usdPerMTokHour) / millisecondsPerHour;
  }
  const usd = (perMillion: number) => perMillion / 1e6;
  return {
    total: usd(fresh + cacheRead + cacheWrite + output + stored),
    fresh: usd(fresh),
    cacheRead: usd(cacheRead),
    cacheWrite: usd(cacheWrite),
    output: usd(output),
    storage: usd(stored),
    summarizer: calls.length === 0 ? 0 : costOf(calls).total,
  };
}
