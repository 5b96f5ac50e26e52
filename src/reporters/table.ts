import type { Recommendation } from '../results/index.ts';
import type { Result, ResultRow } from '../results/result.ts';
import { type PagePart, pageText, type Style, type TextTable, textColumns } from '../text/index.ts';
import { adviceCells } from './advice.ts';
import { breakEvenTables } from './break-even.ts';
import { checkText } from './check-text.ts';
import { columnsFor } from './columns.ts';
import { curveTable, gridOf, gridTable, sweepSentences } from './curve.ts';
import { explanationText } from './explanation.ts';
import { digestLine, headerLines, noteList } from './lines.ts';
import type { RenderOptions, Reporter } from './reporter.ts';

/**
 * What a terminal that is too narrow loses, group by group in this order until the table fits: the regret, the token counts, the hit
 * share, the sessions by outcome, the results at risk, the extra calls and the storage, the saving with the harness's markers, the
 * interval; at last what several settings of the provider differ in, which labels name. Policy, cost, saving, verdict and unsendable
 * always stay.
 */
const dropOrder: readonly (readonly string[])[] = [
  ['regret'],
  ['read', 'written', 'fresh'],
  ['hits'],
  ['cheaper', 'dearer', 'idle'],
  ['risk'],
  ['calls', 'callCost', 'storage'],
  ['harness'],
  ['interval'],
  ['markers', 'cache'],
  ['ttl', 'serviceTier', 'region'],
  ['model'],
];

/** What a recommendation loses: the risk, the regret, the saving with the harness's markers, the interval, how many it costs more. */
const adviceDropOrder = [['at risk'], ['regret'], ['harness'], ['95 % interval'], ['costs more in']];

/** What break-evens lose: what the session would have to be like, the lifetime, the prices of today. */
const breakEvenDropOrder = [
  ['refetches each'],
  ['further requests'],
  ['lifetime even at'],
  ['read price', 'write price'],
];

const everyColumn = '--format csv has every column';

/** The savings table for a terminal; plain text in a pipe. */
export const table: Reporter = {
  name: 'table',
  title: 'Savings table for people',
  extensions: ['.txt'],
  render(result, options) {
    return pageText(
      [
        result.answer.split('\n'),
        headerLines(result),
        ...tablesOf(result, options),
        ...breakEvenParts(result),
        noteList(result),
        digestLine(result),
      ],
      options,
    );
  },
  renderCheck: checkText,
  renderExplanation: explanationText,
};

function tablesOf(result: Result, options: RenderOptions): (PagePart | PagePart[])[] {
  if (result.recommendation) return adviceParts(result, result.recommendation);
  // The curve of a sweep, what stands out in it, and a grid of savings where two settings were swept.
  if (result.sweep) return [curveTable(result), gridTable(result), sweepSentences(result)];
  return [savingsTable(result, options)];
}

function adviceParts(result: Result, recommendation: Recommendation): PagePart[] {
  const { head, lines } = adviceCells(result, recommendation);
  const columns = textColumns(head, texts(head), head.length - 1);
  return [
    { columns, rows: lines, drop: adviceDropOrder, whole: everyColumn },
    `Repeat it with: ${recommendation.command}`,
  ];
}

/** Columns that hold words; numbers stand to the right. */
function texts(head: readonly string[]): number[] {
  const numbers = ['cost', 'saving', '95 % interval', 'harness', 'costs more in', 'regret', 'at risk'];
  return head.flatMap((title, at) => (numbers.includes(title) ? [] : [at]));
}

function breakEvenParts(result: Result): PagePart[][] {
  const [rows, map] = breakEvenTables(result);
  if (!rows || !map) return [];
  const columns = textColumns(rows.head, [0]);
  return [
    [rows.title, { columns, rows: rows.rows, drop: breakEvenDropOrder, whole: '--format json has all' }],
    [map.title, gridOf(map.head, map.rows)],
  ];
}

function savingsTable(result: Result, { color }: RenderOptions): TextTable {
  const columns = columnsFor(result);
  return {
    columns,
    rows: result.rows.map((row) => columns.map((column) => column.cell(row))),
    drop: dropOrder,
    whole: everyColumn,
    boxed: true,
    style: (at, key) => (color && coloured.has(key) ? styleOf(result.rows[at]) : undefined),
  };
}

const coloured = new Set(['saving', 'verdict']);

/** Green for money saved, red for money lost, yellow for what nobody can say; the rest needs no colour. */
function styleOf(row: ResultRow | undefined): Style | undefined {
  if (!row || row.isBaseline) return undefined;
  if (row.verdict === 'saves') return 'green';
  if (row.verdict === 'costs more' || row.verdict === 'unsendable') return 'red';
  return row.verdict === 'unclear' ? 'yellow' : undefined;
}
