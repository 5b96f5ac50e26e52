import { stringify } from 'csv-stringify/sync';
import { classKeys, type PricedRow, type PricedTotals } from '../../analysis/index.ts';
import type { Rates } from '../../providers/provider.ts';
import type { UsageClass } from '../../session/index.ts';
import { numbers, type PagePart, pageText, plain, type TextTable, tableOf, words } from '../../text/index.ts';
import { formatCounted, formatTokens, unknown } from '../../units.ts';

/** A priced table, and where its prices came from. */
export interface Repriced {
  readonly rows: readonly PricedRow[];
  readonly totals: PricedTotals;
  /** Classes of tokens that the table has; the others have no price. */
  readonly classes: readonly UsageClass[];
  readonly rates: Rates;
  readonly source: string;
  readonly toleranceUsd: number;
  readonly notes: readonly string[];
}

/** The table for people, JSON or CSV; people who asked for the prices see the rows that do not fit them. */
export function renderRepriced(
  table: Repriced,
  format: string,
  { onlyMisfits, width }: { readonly onlyMisfits: boolean; readonly width: number | undefined },
): string {
  if (format === 'json') return renderJson(table);
  return format === 'csv' ? renderCsv(table) : pageText(pageOf(table, onlyMisfits), { width });
}

function pageOf(table: Repriced, onlyMisfits: boolean): PagePart[][] {
  const { rows, totals, classes, rates, source, toleranceUsd, notes } = table;
  const prices = classes.map((name) => `${classKeys[name]} ${rates[name]}`).join(' · ');
  const shown = onlyMisfits ? rows.filter(({ fits }) => fits === false) : rows;
  return [
    [
      `USD per million tokens: ${prices} (${source})`,
      ...(totals.compared > 0
        ? [
            `${totals.fitting} of ${formatCounted(totals.compared, 'row')} agree within ${toleranceUsd} USD; largest difference ${totals.largestDifference.toFixed(4)}`,
            `mean of a row ${(totals.comparedUsd / totals.compared).toFixed(4)} against ${(totals.publishedUsd / totals.compared).toFixed(4)} in the table`,
          ]
        : []),
      `total ${totals.usd.toFixed(2)} USD over ${formatCounted(totals.rows, 'row')}`,
      ...(shown.length === 0 ? notes : []),
    ],
    shown.length === 0
      ? []
      : [onlyMisfits ? 'Rows that do not fit:' : '', rowsTable(shown, classes, totals.compared > 0), ...notes],
  ];
}

/** What a terminal that is too narrow loses: the counts of tokens, one after another. */
const dropOrder = [['write1h'], ['write5m'], ['output'], ['fresh'], ['read']];

function rowsTable(rows: readonly PricedRow[], classes: readonly UsageClass[], isCompared: boolean): TextTable {
  const compared = [
    numbers<PricedRow>('in the table', ({ publishedUsd }) => publishedUsd?.toFixed(4) ?? unknown),
    numbers<PricedRow>('difference', ({ difference }) => signed(difference)),
  ];
  return {
    ...tableOf(rows, [
      words('row', ({ label }) => label),
      ...classes.map((name) => numbers<PricedRow>(classKeys[name], ({ tokens }) => formatTokens(tokens[name]))),
      numbers('cost', ({ usd }) => usd.toFixed(4)),
      ...(isCompared ? compared : []),
    ]),
    drop: dropOrder,
    whole: '--format csv has every column',
    boxed: true,
  };
}

function renderCsv({ rows }: Repriced): string {
  const head = ['label', 'fresh_tokens', 'read_tokens', 'write_5m_tokens', 'write_1h_tokens', 'output_tokens'];
  const lines = rows.map(({ label, tokens, usd, publishedUsd, difference, fits }) => [
    plain(label),
    tokens.fresh,
    tokens.cacheRead,
    tokens.cacheWrite5m,
    tokens.cacheWrite1h,
    tokens.output,
    usd,
    publishedUsd,
    difference,
    fits === undefined ? undefined : fits ? 'yes' : 'no',
  ]);
  // Labels come from outside: a spreadsheet must not run them as formulas.
  return stringify([[...head, 'cost_usd', 'published_usd', 'difference_usd', 'fits'], ...lines], {
    escape_formulas: true,
  });
}

function renderJson({ rows, totals, classes, rates, source, toleranceUsd, notes }: Repriced): string {
  const usdPerMTok = Object.fromEntries(classes.map((name) => [name, rates[name]]));
  const prices = { source, usdPerMTok };
  const listed = rows.map((row) => ({
    ...row,
    publishedUsd: row.publishedUsd ?? null,
    difference: row.difference ?? null,
    fits: row.fits ?? null,
  }));
  return `${JSON.stringify({ schema: 'ctxsim.reprice/1', prices, toleranceUsd, totals, rows: listed, notes }, null, 2)}\n`;
}

function signed(usd: number | undefined): string {
  if (usd === undefined) return unknown;
  const digits = usd.toFixed(4);
  if (Number(digits) === 0) return digits.replace('-', '');
  return usd > 0 ? `+${digits}` : digits;
}
