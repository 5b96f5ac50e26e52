import * as Plot from '@observablehq/plot';
import type { Result, ResultRow } from '../../results/result.ts';
import { formatPercentRange, formatSignedPercent, formatUsd } from '../../units.ts';
import { billOf, verdictCell } from '../columns.ts';
import { figure } from './chart.ts';
import { html, type Markup, short } from './markup.ts';
import { tableOf } from './table.ts';

/** Rows of one policy that differ in one number, under one setting of the provider. */
interface Curve {
  readonly policy: string;
  readonly key: string;
  /** Names the setting of the provider beside others; empty where there is one. */
  readonly scenario: string;
  readonly points: readonly Point[];
}

interface Point {
  readonly x: number;
  readonly row: ResultRow;
  readonly saving: number;
  readonly low: number;
  readonly high: number;
  readonly scenario: string;
}

/** Fewer points than this are no curve. */
const fewestPoints = 3;

/** A curve for each policy that was replayed with several values of one number. */
export function curveCharts(result: Result): Markup {
  const groups = groupBy(curvesOf(result), ({ policy, key }) => `${policy}: ${key}`);
  return html`${[...groups.values()].map((curves, at) => curveChart(curves, at, result))}`;
}

function curveChart(curves: readonly Curve[], at: number, { assumptions: { baseline }, sweep }: Result): Markup {
  const [{ policy, key }] = curves as [Curve];
  const points = curves.flatMap((curve) => curve.points);
  const best = points.reduce((a, b) => (b.saving > a.saving ? b : a));
  const isBest = ({ row }: Point) =>
    sweep ? sweep.scenarios.some((scenario) => scenario.best === row.label) : row === best.row;
  return figure({
    id: `curve-${at}`,
    title: `Saving of ${policy} against ${baseline} by ${key}`,
    description: `${points.map(({ x, saving, scenario }) => `${scenario === '' ? '' : `${scenario}, `}${key} ${x}: ${formatSignedPercent(saving)}`).join('; ')}. The largest saving is at ${best.x}.`,
    draw: (_, isNarrow) => ({
      height: 300,
      marginLeft: 48,
      marginTop: 28,
      marginBottom: 40,
      // Room for the name behind the last point.
      marginRight: curves.length > 1 ? (isNarrow ? 110 : 200) : 64,
      x: {
        label: `${short(key, 30)} →`,
        ticks: [...new Set(points.map(({ x }) => x))].slice(0, 12),
        tickFormat: String,
        inset: 16,
      },
      y: { percent: true, label: '↑ saving, %', grid: true, nice: true, zero: true },
      marks: [
        ...curves.map((curve) =>
          Plot.areaY(curve.points, { x: 'x', y1: 'low', y2: 'high', fill: 'var(--read)', fillOpacity: 0.18 }),
        ),
        Plot.ruleY([0], { stroke: 'var(--ink)', strokeWidth: 1.5 }),
        ...curves.map((curve) =>
          Plot.lineY(curve.points, { x: 'x', y: 'saving', stroke: 'var(--read)', strokeWidth: 2 }),
        ),
        Plot.dot(points, {
          x: 'x',
          y: 'saving',
          r: (point: Point) => (isBest(point) ? 7 : 4),
          fill: 'var(--read)',
          stroke: 'var(--paper)',
          strokeWidth: 1.5,
        }),
        Plot.text(points.filter(isBest), {
          x: 'x',
          y: 'saving',
          text: ({ saving }: Point) => `best ${formatSignedPercent(saving)}`,
          textAnchor: 'start',
          dx: -8,
          dy: -16,
          fill: 'var(--ink)',
          stroke: 'var(--paper)',
          strokeWidth: 4,
          fontWeight: 600,
        }),
        ...(curves.length > 1
          ? [
              Plot.text(
                curves.flatMap((curve) => curve.points.at(-1) ?? []),
                {
                  x: 'x',
                  y: 'saving',
                  text: ({ scenario }: Point) => short(scenario, isNarrow ? 16 : 28),
                  textAnchor: 'start',
                  dx: 10,
                  fill: 'var(--ink)',
                },
              ),
            ]
          : []),
      ],
    }),
    table: tableOf({
      caption: `${policy} by ${key}`,
      head: ['point', key, 'cost', 'saving', '95 % interval', 'verdict'],
      left: [5],
      strong: new Set(points.flatMap((point, position) => (isBest(point) ? [position] : []))),
      rows: points.map(({ x, row }) => [
        row.label,
        String(x),
        formatUsd(billOf(row)),
        formatSignedPercent(row.saving),
        formatPercentRange(row.ci95),
        verdictCell(row),
      ]),
    }),
  });
}

function curvesOf({ rows, sweep }: Result): Curve[] {
  const compared = rows.filter(({ isBaseline, saving }) => !isBaseline && saving !== null);
  const byPolicy = groupBy(compared, ({ policy }) => policy);
  return [...byPolicy].flatMap(([policy, ofPolicy]) => {
    const axes = sweep?.axes.filter((axis) => axis.policy === policy) ?? [];
    const varying = axes.length > 0 ? axes.map(({ keys: [key = ''] }) => key) : varyingSettings(ofPolicy);
    const [key, ...others] = varying;
    if (key === undefined || others.length > 0) return [];
    const byScenario = groupBy(ofPolicy, scenarioOf);
    return [...byScenario].flatMap(([scenario, ofScenario]) => {
      const points = ofScenario
        .flatMap((row) => pointOf(row, key, byScenario.size > 1 ? scenario : ''))
        .sort((a, b) => a.x - b.x);
      const isCurve = new Set(points.map(({ x }) => x)).size === points.length && points.length >= fewestPoints;
      return isCurve ? [{ policy, key, scenario: points[0]?.scenario ?? '', points }] : [];
    });
  });
}

/** Map.groupBy is not in Node 20. */
function groupBy<T>(values: readonly T[], keyOf: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) groups.set(keyOf(value), [...(groups.get(keyOf(value)) ?? []), value]);
  return groups;
}

function varyingSettings(rows: readonly ResultRow[]): string[] {
  const keys = new Set(rows.flatMap(({ params }) => Object.keys(params)));
  return [...keys].filter((key) => new Set(rows.map(({ params }) => params[key])).size > 1);
}

/** What stands in brackets behind the labels of several scenarios. */
function scenarioOf({ label }: ResultRow): string {
  return / \[(.*)\]$/.exec(label)?.[1] ?? '';
}

function pointOf(row: ResultRow, key: string, scenario: string): Point[] {
  const x = row.params[key];
  if (typeof x !== 'number' || row.saving === null) return [];
  const [low, high] = row.ci95 ?? [row.saving, row.saving];
  return [{ x, row, saving: row.saving, low, high, scenario }];
}
