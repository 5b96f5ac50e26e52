import * as Plot from '@observablehq/plot';
import type { Result, ResultRow } from '../../results/result.ts';
import { numbers, tableOf, words } from '../../text/index.ts';
import { formatPercentRange, formatSignedPercent, formatUsd } from '../../units.ts';
import { billOf, verdictCell } from '../columns.ts';
import { figure } from './chart.ts';
import { html, type Markup, short } from './markup.ts';
import { pageTable } from './table.ts';

/** Rows of one policy that differ in one number, under one setting of the provider. */
interface Curve {
  readonly policy: string;
  readonly key: string;
  /** Names the setting of the provider; empty where there is one. */
  readonly scenario: string;
  readonly points: readonly Point[];
}

interface Point {
  readonly x: number;
  readonly row: ResultRow;
  readonly saving: number;
  readonly low: number;
  readonly high: number;
  /** The same with the markers of the recorded harness; null where there are none. */
  readonly harness: { readonly saving: number; readonly low: number; readonly high: number } | null;
}

/** Fewer points than this are no curve. */
const fewestPoints = 3;

/** More values than this are not all named along the axis. */
const mostTicks = 12;

/** A curve for each policy that was replayed with several values of one number, all on one scale; none of what `recommend` tried. */
export function curveCharts(result: Result): Markup {
  const curves = result.recommendation ? [] : curvesOf(result);
  const savings = curves.flatMap(({ points }) => points.flatMap(spanOf));
  const scale = [Math.min(0, ...savings), Math.max(0, ...savings)] as const;
  return html`${curves.map((curve, at) => curveChart(curve, at, scale, result.assumptions.baseline))}`;
}

function spanOf({ low, high, harness }: Point): number[] {
  return harness ? [low, high, harness.low, harness.high] : [low, high];
}

function curveChart(
  { policy, key, scenario, points }: Curve,
  at: number,
  scale: readonly [number, number],
  baseline: string,
): Markup {
  const best = points.reduce((a, b) => (b.saving > a.saving ? b : a));
  const values = points.map(({ x }) => x);
  const isLate = best.x > (Math.min(...values) + Math.max(...values)) / 2;
  const underHarness = points.flatMap(({ x, harness }) => (harness ? [{ x, ...harness }] : []));
  const hasHarness = underHarness.length > 0;
  return figure({
    id: `curve-${at}`,
    title: `Saving of ${policy} against ${baseline} by ${key}${scenario === '' ? '' : `, ${scenario}`}`,
    description: `${points.map(({ x, saving }) => `${key} ${x}: ${formatSignedPercent(saving)}`).join('; ')}. The largest saving is at ${best.x}.${hasHarness ? ` With the markers of the recorded harness: ${underHarness.map(({ x, saving }) => `${key} ${x}: ${formatSignedPercent(saving)}`).join('; ')}.` : ''}`,
    ...(points.some(({ row }) => row.ci95 !== null) ? { words: 'A band is the 95 % interval.' } : {}),
    legend: hasHarness
      ? [
          { name: 'with markers where the policy needs them', color: 'read' },
          { name: 'with the markers of the recorded harness (dashed)', color: 'written' },
        ]
      : [],
    draw: () => ({
      height: 280,
      marginLeft: 48,
      marginTop: 44,
      marginBottom: 40,
      marginRight: 24,
      x: {
        label: `${short(key, 30)} →`,
        ticks: values.length > mostTicks ? mostTicks : values,
        tickFormat: String,
        inset: 16,
      },
      y: { percent: true, domain: scale.map((value) => value * 100), label: '↑ saving, %', grid: true, nice: true },
      marks: [
        Plot.areaY(underHarness, { x: 'x', y1: 'low', y2: 'high', fill: 'var(--written)', fillOpacity: 0.14 }),
        Plot.areaY(points, { x: 'x', y1: 'low', y2: 'high', fill: 'var(--read)', fillOpacity: 0.18 }),
        Plot.ruleY([0], { stroke: 'var(--ink)', strokeWidth: 1.5 }),
        Plot.lineY(underHarness, {
          x: 'x',
          y: 'saving',
          stroke: 'var(--written)',
          strokeWidth: 2,
          strokeDasharray: '6 4',
        }),
        Plot.dot(underHarness, { x: 'x', y: 'saving', r: 3, fill: 'var(--written)' }),
        Plot.lineY(points, { x: 'x', y: 'saving', stroke: 'var(--read)', strokeWidth: 2 }),
        Plot.dot(points, {
          x: 'x',
          y: 'saving',
          r: (point: Point) => (point === best ? 7 : 4),
          fill: 'var(--read)',
          stroke: 'var(--paper)',
          strokeWidth: 1.5,
        }),
        Plot.text([best], {
          x: 'x',
          y: 'saving',
          text: ({ saving }: Point) => `best ${formatSignedPercent(saving)}`,
          // The words at the best point stand inside, wherever it is.
          textAnchor: isLate ? 'end' : 'start',
          dx: isLate ? 8 : -8,
          dy: -16,
          fill: 'var(--ink)',
          stroke: 'var(--paper)',
          strokeWidth: 4,
          fontWeight: 600,
        }),
      ],
    }),
    table: pointsTable(`${policy} by ${key}`, key, points, best),
  });
}

