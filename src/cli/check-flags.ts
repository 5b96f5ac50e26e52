import { basename } from 'node:path';
import { limitsOf } from '../analysis/index.ts';
import { CtxsimError } from '../errors.ts';
import type { CheckMetric, CheckRule } from '../results/index.ts';

/** `--max 0.40/turn` or `--max 12`; units are those of the metrics in dollars. */
export function maxRule(text: string): CheckRule {
  const { value, metric } = withUnit('--max', text, 'usd', 'Write US dollars: 12, 0.40/turn or 2/session.');
  const max = plainNumber(value);
  if (!Number.isFinite(max)) throw outOfRange('--max', text, 'Write US dollars: 12 or 0.40/turn.');
  return { metric, max, over: 'total', level: 'error' };
}

/** `--max-increase 2%`, of dollars per turn unless another unit is named. */
export function maxIncreaseRule(text: string): CheckRule {
  const remedy = 'Write 2%, 0.02, 2%/session or 2%/total.';
  const { value, metric } = withUnit('--max-increase', text, 'usd/turn', remedy);
  const maxIncrease = value.endsWith('%') ? plainNumber(value.slice(0, -1).trim()) / 100 : plainNumber(value);
  // Whoever writes 1 or 2 means per cent, not twice or three times the bill.
  if (!Number.isFinite(maxIncrease) || (!value.endsWith('%') && maxIncrease >= 1))
    throw outOfRange('--max-increase', text, remedy);
  return { metric, maxIncrease, level: 'error' };
}

/** Rules of a configuration and those of flags: a flag takes the place of the same bound of the same metric over the same sessions. */
export function withFlagRules(configured: readonly CheckRule[], given: readonly CheckRule[]): readonly CheckRule[] {
  const taken = new Set(given.flatMap(singleRules).map(aimOf));
  return [...configured.flatMap(singleRules).filter((rule) => !taken.has(aimOf(rule))), ...given];
}

/** A rule as several, each with one bound over one set of sessions. */
function singleRules(rule: CheckRule): CheckRule[] {
  const { metric, policy, sessions, level } = rule;
  return limitsOf(rule).map(({ bound, limit, over }) => ({ metric, policy, sessions, level, over, [bound]: limit }));
}

/** What a rule of one bound is about, whatever its limit. */
function aimOf(rule: CheckRule): string {
  const { metric, policy, sessions, over } = rule;
  return JSON.stringify([metric, policy, sessions, over, limitsOf(rule)[0]?.bound]);
}

const units: ReadonlyMap<string, CheckMetric> = new Map([
  ['turn', 'usd/turn'],
  ['session', 'usd/session'],
  ['total', 'usd'],
]);

/** Digits, as people write an amount; NaN for `0x10`, `1e3` and what is no number. */
function plainNumber(text: string): number {
  return /^(\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : Number.NaN;
}

function withUnit(flag: string, text: string, otherwise: CheckMetric, remedy: string) {
  const [value = '', unit, ...more] = text.trim().split('/');
  const metric = unit === undefined ? otherwise : units.get(unit.trim());
  if (metric === undefined || more.length > 0) throw outOfRange(flag, text, remedy);
  return { value: value.trim(), metric };
}

function outOfRange(flag: string, text: string, remedy: string): CtxsimError {
  return new CtxsimError('out-of-range', `${flag} ${text} is out of range`, remedy);
}

/**
 * What sessions are matched by: the name of the file without its ending, `id`, `file`, or what the first group of a regular
 * expression takes from the path (the name, where it takes nothing).
 */
export function nameOfSession(match: string | undefined): (session: { id: string; file: string }) => string {
  if (match === undefined) return ({ file }) => nameOfFile(file);
  if (match === 'id') return ({ id }) => id;
  if (match === 'file') return ({ file }) => file;
  const pattern = patternOf(match);
  return ({ file }) => pattern.exec(file.replaceAll('\\', '/'))?.[1] || nameOfFile(file);
}

function patternOf(match: string): RegExp {
  try {
    const pattern = new RegExp(match);
    // An empty alternative always matches, and then names every group there is.
    if ((new RegExp(`${match}|`).exec('')?.length ?? 0) > 1) return pattern;
  } catch (error) {
    throw new CtxsimError('bad-match', `--match ${match}: ${(error as Error).message}`, 'Write a regular expression.');
  }
  throw new CtxsimError(
    'bad-match',
    `--match ${match} has no group`,
    'Put the part of the path that names the scenario in parentheses, or write id or file.',
  );
}

function nameOfFile(file: string): string {
  return basename(file.replaceAll('\\', '/')).replace(/\.[^.]+(\.gz)?$/, '');
}
