import { styleText } from 'node:util';
import Table from 'cli-table3';
import type { Result, ResultRow } from '../results/result.ts';
import { checkText } from './check-text.ts';
import { type Column, columnsFor } from './columns.ts';
import { digestLine, headerLines, noteLines, plain } from './lines.ts';
import type { RenderOptions, Reporter } from './reporter.ts';

/**
 * What a terminal that is too narrow loses, group by group in this order until the table fits: the regret, the token counts, the hit
 * share, the sessions by outcome, the extra calls and the storage, the saving with the harness's markers, the interval. Policy, model and markers where
 * they differ, cost, saving, verdict and unsendable always stay.
 */
const dropOrder: readonly (readonly string[])[] = [
  ['regret'],
  ['read', 'written', 'fresh'],
  ['hits'],
  ['cheaper', 'dearer', 'idle'],
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
      grid(result, options),
      notes.length > 0 ? ['What this does not model, and what it assumes:', ...notes].join('\n') : '',
      plain(digestLine(result)),
    ];
    return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
  },
  renderCheck: checkText,
};

function grid(result: Result, options: RenderOptions): string {
  let columns = columnsFor(result);
  let text = draw(columns, result, options);
  for (const dropped of dropOrder) {
    if (options.width === undefined || widthOf(text) <= options.width) break;
    columns = columns.filter(({ key }) => !dropped.includes(key));
    text = draw(columns, result, options);
  }
  return text;
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
