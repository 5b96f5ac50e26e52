import Table from 'cli-table3';
import { stringify } from 'csv-stringify/sync';
import { classKeys, type PricedRow, type PricedTotals } from '../../analysis/index.ts';
import type { Rates } from '../../providers/provider.ts';
import type { UsageClass } from '../../session/index.ts';
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
export function renderRepriced(table: Repriced, format: string, { onlyMisfits }: { onlyMisfits: boolean }): string {
  if (format === 'json') return renderJson(table);
  return format === 'csv' ? renderCsv(table) : renderText(table, onlyMisfits);
}

function renderText(table: Repriced, onlyMisfits: boolean): string {
  const { rows, totals, classes, rates, source, toleranceUsd, notes } = table;
  const prices = classes.map((name) => `${classKeys[name]} ${rates[name]}`).join(' · ');
  const shown = onlyMisfits ? rows.filter(({ fits }) => fits === false) : rows;
  const lines = [`USD per million tokens: ${prices} (${source})`];
  if (totals.compared > 0) {
    lines.push(
      `${totals.fitting} of ${formatCounted(totals.compared, 'row')} agree within ${toleranceUsd} USD; largest difference ${totals.largestDifference.toFixed(4)}`,
      `mean of a row ${(totals.comparedUsd / totals.compared).toFixed(4)} against ${(totals.publishedUsd / totals.compared).toFixed(4)} in the table`,
    );
  }
  lines.push(`total ${totals.usd.toFixed(2)} USD over ${formatCounted(totals.rows, 'row')}`);
  if (shown.length > 0)
    lines.push(onlyMisfits ? '\nRows that do not fit:' : '', grid(shown, classes, totals.compared > 0));
  return `${[...lines, ...notes].join('\n')}\n`;
}

function grid(rows: readonly PricedRow[], classes: readonly UsageClass[], isCompared: boolean): string {
  const head = [
    'row',
    ...classes.map((name) => classKeys[name]),
    'cost',
    ...(isCompared ? ['in the table', 'difference'] : []),
  ];
  const cells = new Table({
    head,
    colAligns: head.map((_, at) => (at === 0 ? 'left' : 'right')),
    // Without these two cli-table3 writes colours into pipes and ignores NO_COLOR.
    style: { head: [], border: [], compact: true },
  });
  for (const { label, tokens, usd, publishedUsd, difference } of rows) {
    const compared = isCompared ? [publishedUsd?.toFixed(4) ?? unknown, signed(difference)] : [];
    cells.push([plain(label), ...classes.map((name) => formatTokens(tokens[name])), usd.toFixed(4), ...compared]);
  }
  return cells.toString();
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

/** Text from a file may hold escape sequences; none of them reaches a terminal. */
function plain(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ');
}
