import type { CrossValidation, Sweep, SweptScenario } from '../results/index.ts';
import type { Result, ResultRow } from '../results/result.ts';
import { labels, names, numbers, type TextTable, tableOf } from '../text/index.ts';
import { formatCount, formatPercent, formatPercentRange, formatSignedPercent, formatUsd } from '../units.ts';
import { barsOf } from './bar.ts';
import { billOf, verdictCell } from './columns.ts';
import type { SavingsGrid } from './grid.ts';
import { everyColumnInCsv } from './lines.ts';

const marks = { best: '●', flat: '○' } as const;

/** What a curve loses, in this order, where a terminal is too narrow for its bars. */
const dropOrder = [['95 % interval'], ['cost']];

/** The rows of a sweep with bars from a zero line; the best point and those that are as good are marked. */
export function curveTable({ rows, sweep }: Result): TextTable {
  const scenarios = sweep?.scenarios ?? [];
  const only = onlyPolicy(rows);
  const hasIntervals = rows.some(({ ci95 }) => ci95 !== null);
  return {
    ...tableOf(rows, [
      names('', (row) => markOf(row, scenarios)),
      labels('point', ({ label }) => (only === undefined ? label : label.replace(`${only}:`, ''))),
      numbers('cost', (row) => formatUsd(billOf(row))),
      numbers('saving', (row) => formatSignedPercent(row.saving)),
      ...(hasIntervals ? [numbers<ResultRow>('95 % interval', (row) => formatPercentRange(row.ci95))] : []),
      labels('verdict', (row) => (row.verdict === 'never fired' ? row.verdict : verdictCell(row))),
      { ...names('', () => ''), drawn: barsOf(rows) },
    ]),
    drop: dropOrder,
    whole: everyColumnInCsv,
  };
}

/** Savings by two settings of one policy; undefined for any other sweep. */
export function sweepGrid({ rows, sweep }: Result): SavingsGrid | undefined {
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
