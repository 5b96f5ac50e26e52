import type { Source } from '../../bytes/index.ts';
import { findColumns, type KeyColumns } from '../../column-map.ts';
import { CtxsimError } from '../../errors.ts';
import type { Session } from '../../session/index.ts';
import type { Format, ReadContext } from '../format.ts';
import { Lane } from './lane.ts';
import { type LogKey, logKeys, readRow } from './rows.ts';

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
  const sessions = new Map<string, Lane[]>();
  for (const { line, value } of source.records()) {
    const row = isValues(value) ? readRow(value, columns) : 'it is no object';
    if (typeof row === 'string') {
      findings.add('bad-request-row', source.path, line, row);
      continue;
    }
    if (row.isTimeless) findings.add('bad-time', source.path, line);
    const lanes = sessions.get(row.session) ?? [];
    sessions.set(row.session, lanes);
    const lane = lanes.at(-1);
    if (lane?.continues(row)) lane.add(row);
    else {
      if (lane) findings.add('context-shrank', source.path, line);
      lanes.push(new Lane(lanes.length === 0 ? row.session : `${row.session}#${lanes.length + 1}`, row));
    }
  }
  for (const lanes of sessions.values()) {
    for (const lane of lanes) {
      if (lane.requestCount > 1) yield lane.build();
      else findings.add('single-request-session', source.path);
    }
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
