import type { Result } from '../results/result.ts';
import { adviceCells } from './advice.ts';
import { breakEvenTables } from './break-even.ts';
import { type Column, columnsFor } from './columns.ts';
import { curveCells, gridCells, sweepSentences } from './curve.ts';
import { digestLine, headerLines, noteLines, plain } from './lines.ts';
import type { Reporter } from './reporter.ts';

/** The savings table for a pull request or a README. */
export const markdown: Reporter = {
  name: 'md',
  title: 'Markdown',
  extensions: ['.md', '.markdown'],
  render(result) {
    const blocks = [
      ...result.answer.split('\n').map((answer) => `**${escaped(answer)}**`),
      bullets(headerLines(result)),
      ...tablesOf(result),
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

function tablesOf(result: Result): string[] {
  if (result.recommendation) {
    const { head, lines } = adviceCells(result, result.recommendation);
    const drawn = lines.map((texts) => texts.map(escaped));
    return [cells(head, drawn), `Repeat it with: \`${plain(result.recommendation.command)}\``];
  }
  return result.sweep ? sweepBlocks(result) : [table(result)];
}

function table(result: Result): string {
  const columns = columnsFor(result);
  const rows = result.rows.map((row) => line(columns.map((column) => escaped(column.cell(row)))));
  return [line(columns.map(({ title }) => title)), line(columns.map(rule)), ...rows].join('\n');
}

/** The curve of a sweep, a grid of savings where two settings were swept, and what stands out. */
function sweepBlocks(result: Result): string[] {
  const { head, lines } = curveCells(result, undefined);
  const [top, ...savings] = gridCells(result);
  // As code, so that the spaces before a bar to the left stay.
  const drawn = lines.map((texts) => [...texts.slice(0, -1).map(escaped), texts.at(-1) ? `\`${texts.at(-1)}\`` : '']);
  return [cells(head, drawn), top ? cells(top.map(escaped), savings) : '', bullets(sweepSentences(result))];
}

function cells(head: readonly string[], lines: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...lines].map(line).join('\n');
}

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
