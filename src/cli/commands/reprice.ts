import { resolve } from 'node:path';
import {
  type CountedRow,
  labelColumns,
  priceRows,
  readCounts,
  solvePrices,
  tableColumns,
  tableKeys,
  totalsOf,
} from '../../analysis/index.ts';
import { openFile, openStdin } from '../../bytes/index.ts';
import { checkMapKeys, parseColumnMap } from '../../column-map.ts';
import { CtxsimError, exitCodes } from '../../errors.ts';
import type { Rates } from '../../providers/provider.ts';
import { Findings, usageClasses } from '../../session/index.ts';
import { type Io, reportFindings } from '../io.ts';
import { openServiceBook, type PriceFlags, type ServiceFlags } from '../price-book.ts';
import { parsePrices } from '../prices.ts';
import { type Repriced, renderRepriced } from './reprice-output.ts';

export interface RepriceFlags extends PriceFlags, ServiceFlags {
  readonly map?: string;
  readonly unit: string;
  readonly price?: string;
  readonly model?: string;
  readonly solve?: boolean;
  readonly tolerance: string;
  readonly format: string;
  readonly verbose?: boolean;
  readonly quiet?: boolean;
}

const units: Readonly<Record<string, number>> = { '1': 1, '1k': 1e3, '1M': 1e6 };

/** `ctxsim reprice`: what a table of token counts costs at other prices, or which prices it was made with. */
export async function reprice(io: Io, path: string, flags: RepriceFlags): Promise<number> {
  if ([flags.price, flags.model, flags.solve].filter((given) => given !== undefined).length !== 1) {
    throw new CtxsimError(
      'bad-usage',
      'reprice needs one of --price, --model and --solve',
      'See: ctxsim reprice --help',
    );
  }
  if (flags.model === undefined && (flags.serviceTier !== 'standard' || flags.region !== 'global')) {
    throw new CtxsimError(
      'bad-usage',
      '--service-tier and --region are of the list prices of a --model',
      'Name one, or leave them out.',
    );
  }
  const toleranceUsd = Number(flags.tolerance);
  if (flags.tolerance.trim() === '' || !(toleranceUsd >= 0)) {
    throw new CtxsimError(
      'out-of-range',
      `--tolerance ${flags.tolerance} is out of range`,
      'It takes US dollars, 0 or more.',
    );
  }
  const findings = new Findings();
  const rows = readTable(io, path, flags, findings);
  const { rates, source, notes } = await ratesOf(io, rows, flags, toleranceUsd);
  const priced = priceRows(rows, rates, toleranceUsd);
  const classes = usageClasses.filter((name) => rows.some(({ tokens }) => tokens[name] > 0));
  const repriced: Repriced = { rows: priced, totals: totalsOf(priced), classes, rates, source, toleranceUsd, notes };
  io.out(renderRepriced(repriced, flags.format, { onlyMisfits: flags.solve === true, width: io.width }));
  reportFindings(io, findings.list(), [], flags);
  return exitCodes.done;
}

function readTable(io: Io, path: string, flags: RepriceFlags, findings: Findings): CountedRow[] {
  const map = flags.map === undefined ? {} : parseColumnMap(flags.map);
  checkMapKeys(Object.keys(map), tableKeys);
  const unit = units[flags.unit] ?? 1;
  const source = path === '-' ? openStdin(findings) : openFile(path, findings, { file: resolve(io.cwd(), path) });
  const records = [...source.records()].filter(
    (record): record is { line: number; value: Record<string, unknown> } =>
      typeof record.value === 'object' && record.value !== null && !Array.isArray(record.value),
  );
  if (records.length === 0) {
    throw new CtxsimError(
      'empty-table',
      `${path}: the table has no rows`,
      'Give a header line and at least one row of counts.',
    );
  }
  const columns = tableColumns([...new Set(records.slice(0, 20).flatMap(({ value }) => Object.keys(value)))], map);
  const labels = labelColumns(records[0]?.value ?? {}, columns);
  const rows = records.flatMap(({ line, value }) => {
    const counted = readCounts(value, columns, unit);
    if (typeof counted === 'string') {
      findings.add('bad-table-row', path, line, counted);
      return [];
    }
    const cost = textIn(value, columns.cost ?? []);
    if (counted.publishedUsd === undefined && cost !== '')
      findings.add('bad-table-cost', path, line, 'cost is no number');
    return [{ label: labels.map((name) => String(value[name] ?? '')).join(' · '), ...counted }];
  });
  if (rows.length > 0) return rows;
  const { line = 0 } = records[0] ?? {};
  const [why] = findings.list();
  throw new CtxsimError(
    'empty-table',
    `${path}: no row holds counts of tokens (line ${line}: ${why?.detail})`,
    'Name the columns with --map, for example --map fresh=COLUMN.',
  );
}

/** What stands in some cells of a row; '' where all are empty. */
function textIn(values: Readonly<Record<string, unknown>>, columns: readonly string[]): string {
  return columns.map((name) => String(values[name] ?? '').trim()).join('');
}

async function ratesOf(
  io: Io,
  rows: readonly CountedRow[],
  flags: RepriceFlags,
  toleranceUsd: number,
): Promise<{ rates: Rates; source: string; notes: string[] }> {
  if (flags.price !== undefined) return { rates: parsePrices(flags.price, rows), source: '--price', notes: [] };
  if (flags.model === undefined) {
    const rates = solvePrices(rows, toleranceUsd);
    return { rates, source: 'solved from the table', notes: doubtsOf(rates, rows) };
  }
  const book = await openServiceBook(io, flags);
  const { id, tiers, notes: remarks = [] } = book.card(flags.model);
  const rates = tiers[0]?.rates;
  if (!rates) throw new Error(`${id} has no tiers`);
  const note =
    'The model has a dearer tier for long prompts; a table of sums does not say which requests it applies to.';
  return { rates, source: id, notes: [...(tiers.length > 1 ? [note] : []), ...remarks] };
}

/** Why solved prices may mean nothing. */
function doubtsOf(rates: Rates, rows: readonly CountedRow[]): string[] {
  const priced = usageClasses.filter((name) => rows.some(({ tokens }) => tokens[name] > 0));
  const known = rows.filter(({ publishedUsd }) => publishedUsd !== undefined);
  return [
    ...(priced.some((name) => rates[name] < 0) ? ['A price came out negative: no price list gives these costs.'] : []),
    ...(known.length === priced.length ? ['As many rows as prices: they agree whatever the costs are.'] : []),
  ];
}
