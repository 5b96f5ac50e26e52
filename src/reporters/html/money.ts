import * as Plot from '@observablehq/plot';
import type { ExplainedPart, ResultDetail } from '../../results/index.ts';
import type { Result, ResultRow } from '../../results/result.ts';
import { numbers, tableOf, words } from '../../text/index.ts';
import { formatCount, formatTokens, formatUsd } from '../../units.ts';
import { billOf } from '../columns.ts';
import { figure, type LegendEntry } from './chart.ts';
import { html, type Markup } from './markup.ts';
import { labelledRows } from './rows.ts';
import { shownRows } from './shown-rows.ts';
import { pageTable } from './table.ts';

interface Segment {
  readonly label: string;
  readonly name: string;
  readonly usd: number;
}

/** What a bill is divided into: a name, a colour, and the dollars of a row. */
interface Division extends LegendEntry {
  usdOf(row: ResultRow): number;
}

/** Every row's bill in parts, from left to right. */
export function moneyChart(result: Result): Markup {
  const rows = shownRows(result).filter((row) => billOf(row) !== null);
  const parts = result.detail?.parts ?? [];
  const divisions = divisionsOf(parts).filter(({ usdOf }) => rows.some((row) => usdOf(row) > 0));
  const segments = rows.flatMap((row) =>
    divisions.map(({ name, usdOf }): Segment => ({ label: row.label, name, usd: usdOf(row) })),
  );
  if (divisions.length === 0) return html``;
  const most = Math.max(...rows.map((row) => billOf(row) ?? 0));
  const labels = rows.map(({ label }) => label);
  const totals = rows.map((row) => formatUsd(billOf(row)));
  const first = rows[0] as ResultRow;
  return figure({
    id: 'money',
    title: 'Where the money goes',
    description: `The bill of each policy in parts, from left to right: ${divisions.map(({ name }) => name).join(', ')}. ${first.label}: ${divisions.map(({ name, usdOf }) => `${name} ${formatUsd(usdOf(first))}`).join(', ')}.`,
    legend: divisions,
    draw: (width, isNarrow) => {
      const placed = labelledRows(labels, totals, isNarrow);
      const { marginLeft = 0, marginRight = 0 } = placed.layout;
      const room = width - marginLeft - marginRight;
      return {
        ...placed.layout,
        x: {
          ...placed.layout.x,
          label: 'US dollars →',
          labelAnchor: 'right',
          ticks: isNarrow ? 4 : 8,
          grid: true,
          domain: [0, most],
        },
        color: { domain: divisions.map(({ name }) => name), range: divisions.map(({ color }) => `var(--${color})`) },
        marks: [
          Plot.barX(segments, Plot.stackX({ x: 'usd', y: 'label', fill: 'name', insetRight: 1, order: null })),
          Plot.text(
            segments,
            Plot.stackX({
              x: 'usd',
              y: 'label',
              z: 'name',
              order: null,
              // A number where its part is wide enough to hold it.
              text: ({ usd }: Segment) => ((usd / most) * room > formatUsd(usd).length * 7 + 4 ? formatUsd(usd) : ''),
              fill: 'var(--on-color)',
              fontSize: 11,
            }),
          ),
          ...placed.marks(),
        ],
      };
    },
    table: parts.length > 0 ? partsTable(parts) : classesTable(rows, divisions),
  });
}

/** By what it was spent on where that is known, else by the class that tokens were billed in. */
function divisionsOf(ofRows: ResultDetail['parts']): Division[] {
  if (ofRows.length === 0) {
    return [
      { name: 'read from the cache', color: 'read', usdOf: ({ cost }) => cost.cacheRead },
      { name: 'written to the cache', color: 'written', usdOf: ({ cost }) => cost.cacheWrite },
      { name: 'fresh', color: 'fresh', usdOf: ({ cost }) => cost.fresh },
      { name: 'output', color: 'output', usdOf: ({ cost }) => cost.output },
      { name: 'storage', color: 'other', usdOf: ({ cost }) => cost.storage },
    ];
  }
  const byLabel = new Map(ofRows.map(({ label, parts }) => [label, parts]));
  const of = (name: string, color: string, ...kinds: ExplainedPart['kind'][]): Division => ({
    name,
    color,
    usdOf: ({ label }) =>
      (byLabel.get(label) ?? []).reduce((sum, { kind, usd }) => (kinds.includes(kind) ? sum + usd : sum), 0),
  });
  return [
    of('read from the cache', 'read', 'read'),
    of('sent for the first time', 'written', 'new'),
    of('sent again in full', 'fresh', 'resent'),
    of('output', 'output', 'output'),
    of('extra calls', 'calls', 'calls'),
    of('stored contents, abandoned branches', 'other', 'contents', 'abandoned'),
  ];
}

function partsTable(rows: ResultDetail['parts']): Markup {
  const listed = rows.flatMap(({ label, parts }) => parts.map((part) => ({ policy: label, part })));
  return pageTable({
    caption: 'Parts of every bill',
    ...tableOf(listed, [
      words('policy', ({ policy }) => policy),
      words('what for', ({ part }) => part.label),
      numbers('cost', ({ part }) => formatUsd(part.usd)),
      numbers('above reading it', ({ part }) => (part.kind === 'resent' ? formatUsd(part.extraUsd) : '-')),
      numbers('tokens', ({ part }) => formatTokens(part.tokens)),
      numbers('times', ({ part }) => formatCount(part.times)),
    ]),
  });
}

function classesTable(rows: readonly ResultRow[], divisions: readonly Division[]): Markup {
  return pageTable({
    caption: 'Every bill by class of tokens',
    ...tableOf(rows, [
      words('policy', ({ label }) => label),
      ...divisions.map(({ name, usdOf }) => numbers<ResultRow>(name, (row) => formatUsd(usdOf(row)))),
      numbers('all', ({ cost }) => formatUsd(cost.total)),
    ]),
  });
}
