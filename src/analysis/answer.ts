import { bySaving, isSetting, notableUnpriced, unpricedShareOf, yardstickPolicy } from '../results/index.ts';
import type { ResultRow } from '../results/result.ts';
import { formatCount, formatCounted, formatPercent, formatPercentRange, formatSignedPercent } from '../units.ts';

/** What the sentence needs besides the rows. */
export interface AnswerCounts {
  /** Sessions in the corpus. */
  readonly sessions: number;
}

/**
 * The answer in one sentence: the setting that saves most, its interval and the number of sessions, and the worst of
 * the settings that lie near it; or that nothing saves.
 */
export function answerOf(rows: readonly ResultRow[], counts: AnswerCounts): string {
  const settings = rows.filter((row) => !row.isBaseline && isSetting(row));
  const [first, ...others] = bySaving(settings);
  const atBest = hindsight(rows);
  const baseline = rows.find((row) => row.isBaseline);
  if (first === undefined)
    return `Nothing to compare: no setting besides the baseline was replayed${baseline?.verdict === 'unsendable' ? `, and ${nameOf(baseline)} could not be sent` : ''}${atBest}.`;
  if (baseline && settings.every((row) => row.verdict === 'no baseline'))
    return `${nameOf(baseline)} could not be sent over ${formatCounted(counts.sessions, 'session')}: ${others.length === 0 ? nameOf(first) : `none of ${formatCount(settings.length)} settings`} has ${others.length === 0 ? 'nothing' : 'anything'} to be compared with (--baseline POLICY).`;
  if (others.length === 0)
    return `${nameOf(first)} ${clauseOf(first)} ${overOf(first, counts)}${markersOf(first)}${atBest}.`;
  const best = [first, ...others].find((row) => row.verdict === 'saves');
  if (best) {
    const lead = `Best of ${formatCount(settings.length)}`;
    const more = best === first ? '' : `; ${nameOf(first)} ${clauseOf(first)}`;
    return `${lead}: ${nameOf(best)} ${clauseOf(best)} ${overOf(best, counts)}${winsOf(best)}${markersOf(best)}${more}${warning(settings, best)}${atBest}.`;
  }
  return nothingSaves(first, settings, counts, atBest);
}

function nothingSaves(
  closest: ResultRow,
  settings: readonly ResultRow[],
  counts: AnswerCounts,
  atBest: string,
): string {
  const none = `None of ${formatCount(settings.length)} settings`;
  const over = `over ${coveredOf(closest, counts)}`;
  const has = (verdict: string) => (row: ResultRow) => row.verdict === verdict;
  if (settings.every(has('unsendable'))) return `${none} could be sent ${over}.`;
  if (settings.every(has('not applicable'))) return `${none} is applicable ${over}.`;
  if (settings.every(has('unpriced'))) return `${none} can be priced ${over} (--prices FILE).`;
  const acted = settings.filter(
    (row) => !['never fired', 'unsendable', 'no baseline', 'not applicable', 'unpriced'].includes(row.verdict),
  );
  if (acted.length === 0) {
    const unsent = Math.max(
      ...settings.map(({ sessions }) => sessions.unsendable + (sessions.baselineUnsendable ?? 0)),
    );
    if (unsent === 0) return `${none} fired ${over}: nothing changes.`;
    // Where the baseline is too long to be sent, a policy that makes it fit has nothing to be compared with.
    return `${none} fired ${over}; ${formatCount(unsent)} of ${formatCounted(counts.sessions, 'session')} could not be sent under a row or the baseline: compare with a policy that makes them fit (--baseline POLICY).`;
  }
  const nearest = bySaving(acted)[0] ?? closest;
  return `${none} saves ${over}: ${nameOf(nearest)} ${clauseOf(nearest)}${markersOf(nearest)}${warning(settings, nearest)}${atBest}.`;
}

/** Savings that differ by less are told as one. */
const sameSaving = 0.01;

