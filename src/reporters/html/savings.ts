import * as Plot from '@observablehq/plot';
import type { Result, ResultRow } from '../../results/result.ts';
import { formatSignedPercent } from '../../units.ts';
import { savingsTable, verdictCell } from '../columns.ts';
import { type Chart, figure } from './chart.ts';
import { type Markup, short } from './markup.ts';
import { labelledRows } from './rows.ts';
import { leftOutWords, mostRows, shownRows } from './shown-rows.ts';
import { pageTable } from './table.ts';

/** A row whose bill is more than half as large again stands at the edge, so that the others can be told apart. */
const leastDrawn = -0.5;

const dot = { fill: 'color', stroke: 'var(--paper)', strokeWidth: 1.5 } as const;

const colors = [
  { name: 'saves', color: 'good' },
  { name: 'costs more', color: 'bad' },
  { name: 'neither, or unclear', color: 'neutral' },
] as const;

interface Point {
  readonly label: string;
  readonly saving: number;
  readonly low: number;
  readonly high: number;
  readonly harness: number | null;
  readonly color: string;
  readonly text: string;
}

/** Savings of all rows with their intervals around a line at zero; nothing where no row was compared. */
export function savingsChart(result: Result, best: ResultRow | undefined): Markup {
  const compared = shownRows(result).filter((row) => !row.isBaseline && row.saving !== null);
  if (compared.length === 0) return rowsTable(result, best);
  const points = compared.map(pointOf);
  const { baseline } = result.assumptions;
  const [hasIntervals, hasHarness] = [
    compared.some(({ ci95 }) => ci95 !== null),
    points.some(({ harness }) => harness !== null),
  ];
  const scale = scaleOf(points);
  const isCut = ({ saving }: Point) => saving < scale[0];
  const verdicts = new Set(points.map(({ color }) => color));
  const chart: Chart = {
    id: 'savings',
    title: `Saving against ${baseline}${hasIntervals ? ', with its 95 % interval' : ''}`,
    words:
      [
        points.some(isCut)
          ? 'A triangle at the left edge: the row costs more than fits, as the number to the right says.'
          : '',
        leftOutWords(result),
      ]
        .filter((sentence) => sentence !== '')
        .join(' ') || undefined,
    description: `Right of the line at zero a policy costs less than ${baseline}, left of it more. ${points.map(({ label, text }) => `${label} ${text}`).join('; ')}.`,
    legend: [
      ...colors.filter(({ color }) => verdicts.has(`var(--${color})`)),
      ...(hasHarness ? [{ name: 'with the markers of the recorded harness', color: 'ink', isTick: true }] : []),
    ],
    draw: (_, isNarrow) => {
      const rows = labelledRows(
        points.map(({ label }) => label),
        points.map(({ text }) => text),
        isNarrow,
      );
      return {
        ...rows.layout,
        x: {
          ...rows.layout.x,
          percent: true,
          label: 'saving, % →',
          labelAnchor: 'right',
          ticks: isNarrow ? 4 : 8,
          grid: true,
          nice: true,
          domain: scale.map((value) => value * 100),
          clamp: true,
        },
        marks: [
          Plot.ruleX([0], { stroke: 'var(--ink)', strokeWidth: 1.5 }),
          Plot.ruleY(points, {
            x1: 'low',
            x2: 'high',
            y: 'label',
            stroke: 'color',
            strokeWidth: 4,
            strokeLinecap: 'round',
          }),
          Plot.tickX(
            points.filter(({ harness }) => harness !== null && harness >= scale[0] && harness <= scale[1]),
            { x: 'harness', y: 'label', stroke: 'var(--ink)', strokeWidth: 2, insetTop: -1, insetBottom: -1 },
          ),
          Plot.dot(
            points.filter((point) => !isCut(point)),
            { x: 'saving', y: 'label', r: 6, ...dot },
          ),
          Plot.dot(points.filter(isCut), { x: scale[0], y: 'label', r: 6, symbol: 'triangle', rotate: -90, ...dot }),
          ...rows.marks(),
        ],
      };
    },
    table: rowsTable(result, best),
    isTableOpen: result.rows.length <= mostRows,
  };
  return figure(chart);
}

/** From the least to the most that is drawn. */
function scaleOf(points: readonly Point[]): readonly [number, number] {
  const markers = points.flatMap(({ harness }) => (harness !== null && harness >= leastDrawn ? [harness] : []));
  const ends = [0, ...markers, ...points.flatMap(({ low, high }) => [low, high])];
  return [Math.max(leastDrawn, Math.min(...ends)), Math.max(0.01, ...ends)];
}

/** The savings table, the row that the answer names in bold. */
function rowsTable(result: Result, best: ResultRow | undefined): Markup {
  return pageTable({
    caption: `Rows against ${result.assumptions.baseline}`,
    ...savingsTable(result),
    strong: new Set(result.rows.flatMap((row, at) => (row === best ? [at] : []))),
  });
}

function pointOf(row: ResultRow): Point {
  const saving = row.saving ?? 0;
  const [low, high] = row.ci95 ?? [saving, saving];
  return {
    label: row.label,
    saving,
    low,
    high,
    harness: row.savingRecordedMarkers,
    color: `var(--${row.verdict === 'saves' ? 'good' : row.verdict === 'costs more' ? 'bad' : 'neutral'})`,
    text: `${formatSignedPercent(saving)} ${short(verdictCell(row), 24)}`,
  };
}