function pointsTable(caption: string, key: string, points: readonly Point[], best: Point): Markup {
  const harness = [
    numbers<Point>('harness', ({ row }) => formatSignedPercent(row.savingRecordedMarkers)),
    numbers<Point>('95 % interval', ({ row }) => formatPercentRange(row.ci95RecordedMarkers)),
  ];
  return pageTable({
    caption,
    ...tableOf(points, [
      words('point', ({ row }) => row.label),
      numbers(key, ({ x }) => String(x)),
      numbers('cost', ({ row }) => formatUsd(billOf(row))),
      numbers('saving', ({ row }) => formatSignedPercent(row.saving)),
      numbers('95 % interval', ({ row }) => formatPercentRange(row.ci95)),
      ...(points.some((point) => point.harness) ? harness : []),
      words('verdict', ({ row }) => verdictCell(row)),
    ]),
    strong: new Set([points.indexOf(best)]),
  });
}

function curvesOf({ rows, sweep }: Result): Curve[] {
  const compared = rows.filter(({ isBaseline, saving }) => !isBaseline && saving !== null);
  return [...groupBy(compared, ({ policy }) => policy)].flatMap(([policy, ofPolicy]) => {
    const axes = sweep?.axes.filter((axis) => axis.policy === policy) ?? [];
    // Settings that only ever change together are one.
    const [key, ...others] = axes.length > 0 ? axes.map(({ keys }) => keys[0]) : varyingSettings(ofPolicy);
    if (key === undefined || others.length > 0) return [];
    return [...groupBy(ofPolicy, scenarioOf)].flatMap(([scenario, ofScenario]) => {
      const points = ofScenario.flatMap((row) => pointOf(row, key)).sort((a, b) => a.x - b.x);
      const isCurve = points.length >= fewestPoints && new Set(points.map(({ x }) => x)).size === points.length;
      return isCurve ? [{ policy, key, scenario, points }] : [];
    });
  });
}

function varyingSettings(rows: readonly ResultRow[]): string[] {
  const keys = new Set(rows.flatMap(({ params }) => Object.keys(params)));
  return [...keys].filter((key) => new Set(rows.map(({ params }) => params[key])).size > 1);
}

/** What stands in brackets behind the labels where there are several settings of the provider. */
function scenarioOf({ label }: ResultRow): string {
  return / \[(.*)\]$/.exec(label)?.[1] ?? '';
}

function pointOf(row: ResultRow, key: string): Point[] {
  const x = row.params[key];
  if (typeof x !== 'number' || row.saving === null) return [];
  const { saving, ci95, savingRecordedMarkers, ci95RecordedMarkers } = row;
  const [low, high] = ci95 ?? [saving, saving];
  return [{ x, row, saving, low, high, harness: between(savingRecordedMarkers, ci95RecordedMarkers) }];
}

function between(saving: number | null, ci95: ResultRow['ci95']): Point['harness'] {
  if (saving === null) return null;
  const [low, high] = ci95 ?? [saving, saving];
  return { saving, low, high };
}

/** Map.groupBy is not in Node 20. */
function groupBy<T>(values: readonly T[], keyOf: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) groups.set(keyOf(value), [...(groups.get(keyOf(value)) ?? []), value]);
  return groups;
}
