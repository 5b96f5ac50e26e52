import type { CheckedRow, CheckOutcome, CheckResult } from '../results/index.ts';
import { listTable, type PagePart, pageText, textColumns } from '../text/index.ts';
import { formatCount, formatCounted, formatPercent, formatUsd } from '../units.ts';
import { digestLine } from './lines.ts';
import type { RenderOptions } from './reporter.ts';

/** So many lines of causes and of sessions are shown; the JSON has all. */
const shown = 8;

/** Parts of a bill that differ by less than this, in US dollars, are not shown. */
const shownUsd = 1e-6;

/** What the tables of a check lose: how often and how much in all; what it grew by, and by what, stays. */
const dropOrder = [['times'], ['share'], ['then']];

/** A check for people: the answer, every check, then what grew, by cause and by session. */
export function checkText(check: CheckResult, options: Pick<RenderOptions, 'width'>): string {
  return pageText(
    [
      check.answer,
      listTable(check.checks.map((outcome) => [statusOf(outcome).padEnd(longestStatus), outcome.text])),
      ...check.rows.flatMap(grownParts),
      check.notices.map((notice) => `- ${notice}`),
      digestLine(check),
    ],
    options,
  );
}

const longestStatus = 'FAIL'.length;

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

function grownParts(row: CheckedRow): PagePart[][] {
  const [causes, sessions] = [causeCells(row), sessionCells(row)];
  const was = row.referenceLabel === null || row.referenceLabel === row.label ? '' : ` (then ${row.referenceLabel})`;
  const [first] = row.sessions;
  return [
    causes.cells.length > 0 ? [`${row.label}${was}:`, ...shownOf(causes, 'part', [0])] : [],
    sessions.cells.length > 0 ? shownOf(sessions, 'session', [0, 5]) : [],
    sessions.cells.length > 0 ? [`Request by request: ${first?.command}`] : [],
  ];
}

/** The first lines of a table whose last column of text may be wrapped, and how many more there are. */
function shownOf({ head, cells }: ReturnType<typeof causeCells>, noun: string, texts: readonly number[]): PagePart[] {
  const more = cells.length - shown;
  return [
    {
      columns: textColumns(head, texts, texts.at(-1)),
      rows: cells.slice(0, shown),
      drop: dropOrder,
      whole: '--format json has all',
    },
    more > 0 ? `and ${formatCounted(more, noun)} more (--format json has all)` : '',
  ];
}

function formatChange(usd: number): string {
  return `${usd > 0 ? '+' : ''}${formatUsd(usd)}`;
}
