import { stringify } from 'csv-stringify/sync';
import type { ResultRow } from '../results/result.ts';
import { plain } from '../text/index.ts';
import { billOf, hitShare } from './columns.ts';
import { explanationCsv } from './explanation-csv.ts';
import type { Reporter } from './reporter.ts';

/** Columns with their units; their order is stable, new ones are added at the end. An unknown number is an empty cell. */
const columns: readonly (readonly [title: string, cell: (row: ResultRow) => string | number | null])[] = [
  ['label', (row) => row.label],
  ['policy', (row) => row.policy],
  ['params', (row) => paramsCell(row)],
  ['model', (row) => row.model],
  ['cache', (row) => row.cache],
  ['breakpoints', (row) => row.breakpoints],
  ['baseline', (row) => (row.isBaseline ? 'yes' : 'no')],
  ['cost_usd', (row) => billOf(row)],
  ['cost_fresh_usd', (row) => row.cost.fresh],
  ['cost_read_usd', (row) => row.cost.cacheRead],
  ['cost_write_usd', (row) => row.cost.cacheWrite],
  ['cost_output_usd', (row) => row.cost.output],
  ['cost_summarizer_usd', (row) => row.cost.summarizer],
  ['saving_fraction', (row) => row.saving],
  ['saving_low_fraction', (row) => row.ci95?.[0] ?? null],
  ['saving_high_fraction', (row) => row.ci95?.[1] ?? null],
  ['saving_recorded_markers_fraction', (row) => row.savingRecordedMarkers],
  ['verdict', (row) => row.verdict],
  ['few', (row) => (row.few ? 'yes' : 'no')],
  ['fresh_tokens', (row) => row.usage.fresh],
  ['read_tokens', (row) => row.usage.cacheRead],
  ['write_5m_tokens', (row) => row.usage.cacheWrite5m],
  ['write_1h_tokens', (row) => row.usage.cacheWrite1h],
  ['output_tokens', (row) => row.usage.output],
  ['hit_fraction', hitShare],
  ['cheaper_sessions', (row) => row.sessions.cheaper],
  ['equal_sessions', (row) => row.sessions.equal],
  ['dearer_sessions', (row) => row.sessions.dearer],
  ['never_fired_sessions', (row) => row.sessions.neverFired],
  ['unsendable_sessions', (row) => row.sessions.unsendable],
  ['calls', (row) => row.calls.total],
  ['malformed_calls', (row) => row.calls.malformed],
  ['failed_calls', (row) => row.calls.failed],
  ['oversized_calls', (row) => row.calls.oversized],
  ['canceled_calls', (row) => row.calls.canceled],
  ['stale_calls', (row) => row.calls.stale],
  ['not_applicable_sessions', (row) => row.sessions.notApplicable],
  ['saving_recorded_markers_low_fraction', (row) => row.ci95RecordedMarkers?.[0] ?? null],
  ['saving_recorded_markers_high_fraction', (row) => row.ci95RecordedMarkers?.[1] ?? null],
  ['effective_sessions', (row) => row.effectiveSessions],
  ['sign_test_p', (row) => row.signTest],
  ['service_tier', (row) => row.serviceTier],
  ['region', (row) => row.region],
  ['unpriced_tokens', (row) => row.unpricedTokens],
  ['unpriced_sessions', (row) => row.sessions.unpriced],
  ['cost_storage_usd', (row) => row.cost.storage],
  ['regret_fraction', (row) => row.regret],
  ['elided_results', (row) => row.refetch?.elided ?? null],
  ['results_at_risk', (row) => row.refetch?.atRisk ?? null],
  ['refetch_once_usd', (row) => row.refetch?.usd ?? null],
  ['refetch_break_even_times', (row) => row.refetch?.breakEvenTimes ?? null],
];

/** One line per row of the result, numbers unrounded. */
export const csv: Reporter = {
  name: 'csv',
  title: 'Comma-separated values, one line per policy',
  extensions: ['.csv'],
  render(result) {
    const lines = result.rows.map((row) => columns.map(([, cell]) => cellOf(cell(row))));
    // Labels and models come from transcripts: a spreadsheet must not run them as formulas.
    return stringify([columns.map(([title]) => title), ...lines], { escape_formulas: true });
  },
  renderExplanation: explanationCsv,
};

function cellOf(value: string | number | null): string | number | null {
  return typeof value === 'string' ? plain(value) : value;
}

function paramsCell({ params }: ResultRow): string {
  return Object.entries(params)
    .map(([key, value]) => `${key}=${value}`)
    .join(';');
}
