import type { Result } from '../results/result.ts';
import { plain } from '../text/index.ts';
import { adviceTable } from './advice.ts';
import { breakEvenTables } from './break-even.ts';
import { checkSections } from './check-markdown.ts';
import { savingsTable } from './columns.ts';
import { sectionsText } from './comment.ts';
import { curveTable, sweepGrid, sweepSentences } from './curve.ts';
import { explanationMarkdown } from './explanation-text.ts';
import { gridTable } from './grid.ts';
import { digestLine, headerLines, noteLines } from './lines.ts';
import { blocksText, bullets, escaped, markdownTable } from './markdown-text.ts';
import type { Reporter } from './reporter.ts';

/** The savings table for a pull request or a README. */
export const markdown: Reporter = {
  name: 'md',
  title: 'Markdown',
  extensions: ['.md', '.markdown'],
  render: (result) =>
    blocksText([
      ...result.answer.split('\n').map((answer) => `**${escaped(answer)}**`),
      bullets(headerLines(result)),
      ...tablesOf(result),
      ...breakEvenTables(result).flatMap(({ title, table }) => [escaped(title), markdownTable(table)]),
      bullets(noteLines(result)),
      escaped(digestLine(result)),
    ]),
  renderCheck: (check) => sectionsText(checkSections(check)),
  renderExplanation: explanationMarkdown,
};

function tablesOf(result: Result): string[] {
  const { recommendation, sweep } = result;
  if (recommendation) {
    const command = `Repeat it with: \`${plain(recommendation.command)}\``;
    return [markdownTable(adviceTable(result, recommendation)), command];
  }
  if (!sweep) return [markdownTable(savingsTable(result))];
  const grid = sweepGrid(result);
  const tables = [curveTable(result), ...(grid ? [gridTable(grid)] : [])];
  return [...tables.map(markdownTable), bullets(sweepSentences(result))];
}
