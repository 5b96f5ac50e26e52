import type { SessionResult } from '../results/result.ts';
import { names, numbers, tableOf } from '../text/index.ts';
import { formatCounted, formatUsd } from '../units.ts';
import { checkSections } from './check-markdown.ts';
import { savingsTable } from './columns.ts';
import { commentText } from './comment.ts';
import { digestLine, headerLines, noteLines } from './lines.ts';
import { escaped, tableLines } from './markdown-text.ts';
import type { Reporter } from './reporter.ts';

/** So many rows stand in the open; the others are folded away. */
const openRows = 12;

/** Markdown for one comment that a workflow keeps up to date, and for a job summary. */
export const github: Reporter = {
  name: 'github',
  title: 'Markdown for a pull request comment and a job summary',
  extensions: ['.github.md'],
  render(result, { name = 'replay' }) {
    const { head, lines } = tableLines(savingsTable(result));
    const sessions = tableLines(
      tableOf(result.sessions, [
        names('session', ({ file }) => file),
        ...result.rows.map(({ label }) => numbers<SessionResult>(label, ({ cost }) => formatUsd(cost[label]))),
      ]),
    );
    return commentText(name, [
      { lines: result.answer.split('\n').map((answer) => `**${escaped(answer)}**`) },
      { head, lines: lines.slice(0, openRows) },
      { summary: formatCounted(lines.length - openRows, 'more row'), head, lines: lines.slice(openRows) },
      { summary: formatCounted(sessions.lines.length, 'session'), ...sessions },
      {
        summary: 'What this assumes, and what it does not model',
        lines: [...headerLines(result), ...noteLines(result), digestLine(result)].map((text) => `- ${escaped(text)}`),
      },
    ]);
  },
  renderCheck: (check, { name = 'check' }) => commentText(name, checkSections(check)),
};
