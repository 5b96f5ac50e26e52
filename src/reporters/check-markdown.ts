import type { CheckedRow, CheckResult } from '../results/index.ts';
import { causeCells, sessionCells, statusOf } from './check-text.ts';
import type { Section } from './comment.ts';
import { digestLine } from './lines.ts';
import { escaped, tableLines } from './markdown-text.ts';

/** The parts of a check in Markdown: the answer and the checks in the open, what grew folded away by row. */
export function checkSections(check: CheckResult): Section[] {
  const checks = tableLines(
    columns(['', 'check'], []),
    check.checks.map((outcome) => [statusOf(outcome), outcome.text]),
  );
  return [
    { lines: [`**${escaped(check.answer)}**`] },
    checks,
    { lines: check.notices.map((notice) => `- ${escaped(notice)}`) },
    ...check.rows.flatMap(rowSections),
    { lines: [escaped(digestLine(check))] },
  ];
}

function rowSections(row: CheckedRow): Section[] {
  const [causes, sessions] = [causeCells(row), sessionCells(row)];
  const [first] = row.sessions;
  return [
    { summary: `${escaped(row.policy)}: by cause`, ...tableLines(columns(causes.head, [0]), causes.cells) },
    { summary: `${escaped(row.policy)}: by session`, ...tableLines(columns(sessions.head, [0, 5]), sessions.cells) },
    {
      lines: first && sessions.cells.length > 0 ? [`Request by request: \`${first.command.replaceAll('`', '')}\``] : [],
    },
  ];
}

function columns(titles: readonly string[], left: readonly number[]) {
  return titles.map((title, index) => ({
    title,
    align: left.length === 0 || left.includes(index) ? ('left' as const) : ('right' as const),
  }));
}
