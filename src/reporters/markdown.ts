import type { Result } from '../results/result.ts';
import { fittedTo } from '../text/index.ts';
import { adviceCells } from './advice.ts';
import { breakEvenTables } from './break-even.ts';
import { checkSections } from './check-markdown.ts';
import { columnsFor } from './columns.ts';
import { sectionsText } from './comment.ts';
import { curveTable, gridCells, sweepSentences } from './curve.ts';
import { explanationMarkdown } from './explanation.ts';
import { digestLine, headerLines, noteLines, plain } from './lines.ts';
import { bullets, escaped, tableLines } from './markdown-text.ts';
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
        table(
          head.map((each, column) => ({ title: each, align: column === 0 ? 'left' : 'right' })),
          rows,
        ),
      ]),
      bullets(noteLines(result)),
      escaped(digestLine(result)),
    ];
    return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
  },
  renderCheck: (check) => sectionsText(checkSections(check)),
  renderExplanation: explanationMarkdown,
};

function tablesOf(result: Result): string[] {
  if (result.recommendation) {
    const { head, lines } = adviceCells(result, result.recommendation);
    return [cells(head, lines), `Repeat it with: \`${plain(result.recommendation.command)}\``];
  }
  if (result.sweep) return sweepBlocks(result);
  const columns = columnsFor(result);
  return [
    table(
      columns,
      result.rows.map((row) => columns.map((column) => column.cell(row))),
    ),
  ];
}

/** The curve of a sweep, a grid of savings where two settings were swept, and what stands out. */
function sweepBlocks(result: Result): string[] {
  const { columns, rows } = fittedTo(curveTable(result), undefined);
  const [top, ...savings] = gridCells(result);
  const titles = columns.map(({ title }) => title);
  return [cells(titles, rows), top ? cells(top, savings) : '', bullets(sweepSentences(result))];
}

function cells(head: readonly string[], lines: readonly (readonly string[])[]): string {
  return table(
    head.map((title) => ({ title, align: 'left' })),
    lines,
  );
}

function table(...of: Parameters<typeof tableLines>): string {
  const { head, lines } = tableLines(...of);
  return [...head, ...lines].join('\n');
}
