import {
  type BillPart,
  type CheckMetric,
  costOf,
  type LedgerLine,
  mergeLedgers,
  type SessionOutcome,
  usageOf,
} from '../results/index.ts';
import { compareText, promptTokens } from '../session/index.ts';
import { isComparable } from './describe.ts';
import { familiesOf } from './families.ts';
import { sumOf } from './sum.ts';

/** What one scenario came to under one row: a session with its sub-agents, or several of one name. */
export interface Measured {
  readonly name: string;
  readonly file: string;
  /** Sessions in it, each with its sub-agents. */
  readonly count: number;
  readonly turns: number;
  readonly requests: number;
  readonly ledger: readonly LedgerLine[];
  readonly usd: number;
  /** Tokens; undefined where the result does not say. */
  readonly peakPrompt: number | undefined;
  /** What the bill paid for; undefined where the result does not say. */
  readonly parts: readonly BillPart[] | undefined;
  /** Sessions of it that were billed by what was recorded. */
  readonly recorded: number;
  /** Models of which nobody has a price: their tokens are in no bill. */
  readonly unpriced: readonly string[];
}

/** What a session is compared by: the same scenario recorded anew has another id. */
export type NameOf = (session: Pick<SessionOutcome, 'id' | 'file'>) => string;

/** The scenarios of one row, by name; `unsent`: those of which a session could not be sent or priced. */
export function measureRow(
  outcomes: readonly SessionOutcome[],
  row: number,
  nameOf: NameOf,
): { readonly measured: ReadonlyMap<string, Measured>; readonly unsent: readonly string[] } {
  const byName = new Map<string, SessionOutcome[]>();
  for (const family of familiesOf(outcomes)) {
    const ids = new Set(family.map(({ id }) => id));
    const root = family.find(({ parent }) => parent === undefined || !ids.has(parent)) ?? family[0];
    const name = root ? nameOf(root) : '';
    byName.set(name, [...(byName.get(name) ?? []), ...family]);
  }
  const sorted = [...byName].sort(([a], [b]) => compareText(a, b));
  const isSent = (sessions: readonly SessionOutcome[]) => sessions.every((session) => isComparable(session, row));
  return {
    measured: new Map(sorted.flatMap(([name, of]) => (isSent(of) ? [[name, measure(name, of, row)]] : []))),
    unsent: sorted.flatMap(([name, sessions]) => (isSent(sessions) ? [] : [name])),
  };
}

function measure(name: string, sessions: readonly SessionOutcome[], row: number): Measured {
  const rows = sessions.flatMap((session) => session.rows[row]?.best ?? []);
  const ledger = mergeLedgers(rows.map((each) => each.ledger));
  const peaks = rows.flatMap(({ peakPrompt }) => peakPrompt ?? []);
  const files = sessions.map(({ file }) => file).sort(compareText);
  return {
    name,
    file: sessions.find(({ parent }) => parent === undefined)?.file ?? files[0] ?? '',
    count: familiesOf(sessions).length,
    // A sub-agent has no human turns, and a fork repeats those of its parent.
    turns: sumOf(sessions.map(({ parent, turns }) => (parent === undefined ? turns : 0))),
    requests: sumOf(sessions.map(({ requests }) => requests)),
    ledger,
    usd: costOf(ledger).total,
    peakPrompt: peaks.length === rows.length ? Math.max(...peaks) : undefined,
    parts: rows.every(({ parts }) => parts) ? rows.flatMap(({ parts }) => parts ?? []) : undefined,
    recorded: rows.filter(({ isRecorded }) => isRecorded).length,
    unpriced: unpricedIn(ledger),
  };
}

function unpricedIn(ledger: readonly LedgerLine[]): string[] {
  return [...new Set(ledger.flatMap(({ unpriced }) => unpriced ?? []))].sort(compareText);
}

/** Several scenarios as one. */
export function pool(all: readonly Measured[]): Measured {
  const ledger = mergeLedgers(all.map((each) => each.ledger));
  const peaks = all.flatMap(({ peakPrompt }) => peakPrompt ?? []);
  return {
    name: '',
    file: '',
    count: sumOf(all.map(({ count }) => count)),
    turns: sumOf(all.map(({ turns }) => turns)),
    requests: sumOf(all.map(({ requests }) => requests)),
    ledger,
    usd: costOf(ledger).total,
    peakPrompt: peaks.length === all.length && peaks.length > 0 ? Math.max(...peaks) : undefined,
    parts: all.every(({ parts }) => parts) ? all.flatMap(({ parts }) => parts ?? []) : undefined,
    recorded: sumOf(all.map(({ recorded }) => recorded)),
    unpriced: unpricedIn(ledger),
  };
}

/** A metric of scenarios; null where it is not known, or nothing to divide by. */
export function metricOf(metric: CheckMetric, measured: Measured): number | null {
  const { usd, turns, count, ledger, peakPrompt, parts } = measured;
  if (metric === 'usd') return usd;
  if (metric === 'usd/turn') return turns > 0 ? usd / turns : null;
  if (metric === 'usd/session') return count > 0 ? usd / count : null;
  if (metric === 'peak-prompt') return peakPrompt ?? null;
  if (metric === 'hit-share') {
    const usage = usageOf(ledger);
    const prompt = promptTokens(usage);
    return prompt > 0 ? usage.cacheRead / prompt : null;
  }
  const [fresh, resent] = [tokensOf(parts, 'new'), tokensOf(parts, 'resent')];
  return fresh > 0 ? (fresh + resent) / fresh : null;
}

function tokensOf(parts: readonly BillPart[] | undefined, kind: BillPart['kind']): number {
  const ledgers = (parts ?? []).filter((part) => part.kind === kind).map(({ ledger }) => ledger);
  return promptTokens(usageOf(mergeLedgers(ledgers)));
}
