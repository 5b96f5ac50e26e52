import type { Source } from '../../bytes/index.ts';
import { findColumns, type KeyColumns } from '../../column-map.ts';
import { CtxsimError } from '../../errors.ts';
import { type Findings, largestCount, largestOutput, type Session, type TokenCount } from '../../session/index.ts';
import type { Format, ReadContext } from '../format.ts';
import { usageWithin } from '../unread-usage.ts';
import { CopiedRows } from './copies.ts';
import { Lane } from './lane.ts';
import { splitLanes } from './lanes.ts';
import { inOrder } from './order.ts';
import { type LogKey, type LogRow, logKeys, readRow } from './rows.ts';

/** A log of requests without content, as proxies and billing exports write it: sizes only, columns named by a map. */
export const requestLog: Format = {
  name: 'request-log',
  title: 'log of requests without content (CSV or JSONL, columns by --map)',
  supplies: { text: false, times: true, usage: 'read+write' },
  columns: logKeys,
  sniff: (head) => head.length > 0 && head.slice(0, 1).every(isRow),
  read,
};

/** Records of the header are looked for in this many rows: rows of JSON may lack a key. */
const headerRows = 20;

type Values = Readonly<Record<string, unknown>>;

function isRow(value: unknown): boolean {
  return (
    isValues(value) && ['session', 'output'].every((key) => key in value) && ('input' in value || 'fresh' in value)
  );
}

function* read(source: Source, context: ReadContext): Generator<Session> {
  const { findings } = context;
  const columns = columnsOf(source, context);
  if (!columns) return;
  if (!columns.kind && !columns.turn) findings.add('no-turn-marker', source.path);
  const copies = new CopiedRows(context.seenRequests);
  const sessions = new Map<string, LogRow[]>();
  for (const { line, value } of source.records()) {
    if (isHeading(value)) {
      findings.add('repeated-header', source.path, line);
      copies.publish();
      continue;
    }
    const row = isValues(value) ? readRow(value, columns, line) : 'it is no object';
    if (typeof row === 'string') {
      findings.add('bad-request-row', source.path, line, row, 1, tokensIn(value, columns));
      continue;
    }
    if (row.isTimeless) findings.add('bad-time', source.path, line);
    const isCopy = copies.isCopy(row);
    if (isCopy) findings.add('copied-request', source.path, line, 'in an earlier file');
    const rows = sessions.get(row.session) ?? [];
    sessions.set(row.session, rows);
    rows.push(isCopy ? { ...row, isCopy } : row);
  }
  copies.publish();
  for (const [id, rows] of sessions) yield* lanesOf(id, rows, source.path, findings);
}

/** The sessions of one name: one for each context. */
function* lanesOf(id: string, inFile: readonly LogRow[], path: string, findings: Findings): Generator<Session> {
  const { rows, by, unsure } = inOrder(inFile);
  const moved = rows.filter((row, at) => row !== inFile[at]);
  if (by === 'time') findings.add('rows-sorted-by-time', path, moved[0]?.line, '', moved.length);
  if (by === 'size') findings.add('rows-taken-backwards', path, moved[0]?.line, '', moved.length);
  if (unsure > 0) findings.add('row-order-unknown', path, undefined, 'no time', unsure);
  for (const [at, [first, ...others]] of splitLanes(rows).entries()) {
    if (!first) continue;
    if (at > 0) findings.add('context-shrank', path, first.line);
    if (others.length === 0) {
      // Nothing shows how such a context would have grown.
      const tokens = { input: first.prompt, output: first.output };
      findings.add('single-request-session', path, first.line, '', 1, first.isCopy ? undefined : tokens);
      continue;
    }
    const lane = new Lane(at === 0 ? id : `${id}#${at + 1}`, first);
    for (const row of others) lane.add(row);
    if (lane.requestCount > 0) yield lane.build();
    else findings.add('duplicate-session', path, first.line);
  }
}

/** The columns of the log; undefined for one without rows. */
function columnsOf(source: Source, { map = {} }: ReadContext): KeyColumns<LogKey> | undefined {
  const header = new Set<string>();
  let rows = 0;
  for (const { value } of source.records()) {
    if (isValues(value)) for (const name of Object.keys(value)) header.add(name);
    rows += 1;
    if (rows === headerRows) break;
  }
  if (rows === 0) return undefined;
  const columns = findColumns(map, logKeys, [...header]);
  const missing = columns.session
    ? columns.output
      ? (columns.input ?? columns.fresh ?? columns.read)
        ? undefined
        : 'input'
      : 'output'
    : 'session';
  if (missing === undefined) return columns;
  throw new CtxsimError(
    'missing-column',
    `${source.path}: no column is called "${missing}"`,
    `Say which one it is with --map ${missing}=COLUMN. Columns: ${[...header].join(', ')}.`,
  );
}

function isValues(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A row that repeats the headings: tables were joined. */
function isHeading(value: unknown): boolean {
  const cells = isValues(value) ? Object.entries(value) : [];
  return cells.length > 0 && cells.every(([name, cell]) => cell === name);
}

/** The tokens of a row that cannot be used, where they can be read. */
function tokensIn(value: unknown, columns: KeyColumns<LogKey>): TokenCount | undefined {
  if (!isValues(value)) return undefined;
  const names = [...(columns.input ?? [...(columns.fresh ?? []), ...(columns.read ?? [])]), ...(columns.output ?? [])];
  if (names.every((name) => value[name] === undefined)) return usageWithin(value);
  const sum = (of: readonly string[] = []) => of.reduce((total, name) => total + countIn(value[name]), 0);
  const output = sum(columns.output);
  const input = sum(names) - output;
  return input <= largestCount && output <= largestOutput ? { input, output } : undefined;
}

/** NaN for what is no count, so that no sum with it is one. */
function countIn(cell: unknown): number {
  const count = cell === '' || cell === null ? Number.NaN : Number(cell);
  return Number.isSafeInteger(count) && count >= 0 ? count : Number.NaN;
}
