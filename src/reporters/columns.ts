import { notableUnpriced, unpricedShareOf } from '../results/index.ts';
import type { Result, ResultRow } from '../results/result.ts';
import type { TextColumn } from '../text/index.ts';
import {
  formatCount,
  formatPercent,
  formatPercentRange,
  formatSignedPercent,
  formatTokens,
  formatUsd,
  unknown,
} from '../units.ts';

/** One column of a table for people. */
export interface Column extends TextColumn {
  cell(row: ResultRow): string;
}

/** What the row cost in US dollars; unknown where it covers no session, which is not the same as nothing. */
export function billOf({
  cost,
  sessions: { cheaper, equal, dearer, unsendable, notApplicable, unpriced },
}: ResultRow): number | null {
  return unsendable + notApplicable + unpriced > 0 && cheaper + equal + dearer === 0 ? null : cost.total;
}

/** Every column in the order of the table; those that would say nothing are left out by {@link columnsFor}. */
const columns: readonly Column[] = [
  { key: 'policy', title: 'policy', align: 'left', wraps: 'labels', cell: (row) => row.label },
  { key: 'model', title: 'model', align: 'left', cell: (row) => row.model },
  { key: 'cache', title: 'cache', align: 'left', cell: (row) => row.cache },
  { key: 'markers', title: 'markers', align: 'left', cell: (row) => row.breakpoints },
  { key: 'ttl', title: 'TTL', align: 'left', cell: (row) => row.ttl },
  { key: 'serviceTier', title: 'tier', align: 'left', cell: (row) => row.serviceTier },
  { key: 'region', title: 'region', align: 'left', cell: (row) => row.region },
  { key: 'cost', title: 'cost', align: 'right', cell: (row) => formatUsd(billOf(row)) },
  { key: 'saving', title: 'saving', align: 'right', cell: (row) => formatSignedPercent(row.saving) },
  { key: 'interval', title: '95 % interval', align: 'right', cell: (row) => formatPercentRange(row.ci95) },
  {
    key: 'harness',
    title: 'harness',
    align: 'right',
    cell: (row) => formatSignedPercent(row.savingRecordedMarkers),
  },
  { key: 'regret', title: 'regret', align: 'right', cell: (row) => formatPercent(row.regret) },
  { key: 'verdict', title: 'verdict', align: 'left', wraps: 'labels', cell: verdictCell },
  { key: 'risk', title: 'at risk', align: 'right', cell: ({ refetch }) => formatPercent(riskShare(refetch)) },
  { key: 'calls', title: 'calls', align: 'right', cell: (row) => formatCount(row.calls.total) },
  { key: 'callCost', title: 'for calls', align: 'right', cell: (row) => formatUsd(row.cost.summarizer) },
  { key: 'storage', title: 'storage', align: 'right', cell: (row) => formatUsd(row.cost.storage) },
  { key: 'read', title: 'read', align: 'right', cell: (row) => formatTokens(row.usage.cacheRead) },
  { key: 'written', title: 'written', align: 'right', cell: (row) => formatTokens(writtenTokens(row)) },
  { key: 'fresh', title: 'fresh', align: 'right', cell: (row) => formatTokens(row.usage.fresh) },
  { key: 'hits', title: 'hits', align: 'right', cell: (row) => formatPercent(hitShare(row)) },
  { key: 'cheaper', title: 'cheaper', align: 'right', cell: (row) => sessionsCell(row, row.sessions.cheaper) },
  { key: 'dearer', title: 'dearer', align: 'right', cell: (row) => sessionsCell(row, row.sessions.dearer) },
  { key: 'idle', title: 'not fired', align: 'right', cell: (row) => sessionsCell(row, row.sessions.neverFired) },
  { key: 'unsendable', title: 'unsendable', align: 'right', cell: (row) => formatCount(row.sessions.unsendable) },
  { key: 'notApplicable', title: 'n/a', align: 'right', cell: (row) => formatCount(row.sessions.notApplicable) },
  { key: 'unpriced', title: 'unpriced', align: 'right', cell: (row) => formatCount(row.sessions.unpriced) },
];

/** The columns that say something about this result: what is alike in all rows stands in the header instead. */
export function columnsFor(result: Result): readonly Column[] {
  const differs = (value: (row: ResultRow) => string) => new Set(result.rows.map(value)).size > 1;
  const hidden = new Set<string>();
  if (!differs((row) => row.model)) hidden.add('model');
  if (!differs((row) => row.cache)) hidden.add('cache');
  if (!differs((row) => row.breakpoints)) hidden.add('markers');
  if (!differs((row) => row.ttl)) hidden.add('ttl');
  if (!differs((row) => row.serviceTier)) hidden.add('serviceTier');
  if (!differs((row) => row.region)) hidden.add('region');
  if (result.rows.every((row) => row.ci95 === null)) hidden.add('interval');
  if (result.rows.every((row) => row.savingRecordedMarkers === null)) hidden.add('harness');
  if (result.rows.every((row) => row.regret === null)) hidden.add('regret');
  if (result.rows.every((row) => row.sessions.unsendable === 0)) hidden.add('unsendable');
  if (result.rows.every((row) => row.sessions.notApplicable === 0)) hidden.add('notApplicable');
  if (result.rows.every((row) => row.sessions.unpriced === 0)) hidden.add('unpriced');
  if (result.rows.every((row) => riskShare(row.refetch) === null)) hidden.add('risk');
  if (result.rows.every((row) => row.calls.total === 0)) hidden.add('calls').add('callCost');
  if (result.rows.every((row) => row.cost.storage === 0)) hidden.add('storage');
  return columns.filter(({ key }) => !hidden.has(key));
}

/** Results that were used later, as a share of those taken out; null where none was. */
export function riskShare(refetch: ResultRow['refetch']): number | null {
  return refetch && refetch.elided > 0 ? refetch.atRisk / refetch.elided : null;
}

/** Cached reads as a share of the prompt; null where there was no prompt. */
export function hitShare(row: ResultRow): number | null {
  const { fresh, cacheRead } = row.usage;
  const prompt = fresh + cacheRead + writtenTokens(row);
  return prompt > 0 ? cacheRead / prompt : null;
}

/** Tokens written to the cache, both lifetimes. */
export function writtenTokens({ usage }: ResultRow): number {
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
