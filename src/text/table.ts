import { styleText } from 'node:util';
import BoxedTable from 'cli-table3';
import { names, numbers, type Style, type Table, tableOf, words } from './columns.ts';
import { fittedTo, type Narrowing } from './fit.ts';
import { largest, widthOf, wrapped } from './wrap.ts';

/** A table for people, which a terminal that is too narrow for it shows without some of its columns. */
export interface TextTable extends Table, Narrowing {
  /** What has all columns, as in "--format csv has every column". */
  readonly whole?: string;
}

/** Lines of cells without a head; those in `right` are numbers, and the last is wrapped. */
export function listTable(rows: readonly (readonly string[])[], right: readonly number[] = []): TextTable {
  const cells = rows[0] ?? [];
  const columnAt = (at: number) => (right.includes(at) ? numbers : at === cells.length - 1 ? words : names);
  return tableOf(
    rows,
    cells.map((_, at) => columnAt(at)('', (row: readonly string[]) => row[at] ?? '')),
  );
}

/** The table in so many columns of a terminal, as far as it can be made to fit, and what it does not show. */
export function tableText(table: TextTable, width: number | undefined): string {
  if (table.rows.length === 0) return '';
  const { columns, rows, dropped } = fittedTo(table, width);
  const coloured = rows.map((cells, row) => cells.map((cell, at) => styled(cell, columns[at]?.style?.(row))));
  const text = (table.boxed ? boxed : unboxed)({ columns, rows: coloured });
  return dropped.length === 0
    ? text
    : `${text}\n${wrapped(`No room for ${dropped.join(', ')}: ${table.whole}.`, width)}`;
}

/** Colours each line of a cell by itself. */
function styled(text: string, style: Style | undefined): string {
  // The stream is not checked here: whether colour is wanted was decided by the command line.
  const paint = (line: string) => (style === undefined ? line : styleText(style, line, { validateStream: false }));
  return text.split('\n').map(paint).join('\n');
}

/** Columns two spaces apart, the head first where there is one. Long lists are drawn here: the library takes seconds for thousands of rows. */
function unboxed({ columns, rows }: Table): string {
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

function padded(text: string, width: number, align: 'left' | 'right'): string {
  const space = ' '.repeat(Math.max(0, width - widthOf(text)));
  return align === 'left' ? `${text}${space}` : `${space}${text}`;
}

function boxed({ columns, rows }: Table): string {
  const drawn = new BoxedTable({
    head: columns.map(({ title }) => title),
    colAligns: columns.map(({ align }) => align),
    // Without these two cli-table3 writes colours into pipes and ignores NO_COLOR (ecosystem.md §2).
    style: { head: [], border: [], compact: true },
  });
  drawn.push(...rows.map((row) => [...row]));
  return drawn.toString();
}
