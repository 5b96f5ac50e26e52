import { names, numbers, type TextTable, tableOf } from '../text/index.ts';
import { formatSignedPercent } from '../units.ts';
import { allInJson } from './lines.ts';

/** Savings by two things, one down and one across. */
export interface SavingsGrid {
  /** What goes down, then the values across. */
  readonly head: readonly string[];
  readonly rows: readonly GridRow[];
}

interface GridRow {
  readonly name: string;
  readonly savings: readonly (number | null)[];
}

/** The grid as a table; where there is no room, the last of the values across are left out, the first stays. */
export function gridTable({ head: [down = '', ...across], rows }: SavingsGrid): TextTable {
  return {
    ...tableOf(rows, [
      names(down, ({ name }) => name),
      ...across.map((title, at) => numbers<GridRow>(title, ({ savings }) => formatSignedPercent(savings[at]))),
    ]),
    drop: across
      .slice(1)
      .reverse()
      .map((title) => [title]),
    whole: allInJson,
  };
}
