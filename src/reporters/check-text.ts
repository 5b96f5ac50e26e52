import type { CheckedRow, CheckOutcome, CheckResult } from '../results/index.ts';
import { formatCount, formatCounted, formatPercent, formatUsd } from '../units.ts';
import { grid } from './grid.ts';
import { digestLine, plain } from './lines.ts';

/** So many lines of causes and of sessions are shown; the JSON has all. */
const shown = 8;

/** Parts of a bill that differ by less than this, in US dollars, are not shown. */
const shownUsd = 1e-6;

/** A check for people: the answer, every check, then what grew, by cause and by session. */
export function checkText(check: CheckResult): string {
  const blocks = [
    check.answer,
    check.checks.map((outcome) => `${statusOf(outcome).padEnd(4)}  ${plain(outcome.text)}`).join('\n'),
    ...check.rows.flatMap(grownText),
    check.notices.map((notice) => `- ${plain(notice)}`).join('\n'),
    digestLine(check),
  ];
  return `${blocks
    .filter((block) => block !== '')
    .map((block) => block.split('\n').map(plain).join('\n'))
    .join('\n\n')}\n`;
}

/** `ok`, `warn` or `FAIL`. */
export function statusOf({ status, level }: CheckOutcome): string {
  return status === 'passed' ? 'ok' : level === 'warn' ? 'warn' : 'FAIL';
}

/** Titles and cells of what grew by cause; empty where nothing did. */
export function causeCells({ causes }: CheckedRow): { head: readonly string[]; cells: readonly (readonly string[])[] } {
  return {
    head: ['what was paid for', 'then', 'now', 'over as many turns', 'times'],
    cells: causes
      .filter(({ difference }) => Math.abs(difference) >= shownUsd)
      .map(({ label, referenceUsd, usd, difference, times }) => [
        label,
        formatUsd(referenceUsd),
        formatUsd(usd),
        formatChange(difference),
        formatCount(times),
      ]),
  };
}

/** The same by session. */
export function sessionCells({ sessions }: CheckedRow): {
  head: readonly string[];
  cells: readonly (readonly string[])[];
} {
  return {
    head: ['session', 'then', 'now', 'over as many turns', 'share', 'mostly'],
    cells: sessions
      .filter(({ difference }) => Math.abs(difference) >= shownUsd)
      .map(({ name, referenceUsd, usd, difference, cause }) => [
        name,
        formatUsd(referenceUsd),
        formatUsd(usd),
        formatChange(difference),
        formatPercent(usd - difference > 0 ? difference / (usd - difference) : null),
        cause ? `${cause.label} ${formatChange(cause.difference)}` : '',
      ]),
  };
}

function grownText(row: CheckedRow): string[] {
  const [causes, sessions] = [causeCells(row), sessionCells(row)];
  const was = row.referenceLabel === null || row.referenceLabel === row.label ? '' : ` (then ${row.referenceLabel})`;
  const cut = (cells: readonly unknown[], noun: string) =>
    cells.length > shown ? [`and ${formatCounted(cells.length - shown, noun)} more (--format json has all)`] : [];
  const [first] = row.sessions;
  return [
    ...(causes.cells.length > 0
      ? [
          [
            `${row.label}${was}:`,
            grid(causes.head, causes.cells.slice(0, shown), [0]),
            ...cut(causes.cells, 'part'),
          ].join('\n'),
        ]
      : []),
    ...(sessions.cells.length > 0
      ? [
          [grid(sessions.head, sessions.cells.slice(0, shown), [0, 5]), ...cut(sessions.cells, 'session')].join('\n'),
          `Request by request: ${first?.command}`,
        ]
      : []),
  ];
}

function formatChange(usd: number): string {
  return `${usd > 0 ? '+' : ''}${formatUsd(usd)}`;
}
