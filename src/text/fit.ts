import type { Column, Table } from './columns.ts';
import { plain } from './plain.ts';
import { largest, longestPart, longestWord, widthOf, wrapped, wrappedLabel } from './wrap.ts';

/** What a table loses in a terminal that is too narrow for it. */
export interface Narrowing {
  /** Titles of columns, group by group in the order in which they are left out. */
  readonly drop?: readonly (readonly string[])[];
  /** Lines around the cells; without them columns stand two spaces apart. */
  readonly boxed?: boolean;
}

/** The columns that there is room for, with their cells as they stand there. */
interface Fitted extends Table {
  /** Titles of the columns that were left out. */
  readonly dropped: readonly string[];
}

/** A column of words is wrapped into so many cells before other columns are left out. */
const leastWords = 24;

/** Cells of a line in which pictures are drawn where no terminal says otherwise. */
const usualLine = 80;

/** Leaves out columns until the others fit, wraps those that can be, then draws in the room that is left. */
export function fittedTo(table: Table & Narrowing, width: number | undefined): Fitted {
  const rows = table.rows.map((row) => row.map(plain));
  const all = table.columns.map((column, at) =>
    measured(
      column,
      rows.map((row) => row[at] ?? ''),
    ),
  );
  const isTooWide = (columns: readonly Measured[]) =>
    width !== undefined &&
    width <
      lineWidth(
        columns.map(({ need }) => need),
        table,
      );
  let kept = all;
  for (const titles of table.drop ?? []) {
    if (!isTooWide(kept)) break;
    kept = kept.filter(({ column }) => !titles.includes(column.title));
  }
  const widths = shared(kept, width, table);
  return {
    columns: kept.map(({ column }, at) => ({ ...column, title: wrapped(column.title, widths[at]) })),
    rows: rows.map((_, row) => kept.map(({ cell }, at) => cell(row, widths[at] ?? 0))),
    dropped: all.filter((each) => !kept.includes(each)).flatMap(({ column }) => column.title || []),
  };
}

/** What a column takes of a line, in cells of a terminal. */
interface Measured {
  readonly column: Column;
  /** It cannot be narrower. */
  readonly floor: number;
  /** Before it gets narrower than this, other columns are left out. */
  readonly need: number;
  /** It cannot use more. */
  readonly most: number;
  cell(row: number, width: number): string;
}

function measured(column: Column, cells: readonly string[]): Measured {
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
function shared(columns: readonly Measured[], width: number | undefined, table: Narrowing): number[] {
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
function lineWidth(widths: readonly number[], { boxed }: Narrowing): number {
  const sum = widths.reduce((all, width) => all + width, 0);
  return boxed ? sum + 3 * widths.length + 1 : sum + 2 * (widths.length - 1);
}
