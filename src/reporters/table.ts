import type { Result, ResultRow } from '../results/result.ts';
import { names, type PagePart, pageText, type Style, type Table, type TextTable } from '../text/index.ts';
import { adviceTable } from './advice.ts';
import { barsOf } from './bar.ts';
import { breakEvenTables } from './break-even.ts';
import { checkText } from './check-text.ts';
import { savingsTable } from './columns.ts';
import { curveTable, sweepGrid, sweepSentences } from './curve.ts';
import { explanationText } from './explanation-text.ts';
import { gridTable } from './grid.ts';
import { digestLine, everyColumnInCsv, headerLines, noteList } from './lines.ts';
import type { RenderOptions, Reporter } from './reporter.ts';

/** What a terminal that is too narrow loses, in this order; policy, cost, saving, verdict and unsendable always stay. */
const dropOrder: readonly (readonly string[])[] = [
  ['regret'],
  ['read', 'written', 'fresh'],
  ['hits'],
  ['cheaper', 'dearer', 'not fired'],
  ['at risk'],
  ['calls', 'for calls', 'storage'],
  // The bars.
  [''],
  ['harness'],
  ['95 % interval'],
  ['markers', 'cache'],
  ['TTL', 'tier', 'region'],
  ['model'],
];

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
        ...breakEvenTables(result).map(({ title, table }) => [title, table]),
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
  const { recommendation, sweep } = result;
  if (recommendation) return [adviceTable(result, recommendation), `Repeat it with: ${recommendation.command}`];
  if (!sweep) return [boxedTable(result, options)];
  const grid = sweepGrid(result);
  return [curveTable(result), ...(grid ? [gridTable(grid)] : []), sweepSentences(result)];
}

function boxedTable(result: Result, { color, width }: RenderOptions): TextTable {
  const { columns, rows } = withBars(savingsTable(result), result, width);
  const style = (row: number) => styleOf(result.rows[row]);
  return {
    columns: columns.map((column) => (color && coloured.has(column.title) ? { ...column, style } : column)),
    rows,
    drop: dropOrder,
    whole: everyColumnInCsv,
    boxed: true,
  };
}

/** For a terminal, which may have room for them: a pipe is read by programs. */
function withBars({ columns, rows }: Table, result: Result, width: number | undefined): Table {
  if (width === undefined) return { columns, rows };
  const bars = { ...names('', () => ''), drawn: barsOf(result.rows) };
  return { columns: [...columns, bars], rows: rows.map((cells) => [...cells, '']) };
}

const coloured = new Set(['saving', 'verdict']);

/** Green for money saved, red for money lost, yellow for what nobody can say; the rest needs no colour. */
function styleOf(row: ResultRow | undefined): Style | undefined {
  if (!row || row.isBaseline) return undefined;
  if (row.verdict === 'saves') return 'green';
  if (row.verdict === 'costs more' || row.verdict === 'unsendable') return 'red';
  return row.verdict === 'unclear' ? 'yellow' : undefined;
}
