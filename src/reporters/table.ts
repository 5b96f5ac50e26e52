import { styleText } from 'node:util';
import Table from 'cli-table3';
import type { Recommendation } from '../results/index.ts';
import type { Result, ResultRow } from '../results/result.ts';
import { adviceCells } from './advice.ts';
import { breakEvenTables } from './break-even.ts';
import { checkText } from './check-text.ts';
import { type Column, columnsFor } from './columns.ts';
import { curveCells, gridCells, sweepSentences } from './curve.ts';
import { grid as plainGrid } from './grid.ts';
import { digestLine, headerLines, noteLines, plain } from './lines.ts';
import type { RenderOptions, Reporter } from './reporter.ts';

/**
 * What a terminal that is too narrow loses, group by group in this order until the table fits: the regret, the token counts, the hit
 * share, the sessions by outcome, the results at risk, the extra calls and the storage, the saving with the harness's markers, the interval. Policy, model and markers where
 * they differ, cost, saving, verdict and unsendable always stay.
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
];

/** The savings table for a terminal; plain text in a pipe. */
export const table: Reporter = {
  name: 'table',
  title: 'Savings table for people',
  extensions: ['.txt'],
  render(result, options) {
    const notes = noteLines(result).map((note) => `- ${plain(note)}`);
    const blocks = [
      result.answer.split('\n').map(plain).join('\n'),
      headerLines(result).map(plain).join('\n'),
      ...tablesOf(result, options),
      ...breakEvenTables(result).map(({ title, head, rows }) => `${plain(title)}\n${plainGrid(head, rows, [0])}`),
      notes.length > 0 ? ['What this does not model, and what it assumes:', ...notes].join('\n') : '',
      plain(digestLine(result)),
    ];
    return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
  },
  renderCheck: checkText,
};

function tablesOf(result: Result, options: RenderOptions): string[] {
  if (result.recommendation) return adviceBlocks(result, result.recommendation);
  return result.sweep ? sweepBlocks(result, options) : [grid(result, options)];
}

/** The curve of a sweep, what stands out in it, and a grid of savings where two settings were swept. */
function sweepBlocks(result: Result, { width }: RenderOptions): string[] {
  const { head, lines } = curveCells(result, width);
  const [top, ...savings] = gridCells(result);
  return [
    plainGrid(head, lines, texts(head)),
    top ? plainGrid(top, savings, [0]) : '',
    sweepSentences(result).map(plain).join('\n'),
  ];
}

function adviceBlocks(result: Result, recommendation: Recommendation): string[] {
  const { head, lines } = adviceCells(result, recommendation);
  return [plainGrid(head, lines, texts(head)), `Repeat it with: ${plain(recommendation.command)}`];
}

/** Columns that hold words; numbers stand to the right. */
function texts(head: readonly string[]): number[] {
  const numbers = ['cost', 'saving', '95 % interval', 'harness', 'costs more in', 'regret', 'at risk'];
  return head.flatMap((title, at) => (numbers.includes(title) ? [] : [at]));
}

function grid(result: Result, options: RenderOptions): string {
  const all = columnsFor(result);
  let columns = all;
  let text = draw(columns, result, options);
  for (const dropped of dropOrder) {
    if (options.width === undefined || widthOf(text) <= options.width) break;
    columns = columns.filter(({ key }) => !dropped.includes(key));
    text = draw(columns, result, options);
  }
  const missing = all.filter((column) => !columns.includes(column)).map(({ title }) => title);
  return missing.length === 0 ? text : `${text}\nNo room for ${missing.join(', ')}: --format csv has every column.`;
}

/** The border has no colour, so its length is the width. */
function widthOf(text: string): number {
  return text.indexOf('\n');
}

function draw(columns: readonly Column[], result: Result, options: RenderOptions): string {
  const cells = new Table({
    head: columns.map(({ title }) => title),
    colAligns: columns.map(({ align }) => align),
    // Without these two cli-table3 writes colours into pipes and ignores NO_COLOR (ecosystem.md §2).
    style: { head: [], border: [], compact: true },
  });
  for (const row of result.rows) cells.push(columns.map((column) => cellOf(column, row, options)));
  return cells.toString();
}

const coloured = new Set(['saving', 'verdict']);

function cellOf(column: Column, row: ResultRow, { color }: RenderOptions): string {
  const text = plain(column.cell(row));
  const style = color && coloured.has(column.key) ? styleOf(row) : undefined;
  // The stream is not checked here: whether colour is wanted was decided by the command line.
  return style === undefined ? text : styleText(style, text, { validateStream: false });
}

/** Green for money saved, red for money lost, yellow for what nobody can say; the rest needs no colour. */
function styleOf(row: ResultRow): 'green' | 'red' | 'yellow' | undefined {
  if (row.isBaseline) return undefined;
  if (row.verdict === 'saves') return 'green';
  if (row.verdict === 'costs more' || row.verdict === 'unsendable') return 'red';
  return row.verdict === 'unclear' ? 'yellow' : undefined;
}
