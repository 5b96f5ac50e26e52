import type { CheckedRow, CheckOutcome, CheckResult } from '../results/index.ts';
import { labels, listTable, numbers, type PagePart, pageText, type TextTable, tableOf, words } from '../text/index.ts';
import { formatCount, formatPercent, formatUsd } from '../units.ts';
import { allInJson, digestLine, moreThanShown } from './lines.ts';
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

/** What grew, by cause; without rows where nothing did. */
export function causeTable({ causes }: CheckedRow): TextTable {
  return {
    ...tableOf(causes.filter(isShown), [
      words('what was paid for', ({ label }) => label),
      numbers('then', ({ referenceUsd }) => formatUsd(referenceUsd)),
      numbers('now', ({ usd }) => formatUsd(usd)),
      numbers('over as many turns', ({ difference }) => formatChange(difference)),
      numbers('times', ({ times }) => formatCount(times)),
    ]),
    drop: dropOrder,
    whole: allInJson,
  };
}

/** The same by session. */
export function sessionTable({ sessions }: CheckedRow): TextTable {
  return {
    ...tableOf(sessions.filter(isShown), [
      labels('session', ({ name }) => name),
      numbers('then', ({ referenceUsd }) => formatUsd(referenceUsd)),
      numbers('now', ({ usd }) => formatUsd(usd)),
      numbers('over as many turns', ({ difference }) => formatChange(difference)),
      numbers('share', ({ usd, difference }) =>
        formatPercent(usd - difference > 0 ? difference / (usd - difference) : null),
      ),
      words('mostly', ({ cause }) => (cause ? `${cause.label} ${formatChange(cause.difference)}` : '')),
    ]),
    drop: dropOrder,
    whole: allInJson,
  };
}

function isShown({ difference }: { readonly difference: number }): boolean {
  return Math.abs(difference) >= shownUsd;
}

function grownParts(row: CheckedRow): PagePart[][] {
  const [causes, sessions] = [causeTable(row), sessionTable(row)];
  const was = row.referenceLabel === null || row.referenceLabel === row.label ? '' : ` (then ${row.referenceLabel})`;
  const [first] = row.sessions;
  return [
    causes.rows.length > 0 ? [`${row.label}${was}:`, ...firstOf(causes, 'part')] : [],
    sessions.rows.length > 0 ? firstOf(sessions, 'session') : [],
    sessions.rows.length > 0 ? [`Request by request: ${first?.command}`] : [],
  ];
}

/** The first rows of a table, and how many more there are. */
function firstOf(table: TextTable, noun: string): PagePart[] {
  return [{ ...table, rows: table.rows.slice(0, shown) }, moreThanShown(table.rows.length - shown, noun)];
}

function formatChange(usd: number): string {
  return `${usd > 0 ? '+' : ''}${formatUsd(usd)}`;
}
