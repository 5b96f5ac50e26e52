import { CtxsimError } from '../errors.ts';
import { type Basis, type SessionOutcome, storedOutcomes } from '../results/index.ts';
import type { Result } from '../results/result.ts';

/** A result of one scenario, as it is compared. */
export interface Side {
  readonly basis: Basis;
  readonly rows: Basis['scenarios'][number]['rows'];
  readonly outcomes: readonly SessionOutcome[];
}

/** @throws CtxsimError `no-reference` where a result holds too little, or several scenarios. */
export function sideOf({ basis }: Result, name: string, updateCommand: string): Side {
  const scenario = basis?.scenarios.length === 1 ? basis.scenarios[0] : undefined;
  if (basis && scenario) return { basis, rows: scenario.rows, outcomes: storedOutcomes(basis).flat() };
  const why = basis ? 'it holds several scenarios' : 'it has no "basis", out of which results are compared';
  throw new CtxsimError('no-reference', `${name}: ${why}`, `Make a reference with: ${updateCommand}`);
}

/**
 * Counts of another tokenizer and splits by another cache rule would be compared as if the policy had changed.
 * @throws CtxsimError `different-rules`.
 */
export function refuseOtherRules(now: Basis, before: Basis, file: string, updateCommand: string): void {
  for (const aspect of ['tokenizer', 'cache'] as const) {
    const rulesOf = (basis: Basis, model: string) =>
      basis.rules.flatMap((rule) => (rule.model === model ? [rule[aspect]] : []));
    for (const { model } of now.rules) {
      const known = rulesOf(before, model);
      const other = rulesOf(now, model).find((rule) => known.length > 0 && !known.includes(rule));
      if (other === undefined) continue;
      const what = aspect === 'tokenizer' ? 'tokens are counted otherwise' : 'prompts are cached by another rule';
      throw new CtxsimError(
        'different-rules',
        `${file} does not compare: for ${model} ${what} (now ${differing(other, known[0] ?? '')}; then ${differing(known[0] ?? '', other)})`,
        `Make a reference that compares with: ${updateCommand}`,
      );
    }
  }
}

/** The clauses of one rule that another does not have. */
function differing(rule: string, from: string): string {
  const known = new Set(from.split('; '));
  return (
    rule
      .split('; ')
      .filter((clause) => !known.has(clause))
      .join('; ') || 'nothing of it'
  );
}

/** The row of the reference that a row is compared with: named alike, or the only one there. */
export function rowBefore(
  row: Side['rows'][number],
  now: Side,
  before: Side,
  file: string,
  updateCommand: string,
): number {
  const named = before.rows.findIndex(({ given, label }) =>
    [given, label].some((name) => name !== undefined && (name === row.given || name === row.label)),
  );
  if (named !== -1) return named;
  if (before.rows.length === 1 && now.rows.length === 1) return 0;
  const known = before.rows.map(({ given, label }) => given ?? label).join(', ');
  throw new CtxsimError(
    'no-reference',
    `${file} has no row for ${row.given ?? row.label}; it has: ${known}`,
    `Name one of those with --policy, or make a reference with: ${updateCommand}`,
  );
}
