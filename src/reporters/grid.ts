import { plain } from './lines.ts';

/** Columns as wide as what they hold: `left` ones are text, numbers stand to the right. */
export function grid(head: readonly string[], rows: readonly (readonly string[])[], left: readonly number[]): string {
  const lines = [head, ...rows].map((cells) => cells.map(plain));
  const widths = head.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  const align = (cell: string, column: number) =>
    left.includes(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return lines.map((cells) => cells.map(align).join('  ').trimEnd()).join('\n');
}
