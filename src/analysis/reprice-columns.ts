import { type ColumnMap, findColumns, type KeyColumns } from '../column-map.ts';
import { CtxsimError } from '../errors.ts';
import { type UsageClass, usageClasses } from '../session/index.ts';
import type { CountedRow } from './reprice.ts';

/** What a column of a table of counts may be. */
export const tableKeys = ['label', 'fresh', 'read', 'write5m', 'write1h', 'output', 'requests', 'cost'] as const;
export type TableKey = (typeof tableKeys)[number];

/** The key of each usage class. */
export const classKeys: Readonly<Record<UsageClass, TableKey>> = {
  fresh: 'fresh',
  cacheRead: 'read',
  cacheWrite5m: 'write5m',
  cacheWrite1h: 'write1h',
  output: 'output',
};

/** Headings in use, without case, marks and units. */
const spellings: Readonly<Record<TableKey, readonly string[]>> = {
  label: ['label', 'name'],
  fresh: ['fresh', 'input', 'cachemiss', 'uncached', 'uncachedinput', 'prompt'],
  read: ['read', 'cacheread', 'cachereadinput', 'cached', 'cachedinput', 'cachehit'],
  write5m: ['write5m', 'cachewrite5m', 'cachewrite', 'cachecreation', 'cachecreationinput'],
  write1h: ['write1h', 'cachewrite1h'],
  output: ['output', 'completion'],
  requests: [],
  cost: ['cost', 'costpublished', 'publishedcost', 'costrecorded', 'totalcost'],
};

/** Units at the end of a heading, which `--unit` says and the name does not. */
const unitEndings = /(tokens?|usd|_m|_k|\s)+$/i;

/** The table's columns, by the map and else by their headings. @throws CtxsimError where that settles nothing. */
export function tableColumns(header: readonly string[], map: ColumnMap): KeyColumns<TableKey> {
  const mapped = findColumns(map, tableKeys, header);
  const taken = new Set(Object.values(mapped).flat());
  const found: { [K in TableKey]?: readonly string[] } = { ...mapped };
  // A column of that name mostly stands beside sums; that counts are means must be said.
  if (map.requests === undefined) delete found.requests;
  for (const key of tableKeys) {
    if (found[key]) continue;
    const matches = header.filter((name) => !taken.has(name) && spellings[key].includes(plainName(name)));
    if (matches.length > 1) {
      throw new CtxsimError(
        'ambiguous-column',
        `more than one column could be "${key}": ${matches.join(', ')}`,
        `Say which one it is with --map ${key}=${matches[0]}.`,
      );
    }
    if (matches.length === 1) found[key] = matches;
  }
  if (usageClasses.some((name) => found[classKeys[name]])) return found;
  throw new CtxsimError(
    'missing-column',
    'no column holds counts of tokens',
    `Name one with --map, for example --map fresh=COLUMN. Columns: ${header.join(', ')}.`,
  );
}

/** Which columns make up a row's label where none is said: those whose first value is no number. */
export function labelColumns(
  values: Readonly<Record<string, unknown>>,
  columns: KeyColumns<TableKey>,
): readonly string[] {
  const texts = Object.keys(values).filter((name) => Number.isNaN(Number(values[name])));
  return columns.label ?? texts;
}

/** Reads one row, or says what is wrong with it. `unit` is how many tokens a count of one stands for. */
export function readCounts(
  values: Readonly<Record<string, unknown>>,
  columns: KeyColumns<TableKey>,
  unit: number,
): Omit<CountedRow, 'label'> | string {
  const requests = columns.requests ? numberIn(values, columns.requests) : 1;
  if (requests === undefined || requests < 0) return 'requests is no number';
  const tokens = { fresh: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0 };
  for (const name of usageClasses) {
    const from = columns[classKeys[name]];
    const count = from ? numberIn(values, from) : 0;
    if (count === undefined || count < 0) return `${classKeys[name]} is no count of tokens`;
    tokens[name] = count * unit * requests;
  }
  return { tokens, publishedUsd: columns.cost ? numberIn(values, columns.cost) : undefined };
}

/** The sum of some cells; undefined where one is empty or no number. */
function numberIn(values: Readonly<Record<string, unknown>>, columns: readonly string[]): number | undefined {
  const cells = columns.map((column) => String(values[column] ?? '').trim());
  const sum = cells.reduce((total, cell) => total + (cell === '' ? Number.NaN : Number(cell)), 0);
  return Number.isFinite(sum) ? sum : undefined;
}

function plainName(heading: string): string {
  const words = heading.replace(unitEndings, '').toLowerCase();
  return words.replaceAll('usd', '').replace(/[^a-z0-9]/g, '');
}
