import { CtxsimError } from '../errors.ts';
import type { CheckMetric, CheckOutcome, CheckOver, CheckRule } from '../results/index.ts';
import { formatCount, formatPercent, formatSignedPercent, formatUsd } from '../units.ts';
import { type Measured, metricOf, pool } from './measured.ts';

/** One row of a check: its scenarios, and those of the reference, by name. */
export interface RowPair {
  readonly policy: string;
  readonly label: string;
  readonly found: ReadonlyMap<string, Measured>;
  readonly reference: ReadonlyMap<string, Measured> | undefined;
}

type Bound = CheckOutcome['bound'];

/** A change this small is rounding of a sum. */
const sameShare = 1e-9;

/** What one rule says of one row. */
export function applyRule(rule: CheckRule, row: RowPair): CheckOutcome[] {
  return limitsOf(rule).map(({ bound, limit, over }) => outcomeOf(rule, row, bound, limit, over));
}

/** The limits of a rule: one per bound and, where it does not say over what, of all sessions together and of the worst. */
export function limitsOf(rule: CheckRule): { bound: Bound; limit: number; over: CheckOver }[] {
  const overs: readonly CheckOver[] = rule.over ? [rule.over] : ['total', 'worst'];
  return (['max', 'min', 'maxIncrease', 'maxDecrease'] as const).flatMap((bound) => {
    const limit = rule[bound];
    return limit === undefined ? [] : overs.map((over) => ({ bound, limit, over }));
  });
}

function outcomeOf(rule: CheckRule, row: RowPair, bound: Bound, limit: number, over: CheckOver): CheckOutcome {
  const { metric, level } = rule;
  const isRelative = bound === 'maxIncrease' || bound === 'maxDecrease';
  const pairs = pairsOf(rule, row, isRelative);
  const seen = isRelative ? relative(metric, pairs, over) : absolute(metric, pairs, over);
  if (!seen) throw unanswerable(rule, row);
  const { found, reference, session } = seen;
  const change = reference !== null && reference > 0 ? found / reference - 1 : null;
  const outcome = { metric, policy: row.policy, over, bound, limit, reference, found, change, session, level };
  const status = isWithin(outcome) ? ('passed' as const) : ('failed' as const);
  return { ...outcome, status, text: textOf(outcome) };
}

interface Pair {
  readonly found: Measured;
  readonly reference: Measured | undefined;
}

/** The scenarios that a rule is about; where it is about a change, those that both sides have. */
function pairsOf({ sessions }: CheckRule, { found, reference }: RowPair, isRelative: boolean): Pair[] {
  const wanted = sessions === undefined ? undefined : new RegExp(`^(?:${sessions})$`);
  return [...found.values()].flatMap((each) => {
    const before = reference?.get(each.name);
    const isMeant = (!wanted || wanted.test(each.name)) && (!isRelative || before !== undefined);
    return isMeant ? [{ found: each, reference: before }] : [];
  });
}

interface Seen {
  readonly found: number;
  readonly reference: number | null;
  readonly session: string | null;
}

function absolute(metric: CheckMetric, pairs: readonly Pair[], over: CheckOver): Seen | undefined {
  if (over === 'total') {
    const found = pairs.length > 0 ? metricOf(metric, pool(pairs.map((pair) => pair.found))) : null;
    return found === null ? undefined : { found, reference: null, session: null };
  }
  const each = pairs.flatMap((pair) => {
    const found = metricOf(metric, pair.found);
    return found === null ? [] : [{ found, reference: null, session: pair.found.name, rank: found }];
  });
  return chosen(metric, each, over);
}

