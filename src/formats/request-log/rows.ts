import { parseTime } from '../../bytes/index.ts';
import type { KeyColumns } from '../../column-map.ts';
import type { BlockKind, Usage } from '../../session/index.ts';
import { largestCount, largestOutput } from '../../session/index.ts';

/** What a log may say of a request. */
export const logKeys = [
  'session',
  'time',
  'model',
  'input',
  'fresh',
  'read',
  'write5m',
  'write1h',
  'output',
  'kind',
  'turn',
  'prefix',
] as const;
export type LogKey = (typeof logKeys)[number];

/** One request as the log has it. */
export interface LogRow {
  /** Where it stands in the file. */
  readonly line: number;
  /** An earlier file has it, too: context, and billed there. */
  readonly isCopy?: true;
  readonly session: string;
  /** Milliseconds; times that a log counts from its own start are years before any recording. */
  readonly time: number | undefined;
  /** The log has a time there that cannot be read. */
  readonly isTimeless: boolean;
  readonly model: string | undefined;
  /** Tokens of the whole prompt. */
  readonly prompt: number;
  readonly output: number;
  /** Only where the log tells the cache classes apart. */
  readonly usage: Usage | undefined;
  /** What the request brought that no earlier request and no reply had. */
  readonly brings: BlockKind;
  readonly startsTurn: boolean;
  /** Leading tokens of the prompt that other sessions keep warm. */
  readonly warm: number;
}

type Values = Readonly<Record<string, unknown>>;

/** Reads one row, or says what is wrong with it. */
export function readRow(values: Values, columns: KeyColumns<LogKey>, line: number): LogRow | string {
  const faults: string[] = [];
  const text = (key: LogKey): string =>
    (columns[key] ?? [])
      .map((column) => String(values[column] ?? ''))
      .join('+')
      .trim();
  const tokens = (key: LogKey, blank?: number): number => {
    const sum = (columns[key] ?? []).reduce((total, column) => total + countOf(values[column], blank), 0);
    const most = key === 'output' ? largestOutput : largestCount;
    if (Number.isNaN(sum) || sum > most) faults.push(`${key} is no count of tokens`);
    return sum;
  };
  const session = text('session');
  if (session === '') faults.push('session is empty');
  const output = tokens('output');
  const classes = {
    cacheRead: tokens('read', 0),
    cacheWrite5m: tokens('write5m', 0),
    cacheWrite1h: tokens('write1h', 0),
  };
  const cached = classes.cacheRead + classes.cacheWrite5m + classes.cacheWrite1h;
  const prompt = columns.input ? tokens('input') : tokens('fresh', 0) + cached;
  if (prompt > largestCount) faults.push('the prompt is more than a request can hold');
  if (cached > prompt) faults.push('input is less than its cached part');
  const warm = tokens('prefix', 0);
  const marker = flagOf(text('turn'));
  if (marker === undefined) faults.push('turn is no yes or no');
  if (faults.length > 0) return faults[0] as string;

  const kinds = columns.kind ? text('kind').split(/[^\w-]+/) : undefined;
  const startsTurn = marker === true || (kinds?.includes('text') === true && !kinds.includes('tool_result'));
  const model = text('model');
  const time = columns.time ? timeOf(values[columns.time[0] ?? '']) : undefined;
  return {
    line,
    session,
    time,
    isTimeless: time === undefined && text('time') !== '',
    model: model === '' ? undefined : model,
    prompt,
    output,
    usage: columns.read ? { fresh: prompt - cached, ...classes, output } : undefined,
    brings: startsTurn ? 'prompt' : kinds === undefined || kinds.includes('tool_result') ? 'result' : 'meta',
    startsTurn,
    warm,
  };
}

/** A whole number of tokens, NaN for what is none. */
function countOf(value: unknown, blank = Number.NaN): number {
  if (value === undefined || value === null || value === '') return blank;
  const count = typeof value === 'string' || typeof value === 'number' ? Math.round(Number(value)) : Number.NaN;
  return Number.isSafeInteger(count) && count >= 0 ? count : Number.NaN;
}

/** A time of day, or a number that counts from anywhere: seconds, unless it is too large for them. */
function timeOf(value: unknown): number | undefined {
  const text = String(value ?? '').trim();
  const seconds = text === '' ? Number.NaN : Number(text);
  if (seconds >= 0 && seconds < 1e9) return Math.round(seconds * 1000);
  return parseTime(Number.isNaN(seconds) ? text : seconds);
}

function flagOf(text: string): boolean | undefined {
  const flag = text.toLowerCase();
  if (['1', 'true', 'yes', 'y'].includes(flag)) return true;
  return ['', '0', 'false', 'no', 'n'].includes(flag) ? false : undefined;
}
