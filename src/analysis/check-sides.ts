import { CtxsimError } from '../errors.ts';
import { type Basis, type SessionOutcome, storedOutcomes } from '../results/index.ts';
import type { Result } from '../results/result.ts';
import { distinct } from './distinct.ts';

/** A result of one scenario, as it is compared. */
export interface Side {
  readonly basis: Basis;
  readonly settings: Basis['scenarios'][number];
  readonly rows: Basis['scenarios'][number]['rows'];
  readonly outcomes: readonly SessionOutcome[];
}

/** @throws CtxsimError `no-reference` where a result holds too little, or several scenarios. */
export function sideOf({ basis }: Result, name: string, updateCommand: string): Side {
  const scenario = basis?.scenarios.length === 1 ? basis.scenarios[0] : undefined;
  if (basis && scenario)
    return { basis, settings: scenario, rows: scenario.rows, outcomes: storedOutcomes(basis).flat() };
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

/**
 * A reference of other flags would be compared as if the policy had changed: half prices, or a lifetime of an hour, hide what got dearer.
 * @throws CtxsimError `different-flags`.
 */
export function refuseOtherFlags(now: Side, before: Side, file: string, updateCommand: string): void {
  const [mine, theirs] = [flagsOf(now.settings), flagsOf(before.settings)];
  const differing = mine.flatMap(([flag, value], index) => {
    const then = theirs[index]?.[1];
    return value === then ? [] : [`${flag} is ${value} now and was ${then} then`];
  });
  if (differing.length === 0) return;
  throw new CtxsimError(
    'different-flags',
    `${file} does not compare: ${differing.join('; ')}`,
    `Give the flags that it was made with, or make a reference with: ${updateCommand}`,
  );
}

function flagsOf(of: Side['settings']): readonly (readonly [string, string])[] {
  return [
    ['--ttl', of.ttl],
    ['--service-tier', of.service.tier],
    ['--region', of.service.region],
    ['--refetch-rate', String(of.refetchRate ?? 0)],
    ['--eviction', of.expectsLosses ? 'measured' : 'none'],
    ['--output-reserve', String(of.outputReserve)],
    ['--as-of', of.pricedAt],
  ];
}

/** Models and cache markers may be others, because what chose them is under test; that they are is said. */
export function otherConditions(now: Side, before: Side): string[] {
  const told = (what: string, of: (outcome: SessionOutcome) => readonly string[]) => {
    const [found, then] = [now, before].map(({ outcomes }) => distinct(outcomes.flatMap(of)));
    return found === then ? [] : [`${what}: now ${found}; in the reference ${then}.`];
  };
  return [...told('Other models', ({ models }) => models), ...told('Other cache markers', ({ planner }) => [planner])];
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
  // By what the command line named first: a settings file that was changed has a label that another row may have had.
  const ways: readonly ((of: Side['rows'][number]) => boolean)[] = [
    ({ given }) => given !== undefined && given === row.given,
    ({ label }) => label === row.label,
    ({ given, label }) => given === row.label || label === row.given,
  ];
  const named = ways.map((isSame) => before.rows.findIndex(isSame)).find((index) => index !== -1);
  if (named !== undefined) return named;
  if (before.rows.length === 1 && now.rows.length === 1) return 0;
  const known = before.rows.map(({ given, label }) => given ?? label).join(', ');
  throw new CtxsimError(
    'no-reference',
    `${file} has no row for ${row.given ?? row.label}; it has: ${known}`,
    `Name one of those with --policy, or make a reference with: ${updateCommand}`,
  );
}
