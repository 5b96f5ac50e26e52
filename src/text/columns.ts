/** A column of a table. */
export interface Column {
  readonly title: string;
  readonly align: 'left' | 'right';
  /** Where there is no room its cells are wrapped: words before other columns are left out, labels after that. */
  readonly wraps?: 'words' | 'labels';
  /** Its cells are drawn for the room that the others leave. */
  readonly drawn?: Drawn;
  /** The colour of its cell in a row. */
  readonly style?: (row: number) => Style | undefined;
}

export type Style = 'green' | 'red' | 'yellow';

/** A column of pictures. */
export interface Drawn {
  /** Cells of a terminal that it needs at least, and can use at most. */
  readonly least: number;
  readonly most: number;
  cell(row: number, width: number): string;
}

/** A column, and what stands in it of each row. */
export interface ColumnOf<Row> extends Column {
  cell(row: Row): string;
}

/** A table for people: a page of a terminal, Markdown or HTML shows it. */
export interface Table {
  readonly columns: readonly Column[];
  /** Cells in the order of the columns. */
  readonly rows: readonly (readonly string[])[];
}

/** Rows of any kind as a table. */
export function tableOf<Row>(rows: readonly Row[], columns: readonly ColumnOf<Row>[]): Table {
  return { columns, rows: rows.map((row) => columns.map((column) => column.cell(row))) };
}

/** A column of numbers, which stand to the right. */
export function numbers<Row>(title: string, cell: (row: Row) => string): ColumnOf<Row> {
  return { title, align: 'right', cell };
}

/** A column of names that are never broken. */
export function names<Row>(title: string, cell: (row: Row) => string): ColumnOf<Row> {
  return { title, align: 'left', cell };
}

/** A column of names that may be long: policies with their settings, paths, verdicts. */
export function labels<Row>(title: string, cell: (row: Row) => string): ColumnOf<Row> {
  return { title, align: 'left', wraps: 'labels', cell };
}

/** A column of sentences. */
export function words<Row>(title: string, cell: (row: Row) => string): ColumnOf<Row> {
  return { title, align: 'left', wraps: 'words', cell };
}
