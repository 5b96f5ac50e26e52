import { checkSections } from './check-markdown.ts';
import { columnsFor } from './columns.ts';
import { sectionsText } from './comment.ts';
import { digestLine, headerLines, noteLines } from './lines.ts';
import { bullets, escaped, tableLines } from './markdown-text.ts';
import type { Reporter } from './reporter.ts';

/** The savings table for a pull request or a README. */
export const markdown: Reporter = {
  name: 'md',
  title: 'Markdown',
  extensions: ['.md', '.markdown'],
  render(result) {
    const columns = columnsFor(result);
    const { head, lines } = tableLines(
      columns,
      result.rows.map((row) => columns.map((column) => column.cell(row))),
    );
    const blocks = [
      ...result.answer.split('\n').map((answer) => `**${escaped(answer)}**`),
      bullets(headerLines(result)),
      [...head, ...lines].join('\n'),
      bullets(noteLines(result)),
      escaped(digestLine(result)),
    ];
    return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
  },
  renderCheck: (check) => sectionsText(checkSections(check)),
};
