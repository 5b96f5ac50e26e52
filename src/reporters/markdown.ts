import { breakEvenTables } from './break-even.ts';
import { type Column, columnsFor } from './columns.ts';
import { digestLine, headerLines, noteLines, plain } from './lines.ts';
import type { Reporter } from './reporter.ts';

/** The savings table for a pull request or a README. */
export const markdown: Reporter = {
  name: 'md',
  title: 'Markdown',
  extensions: ['.md', '.markdown'],
  render(result) {
    const columns = columnsFor(result);
    const rows = result.rows.map((row) => line(columns.map((column) => escaped(column.cell(row)))));
    const blocks = [
      ...result.answer.split('\n').map((answer) => `**${escaped(answer)}**`),
      bullets(headerLines(result)),
      [line(columns.map(({ title }) => title)), line(columns.map(rule)), ...rows].join('\n'),
      ...breakEvenTables(result).flatMap(({ title, head, rows }) => [
        escaped(title),
        [head, head.map((_, column) => (column === 0 ? '---' : '---:')), ...rows.map((row) => row.map(escaped))]
          .map(line)
          .join('\n'),
      ]),
      bullets(noteLines(result)),
      escaped(digestLine(result)),
    ];
    return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
  },
};

function bullets(lines: readonly string[]): string {
  return lines.map((text) => `- ${escaped(text)}`).join('\n');
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function rule({ align }: Column): string {
  return align === 'right' ? '---:' : '---';
}

/** Nothing in a cell may end the cell, start markup or be taken for HTML. */
function escaped(text: string): string {
  return plain(text)
    .replace(/[\\`*[\]|]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
