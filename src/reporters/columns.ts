import { notableUnpriced, unpricedShareOf } from '../results/index.ts';
import type { Result, ResultRow } from '../results/result.ts';
import { type ColumnOf, labels, names, numbers, type Table, tableOf } from '../text/index.ts';
import {
  formatCount,
  formatPercent,
  formatPercentRange,
  formatSignedPercent,
  formatTokens,
  formatUsd,
  unknown,
} from '../units.ts';

/** A column of the savings table. */
interface SavingsColumn extends ColumnOf<ResultRow> {
  /** It is shown where this holds for a row. */
  readonly says?: (row: ResultRow) => boolean;
  /** It is shown where its cells differ: what is alike in all rows stands in the header instead. */
  readonly isSetting?: boolean;
}

/** Every column in the order of the table. */
const columns: readonly SavingsColumn[] = [
  labels('policy', (row) => row.label),
  { ...names('model', (row) => row.model), isSetting: true },
  { ...names('cache', (row) => row.cache), isSetting: true },
  { ...names('markers', (row) => row.breakpoints), isSetting: true },
  { ...names('TTL', (row) => row.ttl), isSetting: true },
  { ...names('tier', (row) => row.serviceTier), isSetting: true },
  { ...names('region', (row) => row.region), isSetting: true },
  numbers('cost', (row) => formatUsd(billOf(row))),
  numbers('saving', (row) => formatSignedPercent(row.saving)),
  { ...numbers('95 % interval', (row) => formatPercentRange(row.ci95)), says: (row) => row.ci95 !== null },
  {
    ...numbers('harness', (row) => formatSignedPercent(row.savingRecordedMarkers)),
    says: (row) => row.savingRecordedMarkers !== null,
  },
  { ...numbers('regret', (row) => formatPercent(row.regret)), says: (row) => row.regret !== null },
  labels('verdict', verdictCell),
  { ...numbers('at risk', (row) => formatPercent(riskShare(row))), says: (row) => riskShare(row) !== null },
  { ...numbers('calls', (row) => formatCount(row.calls.total)), says: (row) => row.calls.total > 0 },
  { ...numbers('for calls', (row) => formatUsd(row.cost.summarizer)), says: (row) => row.calls.total > 0 },
  { ...numbers('storage', (row) => formatUsd(row.cost.storage)), says: (row) => row.cost.storage > 0 },
  numbers('read', (row) => formatTokens(row.usage.cacheRead)),
  numbers('written', (row) => formatTokens(writtenTokens(row))),
  numbers('fresh', (row) => formatTokens(row.usage.fresh)),
  numbers('hits', (row) => formatPercent(hitShare(row))),
  numbers('cheaper', (row) => sessionsCell(row, row.sessions.cheaper)),
  numbers('dearer', (row) => sessionsCell(row, row.sessions.dearer)),
  numbers('not fired', (row) => sessionsCell(row, row.sessions.neverFired)),
  {
    ...numbers('unsendable', (row) => formatCount(row.sessions.unsendable)),
    says: (row) => row.sessions.unsendable > 0,
  },
  {
    ...numbers('n/a', (row) => formatCount(row.sessions.notApplicable)),
    says: (row) => row.sessions.notApplicable > 0,
  },
  { ...numbers('unpriced', (row) => formatCount(row.sessions.unpriced)), says: (row) => row.sessions.unpriced > 0 },
];

/** All rows, in the columns that say something about this result. */
export function savingsTable({ rows }: Result): Table {
  const shown = columns.filter(
    ({ says, isSetting, cell }) => (!says || rows.some(says)) && (!isSetting || new Set(rows.map(cell)).size > 1),
  );
  return tableOf(rows, shown);
}

/** What the row cost in US dollars; unknown where it covers no session, which is not the same as nothing. */
export function billOf({
  cost,
  sessions: { cheaper, equal, dearer, unsendable, notApplicable, unpriced },
}: ResultRow): number | null {
  return unsendable + notApplicable + unpriced > 0 && cheaper + equal + dearer === 0 ? null : cost.total;
}

/** Results that were used later, as a share of those taken out; null where none was. */
export function riskShare({ refetch }: ResultRow): number | null {
  return refetch && refetch.elided > 0 ? refetch.atRisk / refetch.elided : null;
}

/** Cached reads as a share of the prompt; null where there was no prompt. */
export function hitShare(row: ResultRow): number | null {
  const { fresh, cacheRead } = row.usage;
  const prompt = fresh + cacheRead + writtenTokens(row);
  return prompt > 0 ? cacheRead / prompt : null;
}

/** Tokens written to the cache, both lifetimes. */
function writtenTokens({ usage }: ResultRow): number {
  return usage.cacheWrite5m + usage.cacheWrite1h;
}

/**
 * The verdict as a reader should see it: with how many sessions it rests on where those are few or none, and what share of
 * the tokens has no price where that could change it.
 */
export function verdictCell(row: ResultRow): string {
  const { cheaper, equal, dearer } = row.sessions;
  if (cheaper + equal + dearer === 0) return row.verdict;
  const share = unpricedShareOf(row);
  const marks = [
    ...(row.verdict === 'never fired' && !row.isBaseline ? [`0 of ${formatCount(cheaper + equal + dearer)}`] : []),
    ...(row.verdict !== 'never fired' && row.few ? ['few'] : []),
    ...(share >= notableUnpriced ? [`${formatPercent(share)} unpriced`] : []),
  ];
  const verdict = row.isBaseline ? 'baseline' : row.verdict;
  return marks.length > 0 ? `${verdict} (${marks.join(', ')})` : verdict;
}

/** The baseline is neither cheaper nor dearer than itself. */
function sessionsCell(row: ResultRow, count: number): string {
  return row.isBaseline ? unknown : formatCount(count);
}
