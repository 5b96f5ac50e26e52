import type { CheckedRow, CheckResult } from '../results/index.ts';
import { formatCount, formatCounted, formatSignedPercent, formatUsd } from '../units.ts';

/** The answer: whether the checks hold, and of each row what it costs more, in which session most, and by which cause. */
export function checkAnswer({ checks, rows, passed, reference }: Omit<CheckResult, 'answer'>): string {
  const failed = checks.filter(({ status, level }) => status === 'failed' && level === 'error').length;
  const warned = checks.filter(({ status, level }) => status === 'failed' && level === 'warn').length;
  const warnings = warned > 0 ? ` with ${formatCounted(warned, 'warning')}` : '';
  const verdict = passed
    ? `${formatCounted(checks.length, 'check')} passed${warnings}`
    : `${formatCount(failed)} of ${formatCounted(checks.length, 'check')} failed${warnings}`;
  return [`${verdict}.`, ...rows.map((row) => rowSentence(row, reference))].join(' ');
}

function rowSentence(row: CheckedRow, reference: string | null): string {
  const { policy, label, referenceLabel, usd, referenceUsd, sessions, causes } = row;
  // Whoever forgets a flag compares two policies: that is seen at once.
  const what = referenceLabel === null || referenceLabel === label ? '' : `${referenceLabel} in `;
  if (referenceUsd === null) return `${policy} costs ${formatUsd(usd)}.`;
  const difference = sessions.reduce((sum, session) => sum + session.difference, 0);
  if (Math.abs(difference) < sameDollars && sessions.every((each) => Math.abs(each.difference) < sameDollars))
    return `${policy} costs what ${what === '' ? 'it did in ' : what}${reference}${what === '' ? '' : ' did'}: ${formatUsd(usd)}.`;
  const scaled = usd - difference;
  const share = scaled > 0 ? ` (${formatSignedPercent(difference / scaled)})` : '';
  const more = difference > 0 ? 'more' : 'less';
  const [dearest] = sessions;
  const [cause] = causes;
  const where =
    dearest && dearest.difference > sameDollars ? `; most in ${dearest.name} (+${formatUsd(dearest.difference)})` : '';
  const why =
    cause && cause.difference > sameDollars ? `, most by "${cause.label}" (+${formatUsd(cause.difference)})` : '';
  return `${policy} costs ${formatUsd(Math.abs(difference))}${share} ${more} than ${what === '' ? 'in ' : what}${reference} over as many turns${where}${why}.`;
}

/** Two bills this close, in US dollars, are the same. */
const sameDollars = 1e-9;
