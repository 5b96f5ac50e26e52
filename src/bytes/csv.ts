import { CsvError, parse } from 'csv-parse/sync';
import { CtxsimError } from '../errors.ts';
import { decode, type Report, refuseUtf16 } from './lines.ts';
import { type ReadBytes, scanLines } from './scan.ts';
import type { JsonLine } from './source.ts';

/** Lines that are parsed at once. */
const batchLines = 2000;
/** A header that does not end within this is none. */
const headerBytes = 64 * 1024;
/** What a heading looks like where only the content tells: a torn line of JSON has braces, colons and quoted values. */
const heading = /^[\p{L}_][\p{L}\p{N} _.()/#%+-]*$/u;

/** How a file of delimited text is laid out. */
export interface CsvHeader {
  readonly delimiter: string;
  readonly names: readonly string[];
}

/**
 * The header of a file of delimited text, or undefined for anything else; the ending of `path` settles doubtful ones.
 * @throws CtxsimError `ambiguous-column` where two columns have one name.
 */
export function csvHeader(path: string, read: ReadBytes): CsvHeader | undefined {
  const head = Buffer.alloc(headerBytes);
  const bytes = head.subarray(0, read(head, 0, headerBytes, 0));
  refuseUtf16(path, bytes);
  const end = bytes.indexOf(0x0a);
  const text = decode(end === -1 ? bytes : bytes.subarray(0, end)).trim();
  const isNamed = /\.(csv|tsv)(\.gz)?$/i.test(path);
  if (text === '' || text.startsWith('{') || text.startsWith('[')) return undefined;
  const delimiter = mostFrequent(text, [',', ';', '\t']);
  const names = cellsOf(text, delimiter);
  const repeated = names.find((name, at) => name !== '' && names.indexOf(name) !== at);
  // Prose has commas, too, and two of its words may well be the same.
  const isHeader = names.length > (repeated === undefined ? 1 : 2) && names.every((name) => heading.test(name));
  if (names.length === 0 || !(isNamed || isHeader)) return undefined;
  if (repeated === undefined) return { delimiter, names };
  throw new CtxsimError(
    'ambiguous-column',
    `${path}: more than one column is called "${repeated}"`,
    'Rename or remove one of them in the first line: --map goes by names, and cannot tell them apart.',
  );
}

/**
 * The lines of delimited text as objects by heading, every value a string. Read in batches of whole rows: a row ends at the
 * line break behind an even number of quotes.
 * @throws CtxsimError `empty-table` where nothing stands under the header.
 */
export function* csvLines(
  path: string,
  { delimiter, names }: CsvHeader,
  read: ReadBytes,
  maxLineBytes: number,
  report: Report,
): Generator<JsonLine, void, undefined> {
  let batch: string[] = [];
  let first = 2;
  let isOpen = false;
  let isEmpty = true;
  for (const { line, bytes, tooLong } of scanLines(read, maxLineBytes)) {
    if (line === 1) continue;
    if (tooLong) report('line-too-long', line);
    const text = tooLong ? '' : decode(bytes, (kind) => report(kind, line));
    isEmpty &&= !tooLong && text.trim() === '';
    batch.push(text);
    isOpen = isOpen !== (text.split('"').length % 2 === 0);
    if (batch.length < batchLines || isOpen) continue;
    yield* rowsOf(batch, first, delimiter, names, report);
    first = line + 1;
    batch = [];
  }
  yield* rowsOf(batch, first, delimiter, names, report);
  if (!isEmpty) return;
  throw new CtxsimError(
    'empty-table',
    `${path}: the table has no rows, only the columns ${names.join(', ')}`,
    'Give a header line and at least one row of counts.',
  );
}

function* rowsOf(
  batch: readonly string[],
  first: number,
  delimiter: string,
  names: readonly string[],
  report: Report,
): Generator<JsonLine> {
  // A row with two faults is skipped once and named twice.
  const skipped = new Map<number, string>();
  const rows = parse(batch.join('\n'), {
    delimiter,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    on_skip(error) {
      skipped.set(first + Number(error?.lines ?? 1) - 1, error?.code ?? '');
      return undefined;
    },
  }) as unknown as { record: string[]; info: { lines: number } }[];
  for (const [line, code] of skipped) report('bad-csv', line, code);
  for (const { record, info } of rows) {
    const line = first + info.lines - 1;
    if (record.length !== names.length) report('ragged-csv-row', line);
    yield { line, value: Object.fromEntries(names.map((name, at) => [name, record[at] ?? ''])) };
  }
}

/** The cells of one line; none where it is no delimited text. */
function cellsOf(line: string, delimiter: string): string[] {
  try {
    return (parse(line, { delimiter, trim: true })[0] ?? []).map((name) => name.trim());
  } catch (error) {
    if (error instanceof CsvError) return [];
    throw error;
  }
}

function mostFrequent(text: string, candidates: readonly string[]): string {
  const counts = candidates.map((candidate) => text.split(candidate).length);
  return candidates[counts.indexOf(Math.max(...counts))] as string;
}
