import { styleText } from 'node:util';
import Table from 'cli-table3';
import { plain } from './plain.ts';
import { largest, longestPart, longestWord, widthOf, wrapped, wrappedLabel } from './wrap.ts';

/** A column of a {@link TextTable}. */
export interface TextColumn {
  readonly key: string;
  readonly title: string;
  readonly align: 'left' | 'right';
  /** Where there is no room its cells are wrapped: words before other columns are left out, labels after that. */
  readonly wraps?: 'words' | 'labels' | undefined;
  /** Its cells are drawn for the room that the others leave. */
  readonly drawn?: Drawn;
}

/** A column of pictures. */
interface Drawn {
  /** Cells of a terminal that it needs at least, and can use at most. */
  readonly least: number;
  readonly most: number;
  cell(row: number, width: number): string;
}

/** A table for people, which a terminal that is too narrow for it shows without some of its columns. */
export interface TextTable {
  readonly columns: readonly TextColumn[];
  /** Cells in the order of the columns. */
  readonly rows: readonly (readonly string[])[];
  /** Keys of what is left out where there is no room, group by group in this order. */
  readonly drop?: readonly (readonly string[])[];
  /** What has all columns, as in "--format csv has every column". */
  readonly whole?: string;
  /** Lines around the cells; without them columns stand two spaces apart. */
  readonly boxed?: boolean;
  style?(row: number, key: string): Style | undefined;
}

export type Style = 'green' | 'red' | 'yellow';

/** The columns that there is room for, with their cells as they stand there. */
interface Fitted {
  readonly columns: readonly TextColumn[];
  readonly rows: readonly (readonly string[])[];
  /** Titles of the columns that were left out. */
  readonly dropped: readonly string[];
}

/** A column of words is wrapped into so many cells before other columns are left out. */
const leastWords = 24;

/** Cells of a line in which pictures are drawn where no terminal says otherwise. */
const usualLine = 80;

/** Columns by their titles: those in `left` hold text, `words` so many words that they are wrapped; numbers stand to the right. */
export function textColumns(titles: readonly string[], left: readonly number[], words?: number): TextColumn[] {
  return titles.map((title, at) => ({
    key: title,
    title,
    align: left.includes(at) ? 'left' : 'right',
    wraps: at === words ? 'words' : labelTitles.has(title) ? 'labels' : undefined,
  }));
}

/** Columns of labels, wherever they stand. */
const labelTitles = new Set(['policy', 'point', 'verdict', 'session', 'file']);

/** Lines of cells without a head; those in `numbers` stand to the right, and the last is wrapped. */
export function listTable(rows: readonly (readonly string[])[], numbers: readonly number[] = []): TextTable {
  const titles = (rows[0] ?? []).map(() => '');
  const left = titles.flatMap((_, at) => (numbers.includes(at) ? [] : [at]));
  return { columns: textColumns(titles, left, titles.length - 1), rows };
}

/** The table in so many columns of a terminal, as far as it can be made to fit, and what it does not show. */
export function tableText(table: TextTable, width: number | undefined): string {
  if (table.rows.length === 0) return '';
  const fitted = fittedTo(table, width);
  const text = (table.boxed ? boxed : unboxed)(fitted);
  const { dropped } = fitted;
  if (dropped.length === 0) return text;
  return `${text}\n${wrapped(`No room for ${dropped.join(', ')}: ${table.whole}.`, width)}`;
}

/** Leaves out columns until the others fit, wraps those that can be, then draws in the room that is left. */
export function fittedTo(table: TextTable, width: number | undefined): Fitted {
  const cells = table.rows.map((row) => row.map(plain));
  const all = table.columns.map((column, at) =>
    measured(
      column,
      cells.map((row) => row[at] ?? ''),
    ),
  );
  const needed = (columns: readonly Measured[]) =>
    lineWidth(
      columns.map(({ need }) => need),
      table,
    );
  let kept = all;
  for (const keys of table.drop ?? []) {
    if (width === undefined || needed(kept) <= width) break;
    kept = kept.filter(({ column }) => !keys.includes(column.key));
  }
  const widths = shared(kept, width, table);
  const columns = kept.map(({ column, cell }, at) =>
    cells.map((_, row) => styled(cell(row, widths[at] ?? 0), table.style?.(row, column.key))),
  );
  return {
    columns: kept.map(({ column }, at) => ({ ...column, title: wrapped(column.title, widths[at]) })),
    rows: cells.map((_, row) => columns.map((column) => column[row] ?? '')),
    dropped: all.filter((each) => !kept.includes(each)).map(({ column }) => column.title),
  };
}

