import type { CheckedRow, CheckResult } from '../results/index.ts';
import { names, tableOf, words } from '../text/index.ts';
import { causeTable, sessionTable, statusOf } from './check-text.ts';
import type { Section } from './comment.ts';
import { digestLine } from './lines.ts';
import { escaped, tableLines } from './markdown-text.ts';

/** The parts of a check in Markdown: the answer and the checks in the open, what grew folded away by row. */
export function checkSections(check: CheckResult): Section[] {
  const checks = tableOf(check.checks, [names('', statusOf), words('check', ({ text }) => text)]);
  return [
    { lines: [`**${escaped(check.answer)}**`] },
    tableLines(checks),
    { lines: check.notices.map((notice) => `- ${escaped(notice)}`) },
    ...check.rows.flatMap(rowSections),
    { lines: [escaped(digestLine(check))] },
  ];
}

function rowSections(row: CheckedRow): Section[] {
  const sessions = tableLines(sessionTable(row));
  const [first] = row.sessions;
  const policy = escaped(row.policy);
  return [
    { summary: `${policy}: by cause`, ...tableLines(causeTable(row)) },
    { summary: `${policy}: by session`, ...sessions },
    {
      lines: first && sessions.lines.length > 0 ? [`Request by request: \`${first.command.replaceAll('`', '')}\``] : [],
    },
  ];
}
