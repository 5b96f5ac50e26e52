import { fittedTo, plain, type Table } from '../text/index.ts';

/** The head of a table and its lines, all of its columns; nothing in a cell can end it or start markup. */
export function tableLines(table: Table): { head: string[]; lines: string[] } {
  const { columns, rows } = fittedTo(table, undefined);
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return {
    head: [
      line(columns.map(({ title }) => escaped(title))),
      line(columns.map(({ align }) => (align === 'right' ? '---:' : '---'))),
    ],
    lines: rows.map((cells) => line(cells.map(escaped))),
  };
}

/** The same as a block; nothing where there are no rows. */
export function markdownTable(table: Table): string {
  const { head, lines } = tableLines(table);
  return lines.length === 0 ? '' : [...head, ...lines].join('\n');
}

/** What stands apart by empty lines; what is empty is left out. */
export function blocksText(blocks: readonly string[]): string {
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
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