function relative(metric: CheckMetric, pairs: readonly Pair[], over: CheckOver): Seen | undefined {
  const seenOf = (found: Measured, reference: Measured, session: string | null) => {
    // Where a side has no human turns, as a sub-agent by itself or a log, both are compared whole: see scaleOf.
    const per = metric === 'usd/turn' && (found.turns === 0 || reference.turns === 0) ? 'usd' : metric;
    const [now, before] = [metricOf(per, found), metricOf(per, reference)];
    if (now === null || before === null) return [];
    const rank = before > 0 ? now / before : now > 0 ? Number.POSITIVE_INFINITY : 1;
    return [{ found: now, reference: before, session, rank }];
  };
  const both = pairs.flatMap(({ found, reference }) => (reference ? [{ found, reference }] : []));
  if (over !== 'total')
    return chosen(
      metric,
      both.flatMap(({ found, reference }) => seenOf(found, reference, found.name)),
      over,
    );
  if (both.length === 0) return undefined;
  return seenOf(pool(both.map(({ found }) => found)), pool(both.map(({ reference }) => reference)), null)[0];
}

/** The middle one of several (the better of two), or the worst. */
function chosen(
  metric: CheckMetric,
  each: readonly (Seen & { readonly rank: number })[],
  over: CheckOver,
): Seen | undefined {
  const better = isMoreBetter(metric) ? -1 : 1;
  const sorted = [...each].sort((a, b) => (a.rank === b.rank ? 0 : a.rank < b.rank ? -better : better));
  const seen = over === 'worst' ? sorted.at(-1) : sorted[Math.floor((sorted.length - 1) / 2)];
  return seen && { found: seen.found, reference: seen.reference, session: seen.session };
}

function isWithin({ bound, limit, found, reference, change }: Omit<CheckOutcome, 'status' | 'text'>): boolean {
  if (found === null) return false;
  if (bound === 'max') return found <= limit + sameShare;
  if (bound === 'min') return found >= limit - sameShare;
  if (change === null) return bound === 'maxIncrease' ? found <= (reference ?? 0) : true;
  return bound === 'maxIncrease' ? change <= limit + sameShare : change >= -limit - sameShare;
}

/** Of `hit-share` more is better. */
export function isMoreBetter(metric: CheckMetric): boolean {
  return metric === 'hit-share';
}

function unanswerable({ metric, sessions }: CheckRule, { policy, reference }: RowPair): CtxsimError {
  const which = sessions === undefined ? '' : ` of sessions "${sessions}"`;
  return new CtxsimError(
    'nothing-to-check',
    `${metric} of ${policy}${which} cannot be checked: no session has it${reference ? ' on both sides' : ''}`,
    sessions === undefined
      ? 'usd/turn needs human turns; rewrite-factor and peak-prompt need a reference that ctxsim check --update wrote.'
      : `Does any session have a name that "sessions": "${sessions}" matches? Mend the rule, or leave "sessions" out of it.`,
  );
}

function textOf(outcome: Omit<CheckOutcome, 'status' | 'text'>): string {
  const { metric, policy, over, bound, limit, reference, found, change, session } = outcome;
  const where = { total: 'all sessions together', median: `in the middle ${session}`, worst: `worst in ${session}` }[
    over
  ];
  const against = reference === null ? '' : ` against ${formatValue(metric, reference)}`;
  const by = reference === null ? '' : `, ${change === null ? 'from nothing' : formatSignedPercent(change)}`;
  return `${metric} of ${policy}, ${where}: ${formatValue(metric, found)}${against}${by} (${limitText(metric, bound, limit)})`;
}

function limitText(metric: CheckMetric, bound: Bound, limit: number): string {
  if (bound === 'max') return `at most ${formatValue(metric, limit)}`;
  if (bound === 'min') return `at least ${formatValue(metric, limit)}`;
  return `at most ${bound === 'maxIncrease' ? '+' : '-'}${formatPercent(limit)}`;
}

function formatValue(metric: CheckMetric, value: number | null): string {
  if (metric === 'hit-share') return formatPercent(value);
  if (metric === 'peak-prompt') return `${formatCount(value)} tokens`;
  return metric === 'rewrite-factor' ? (value?.toFixed(2) ?? '-') : formatUsd(value);
}