/** What a column takes of a line, in cells of a terminal. */
interface Measured {
  readonly column: TextColumn;
  /** It cannot be narrower. */
  readonly floor: number;
  /** Before it gets narrower than this, other columns are left out. */
  readonly need: number;
  /** It cannot use more. */
  readonly most: number;
  cell(row: number, width: number): string;
}

function measured(column: TextColumn, cells: readonly string[]): Measured {
  const { wraps, drawn } = column;
  if (drawn) return { column, floor: drawn.least, need: drawn.least, most: drawn.most, cell: drawn.cell };
  const texts = [column.title, ...cells];
  const most = largest(texts.map(widthOf));
  const text = (row: number) => cells[row] ?? '';
  if (wraps === undefined) return { column, floor: most, need: most, most, cell: text };
  if (wraps === 'labels') {
    const floor = Math.max(longestWord(column.title), largest(cells.map(longestPart)));
    return { column, floor, need: most, most, cell: (row, width) => wrappedLabel(text(row), width) };
  }
  const floor = largest(texts.map(longestWord));
  const need = Math.max(floor, Math.min(most, leastWords));
  return { column, floor, need, most, cell: (row, width) => wrapped(text(row), width) };
}

/** The widths of columns: each has what it cannot do without, then from left to right what it needs, then what it can use. */
function shared(columns: readonly Measured[], width: number | undefined, table: TextTable): number[] {
  const asDrawn = columns.map(({ column, floor, most }) => (column.drawn ? floor : most));
  const line = width ?? Math.max(usualLine, lineWidth(asDrawn, table));
  const widths = columns.map(({ floor }) => floor);
  for (const goal of ['need', 'most'] as const) {
    columns.forEach((column, at) => {
      const room = Math.max(0, line - lineWidth(widths, table));
      widths[at] = Math.min(Math.max(column[goal], widths[at] ?? 0), (widths[at] ?? 0) + room);
    });
  }
  return widths;
}

/** Cells of a line of columns: two between each and the next, or a border and a space on both sides. */
function lineWidth(widths: readonly number[], { boxed }: TextTable): number {
  const sum = widths.reduce((all, width) => all + width, 0);
  return boxed ? sum + 3 * widths.length + 1 : sum + 2 * (widths.length - 1);
}

/** Colours each line of a cell by itself. */
function styled(text: string, style: Style | undefined): string {
  // The stream is not checked here: whether colour is wanted was decided by the command line.
  const paint = (line: string) => (style === undefined ? line : styleText(style, line, { validateStream: false }));
  return text.split('\n').map(paint).join('\n');
}

/** Columns two spaces apart, the head first where there is one. Long lists are drawn here: the library takes seconds for thousands of rows. */
function unboxed({ columns, rows }: Fitted): string {
  const titles = columns.map(({ title }) => title);
  const all = titles.some((title) => title !== '') ? [titles, ...rows] : rows;
  const widths = columns.map((_, at) => largest(all.map((row) => widthOf(row[at] ?? ''))));
  const lines = (row: readonly string[]) => {
    const parts = row.map((cell) => cell.split('\n'));
    return Array.from({ length: largest(parts.map(({ length }) => length)) }, (_, line) =>
      columns
        .map(({ align }, at) => padded(parts[at]?.[line] ?? '', widths[at] ?? 0, align))
        .join('  ')
        .trimEnd(),
    );
  };
  return all.flatMap(lines).join('\n');
}

function padded(text: string, width: number, align: TextColumn['align']): string {
  const space = ' '.repeat(Math.max(0, width - widthOf(text)));
  return align === 'left' ? `${text}${space}` : `${space}${text}`;
}

function boxed({ columns, rows }: Fitted): string {
  const drawn = new Table({
    head: columns.map(({ title }) => title),
    colAligns: columns.map(({ align }) => align),
    // Without these two cli-table3 writes colours into pipes and ignores NO_COLOR (ecosystem.md §2).
    style: { head: [], border: [], compact: true },
  });
  drawn.push(...rows.map((row) => [...row]));
  return drawn.toString();
}