/** Where the markers decide, what is left with those of the recorded harness: nobody should take one number for the other. */
function markersOf({ saving, savingRecordedMarkers }: ResultRow): string {
  if (saving === null || savingRecordedMarkers === null) return '';
  if (Math.abs(saving - savingRecordedMarkers) < sameSaving) return '';
  return `, if cache markers stand where it needs them; with those of the recorded harness ${formatSignedPercent(savingRecordedMarkers)}`;
}

/** What the yardstick saves, by which one sees how near the best setting comes; nobody can choose it. */
function hindsight(rows: readonly ResultRow[]): string {
  // Without a regret there is nothing to measure by.
  if (rows.every(({ regret }) => regret === null)) return '';
  const saving = rows.find(({ policy }) => policy === yardstickPolicy)?.saving ?? null;
  return saving === null ? '' : `; in hindsight elisions could save ${formatPercent(saving)}`;
}

/** The dearest setting that costs more, of the same policy if there is one: the setting one would have tried next. */
function warning(settings: readonly ResultRow[], named: ResultRow): string {
  const dearer = bySaving(settings.filter((row) => row.verdict === 'costs more' && row !== named)).reverse();
  const worst = dearer.find((row) => row.policy === named.policy) ?? dearer[0];
  if (worst === undefined) return '';
  const name = worst.policy === named.policy ? settingOf(worst) || nameOf(worst) : nameOf(worst);
  return `; ${name} ${clauseOf(worst)}`;
}

function clauseOf({ verdict, saving, ci95 }: ResultRow): string {
  const interval = ci95 ? ` (${formatPercentRange(ci95)})` : '';
  switch (verdict) {
    case 'baseline':
      return 'is what the others are measured against';
    case 'saves':
      return `saves ${formatPercent(saving)}${interval}`;
    case 'costs more':
      return `costs ${formatPercent(saving === null ? null : -saving)} more`;
    case 'breaks even':
      return `breaks even at ${formatPercent(saving)}${interval}`;
    case 'unclear':
      return `is unclear at ${formatPercent(saving)}${interval}`;
    case 'never fired':
      return 'never fired';
    case 'unsendable':
      return 'could not be sent';
    case 'no baseline':
      return 'has no baseline that could be sent';
    case 'not applicable':
      return 'is not applicable';
    case 'unpriced':
      return 'has no price';
  }
}

function overOf(row: ResultRow, counts: AnswerCounts): string {
  return `over ${coveredOf(row, counts)}${row.few && comparedOf(row) > 0 ? ', too few for an interval' : ''}`;
}

/** In how many sessions a row was the cheaper one, where there are enough to say how likely that is by chance. */
function winsOf(row: ResultRow): string {
  if (row.few || row.signTest === null) return '';
  const chance = row.signTest < 0.001 ? '< 0.001' : `= ${row.signTest.toFixed(3)}`;
  return `, cheaper in ${formatCount(row.sessions.cheaper)} of ${formatCount(comparedOf(row))} (sign test p ${chance})`;
}

/** How many sessions a row was compared over, and of how many where that is not all; what of it has no price, where that matters. */
function coveredOf(row: ResultRow, { sessions }: AnswerCounts): string {
  const compared = comparedOf(row);
  const of = compared > 0 && compared < sessions ? `${formatCount(compared)} of ` : '';
  const share = unpricedShareOf(row);
  const unpriced =
    compared > 0 && share >= notableUnpriced ? `, ${formatPercent(share)} of its tokens without a price` : '';
  return `${of}${formatCounted(sessions, 'session')}${unpriced}`;
}

/** Sessions over which a row was compared with its baseline. */
export function comparedOf({ sessions: { cheaper, equal, dearer } }: ResultRow): number {
  return cheaper + equal + dearer;
}

/** `elide:recent_turns=0` reads `elide (recent_turns=0)`. */
function nameOf(row: ResultRow): string {
  const setting = settingOf(row);
  return setting === '' ? row.label : `${row.policy} (${setting})`;
}

/** The settings in a label, or nothing where the label is no policy with settings. */
function settingOf({ label, policy }: ResultRow): string {
  return label.startsWith(`${policy}:`) ? label.slice(policy.length + 1).replaceAll(',', ', ') : '';
}
