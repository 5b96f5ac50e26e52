import { isSetting, type Sweep, type SweepAxis, type SweptScenario } from '../results/index.ts';
import type { Result, ResultRow } from '../results/result.ts';
import { comparedOf } from './answer.ts';
import { type Choice, crossValidate, pickBest } from './cross-validate.ts';
import { familiesOf, pairedCosts } from './families.ts';
import type { Scenario } from './join.ts';

/** Points this close to the best, in shares of the baseline's bill, are as good (the least saving that a verdict calls one). */
export const flatWithin = 0.01;

/** Finds the best point of every scenario, its neighbours and the points that are as good, and tests the choice. */
export function sweepOf(scenarios: readonly Scenario[], seed: number): Sweep {
  const points = (scenarios[0]?.result.rows ?? []).filter(isPoint);
  const axes = axesOf(points);
  return { axes, scenarios: scenarios.map((scenario) => sweptOf(scenario, axes, seed, scenarios.length > 1)) };
}

function sweptOf(
  { name, result }: Scenario,
  axes: readonly SweepAxis[],
  seed: number,
  isNamed: boolean,
): SweptScenario {
  const choices = choicesOf(result);
  const label = (row: ResultRow) => (isNamed ? `${row.label} [${name}]` : row.label);
  const [first, ...others] = choices;
  if (!first) return { scenario: name, best: null, neighbours: [], flat: [], crossValidation: null };
  const best = others.reduce((leader, row) => (savingOf(row) > savingOf(leader) ? row : leader), first);
  const neighbours = neighboursOf(best, result.rows.filter(isPoint), axes);
  return {
    scenario: name,
    best: label(best),
    neighbours: neighbours.flatMap(({ row, axis }) =>
      row.saving === null ? [] : [{ label: label(row), axis, saving: row.saving }],
    ),
    flat: choices.filter((row) => savingOf(row) >= savingOf(best) - flatWithin).map(label),
    crossValidation: choices.length > 1 ? crossValidate(costsOf(choices, result), { seed, pick: pickBest }) : null,
  };
}

/** Rows that one may choose: settings that compare, over as many sessions as any; one that covers fewer has an easier bill. */
export function choicesOf({ rows }: Pick<Result, 'rows'>): ResultRow[] {
  const points = rows.filter((row) => isPoint(row) && row.saving !== null);
  const most = Math.max(...points.map(comparedOf));
  return points.filter((row) => comparedOf(row) === most);
}

/** What each row cost, family by family, to test a choice between them. */
export function costsOf(choices: readonly ResultRow[], { rows, sessions }: Result): Choice[] {
  const families = familiesOf(sessions);
  const baseline = rows.find(({ isBaseline }) => isBaseline)?.label ?? '';
  return choices.map(({ label }) => ({ label, costs: pairedCosts(families, baseline, label) }));
}

function isPoint(row: ResultRow): boolean {
  return !row.isBaseline && isSetting(row);
}

function savingOf({ saving }: ResultRow): number {
  return saving ?? Number.NEGATIVE_INFINITY;
}

type Value = ResultRow['params'][string];

/** The settings of every policy that take more than one value. */
function axesOf(points: readonly ResultRow[]): SweepAxis[] {
  return [...new Set(points.map(({ policy }) => policy))].flatMap((policy) => {
    const own = points.filter((row) => row.policy === policy).map(({ params }) => params);
    const byValues = new Map<string, string[]>();
    for (const key of Object.keys(own[0] ?? {})) {
      const values = own.map((params) => params[key]);
      if (new Set(values).size < 2) continue;
      const together = JSON.stringify(values);
      byValues.set(together, [...(byValues.get(together) ?? []), key]);
    }
    return [...byValues.values()].map((keys): SweepAxis => {
      const values = [...new Set(own.map((params) => params[keys[0] as string] as Value))];
      return { policy, name: nameOf(keys), keys, values: values.toSorted(bySize) };
    });
  });
}

/** Members of a chain have names of their own before a setting that they share. */
function nameOf(keys: readonly string[]): string {
  const [first = '', ...others] = keys;
  return others.length === 0 ? first : first.slice(first.lastIndexOf('.') + 1);
}

/** Numbers by size; others stay as they were listed. */
function bySize(a: Value, b: Value): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : 0;
}

function neighboursOf(best: ResultRow, points: readonly ResultRow[], axes: readonly SweepAxis[]) {
  const own = axes.filter(({ policy }) => policy === best.policy);
  const stepsFrom = (row: ResultRow, { keys: [key = ''], values }: SweepAxis) =>
    Math.abs(values.indexOf(row.params[key] as Value) - values.indexOf(best.params[key] as Value));
  return points
    .filter((row) => row.policy === best.policy)
    .flatMap((row) => {
      const moved = own.filter((axis) => stepsFrom(row, axis) > 0);
      const [axis, ...others] = moved;
      return axis && others.length === 0 && stepsFrom(row, axis) === 1 ? [{ row, axis: axis.name }] : [];
    });
}
