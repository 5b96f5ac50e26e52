import { plain } from './lines.ts';

/** A column of a Markdown table. */
interface Head {
  readonly title: string;
  readonly align: 'left' | 'right';
}

/** The head of a table and its lines; cells are text, and nothing in them can end a cell or start markup. */
export function tableLines(
  head: readonly Head[],
  rows: readonly (readonly string[])[],
): { head: string[]; lines: string[] } {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return {
    head: [line(head.map(({ title }) => title)), line(head.map(({ align }) => (align === 'right' ? '---:' : '---')))],
    lines: rows.map((cells) => line(cells.map(escaped))),
  };
}

export function bullets(lines: readonly string[]): string {
  return lines.map((text) => `- ${escaped(text)}`).join('\n');
}

/** Nothing in a cell may end the cell, start markup or be taken for HTML. */
export function escaped(text: string): string {
  return plain(text)
    .replace(/[\\`*[\]|]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
