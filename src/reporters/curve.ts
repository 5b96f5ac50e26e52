import type { CrossValidation, Sweep, SweptScenario } from '../results/index.ts';
import type { Result, ResultRow } from '../results/result.ts';
import { formatCount, formatPercent, formatPercentRange, formatSignedPercent, formatUsd } from '../units.ts';
import { bar, scaleOf } from './bar.ts';
import { billOf, verdictCell } from './columns.ts';

/** Cells of a line where the terminal does not say otherwise. */
const usualWidth = 80;

const marks = { best: '●', flat: '○' } as const;

/** Fewer cells than this show no curve. */
const leastBar = 10;

/** More cells than this show no finer curve. */
const mostBar = 40;

/** The columns of a curve; the bar stands behind them, as wide as the line leaves it. */
const curveHead = ['', 'point', 'cost', 'saving', '95 % interval', 'verdict'] as const;

/** What a curve loses, in this order, where a terminal is too narrow for its bars: the interval, the cost. */
const dropOrder = [4, 2];

/** The rows of a sweep with bars from a zero line; the best point and those that are as good are marked. */
export function curveCells({ rows, sweep }: Result, width: number | undefined): { head: string[]; lines: string[][] } {
  const scenarios = sweep?.scenarios ?? [];
  const only = onlyPolicy(rows);
  const values = rows.flatMap(({ saving }) => saving ?? []);
  const texts = rows.map((row) => [
    markOf(row, scenarios),
    only === undefined ? row.label : row.label.replace(`${only}:`, ''),
    formatUsd(billOf(row)),
    formatSignedPercent(row.saving),
    formatPercentRange(row.ci95),
    row.verdict === 'never fired' ? row.verdict : verdictCell(row),
  ]);
  let kept: number[] = curveHead.map((_, column) => column);
  if (rows.every(({ ci95 }) => ci95 === null)) kept = kept.filter((column) => column !== 4);
  const room = () => (width ?? usualWidth) - widthOf(texts, kept);
  for (const dropped of dropOrder)
    if (width !== undefined && room() < leastBar) kept = kept.filter((column) => column !== dropped);
  const scale = scaleOf(values, Math.max(leastBar, Math.min(room(), mostBar)));
  const barOf = ({ saving }: ResultRow) => (scale && saving !== null ? [bar(saving, scale).trimEnd()] : ['']);
  return {
    head: [...kept.map((column) => curveHead[column] as string), ''],
    lines: texts.map((cells, at) => [
      ...kept.map((column) => cells[column] as string),
      ...barOf(rows[at] as ResultRow),
    ]),
  };
}

/** The same in cells; nothing where there is no grid. */
export function gridCells(result: Result): string[][] {
  const grid = savingsGrid(result);
  return grid ? [grid.head, ...grid.rows.map(({ name, savings }) => [name, ...savings.map(formatSignedPercent)])] : [];
}

/** Savings by two settings of one policy; undefined for any other sweep. */
export function savingsGrid({
  rows,
  sweep,
}: Result): { head: string[]; rows: { name: string; savings: (number | null)[] }[] } | undefined {
  const [down, across, ...others] = sweep?.axes ?? [];
  if (!down || !across || others.length > 0 || down.policy !== across.policy || sweep?.scenarios.length !== 1)
    return undefined;
  const at = (y: unknown, x: unknown) =>
    rows.find(
      ({ policy, params }) =>
        policy === down.policy && params[down.keys[0] ?? ''] === y && params[across.keys[0] ?? ''] === x,
    );
  return {
    head: [`${down.name} \\ ${across.name}`, ...across.values.map(String)],
    rows: down.values.map((y) => ({
      name: String(y),
      savings: across.values.map((x) => at(y, x)?.saving ?? null),
    })),
  };
}

/** What a sweep found, in sentences: per setting of the provider the best point, its neighbours, what is as good, what the choice is worth. */
export function sweepSentences({ rows, sweep }: Result): string[] {
  const savingOf = (label: string) => rows.find((row) => row.label === label)?.saving ?? null;
  const scenarios = sweep?.scenarios ?? [];
  const points = rows.filter(({ isBaseline }) => !isBaseline).length / scenarios.length;
  return scenarios.flatMap((swept) => {
    if (swept.best === null) return [];
    const flat = swept.flat.filter((label) => label !== swept.best);
    const sentences = [
      `best ${marks.best}: ${swept.best} at ${formatSignedPercent(savingOf(swept.best))}; one step away: ${neighboursText(swept)}`,
      flat.length === 0
        ? 'no other point is within 1 % of the bill of it'
        : `within 1 % of the bill of it ${marks.flat}: ${flat.join(', ')}`,
      crossText(swept.crossValidation, points),
    ];
    return swept.scenario === '' ? sentences : sentences.map((sentence) => `${swept.scenario}: ${sentence}`);
  });
}

/** What the choice of a setting is worth on sessions that it was not chosen on. */
export function crossText(cross: CrossValidation | null, settings: number): string {
  if (cross === null)
    return settings < 2
      ? 'one setting: there was nothing to choose'
      : 'too few independent sessions to choose on one half and test on the other (6 are needed): what the best point saves here is more than it will save elsewhere';
  const picks = cross.picks.slice(0, 3).map(({ label, times }) => `${label ?? 'none'} ${formatCount(times)}`);
  const more = cross.picks.length - picks.length;
  return `picked on half of the sessions it saves ${formatPercent(cross.honest)} on the other half (apparent: ${formatPercent(cross.apparent)}); picked in ${formatCount(cross.splits)} splits: ${picks.join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}`;
}

function neighboursText({ neighbours }: SweptScenario): string {
  if (neighbours.length === 0) return 'nothing that was swept';
  return neighbours.map(({ label, saving }) => `${label} ${formatSignedPercent(saving)}`).join(', ');
}

function markOf({ label }: ResultRow, scenarios: Sweep['scenarios']): string {
  if (scenarios.some(({ best }) => best === label)) return marks.best;
  return scenarios.some(({ flat }) => flat.includes(label)) ? marks.flat : '';
}

/** The policy whose settings all points are: it is not repeated in every line. */
function onlyPolicy(rows: readonly ResultRow[]): string | undefined {
  const [first, ...others] = new Set(rows.filter(({ isBaseline }) => !isBaseline).map(({ policy }) => policy));
  return others.length === 0 ? first : undefined;
}

/** Cells that the columns take, two between each and the next. */
function widthOf(texts: readonly (readonly string[])[], kept: readonly number[]): number {
  return kept.reduce(
    (sum, column) =>
      sum +
      2 +
      Math.max(
        ...[curveHead[column] as string, ...texts.map((cells) => cells[column] ?? '')].map((text) => text.length),
      ),
    0,
  );
}
