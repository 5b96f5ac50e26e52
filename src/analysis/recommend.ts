import type { CrossValidation, Recommendation } from '../results/index.ts';
import type { Result, ResultRow } from '../results/result.ts';
import { formatCount, formatCounted, formatPercent, formatPercentRange, formatSignedPercent } from '../units.ts';
import { comparedOf } from './answer.ts';
import { crossValidate, firstWithin } from './cross-validate.ts';
import type { PairedCosts } from './families.ts';
import { estimateSaving, type Interval, minFamilies } from './interval.ts';
import { choicesOf, costsOf, flatWithin } from './sweep.ts';

/** What must be left of a saving on sessions that it was not chosen on: less is no saving by the verdict either. */
const leastHonest = 0.01;

/** Both halves need an interval of their own. */
const leastFamilies = 2 * minFamilies;

/** Where each row's settings are set, by its label. */
export type Places = ReadonlyMap<string, string>;

/**
 * Says what to set, or to leave it as it is. A row clears the bar if its verdict is `saves`, its whole interval lies above zero,
 * and the choice saves more than one hundredth on sessions that it was not made on. Of rows that are as good the first one is
 * named, so the rows stand with the gentlest first.
 * @param commandFor the command that repeats a row, by its label.
 */
export function recommend(result: Result, places: Places, seed: number, commandFor: (label: string) => string): Result {
  const choices = choicesOf(result);
  const cross = crossValidate(costsOf(choices, result), { seed, pick: pickClear, leastFamilies });
  const clear = choices.filter((row) => row.verdict === 'saves' && isClear(row));
  const chosen = cross !== null && cross.honest > leastHonest ? firstAsGood(clear) : undefined;
  const nearest = chosen ?? firstAsGood(choices);
  const { baseline } = result.assumptions;
  const settings = choices.length;
  const where = chosen ? (places.get(chosen.label) ?? '') : null;
  const sentences = [
    chosen ? settingSentence(chosen, where ?? '', baseline) : leaveSentence(settings, nearest, clear, cross),
    chosen ? sureSentence(chosen, baseline, cross) : whySentence(nearest, clear.length, cross),
    riskSentence(chosen, clear, settings),
  ];
  const recommendation = {
    set: chosen?.label ?? null,
    where,
    command: commandFor(nearest?.label ?? baseline),
    crossValidation: cross,
    shown: shownOf(nearest, choices, places),
  };
  return { ...result, answer: sentences.join('\n'), recommendation };
}

/** Whether a saving is one beyond doubt, as the verdict `saves` has it. */
function isClear({ saving, ci95 }: { readonly saving: number | null; readonly ci95: Interval | null }): boolean {
  return saving !== null && saving >= flatWithin && ci95 !== null && ci95[0] > 0;
}

/** The same choice, made on one half of the sessions. */
function pickClear(costs: readonly PairedCosts[]): number {
  const estimates = costs.map(estimateSaving);
  const savings = estimates.map((estimate) => (isClear(estimate) ? (estimate.saving ?? 0) : Number.NEGATIVE_INFINITY));
  return savings.some(Number.isFinite) ? firstWithin(savings, flatWithin) : -1;
}

function firstAsGood(rows: readonly ResultRow[]): ResultRow | undefined {
  return rows[firstWithin(rows.map(savingOf), flatWithin)];
}

function settingSentence(row: ResultRow, where: string, baseline: string): string {
  const over = formatCounted(comparedOf(row), 'session');
  return `Set ${row.label} (${where}): it saves ${formatPercent(row.saving)} of the bill of ${baseline} (${formatPercentRange(row.ci95)}) over ${over}${markersOf(row)}.`;
}

/** Where the markers decide: what is left with those of the recorded harness. */
function markersOf({ savingRecordedMarkers, ci95RecordedMarkers }: ResultRow): string {
  if (savingRecordedMarkers === null) return '';
  const range = ci95RecordedMarkers ? ` (${formatPercentRange(ci95RecordedMarkers)})` : '';
  return `, if cache markers stand where it needs them (list providers: anchor); with those of the recorded harness ${formatSignedPercent(savingRecordedMarkers)}${range}`;
}

function leaveSentence(
  settings: number,
  nearest: ResultRow | undefined,
  clear: readonly ResultRow[],
  cross: CrossValidation | null,
): string {
  // What nothing speaks against, and nothing could be tested for, is no reason to leave it.
  if (nearest && (nearest.few || (clear.length > 0 && cross === null)))
    return `Too few sessions to choose by: ${formatCounted(leastFamilies, 'independent session')} are needed to test a choice on others than it was made on.`;
  return `Leave it as it is: none of ${formatCounted(settings, 'setting')} clears the bar (a saving of at least 1 %, its 95 % interval above zero, and more than 1 % on sessions that it was not chosen on).`;
}

function sureSentence(row: ResultRow, baseline: string, cross: CrossValidation | null): string {
  const loses = `it costs more than ${baseline} in ${formatCount(row.sessions.dearer)} of ${formatCounted(comparedOf(row), 'session')}`;
  return `Chosen on half of the sessions, a setting saves ${formatPercent(cross?.honest)} on the other half (apparent: ${formatPercent(cross?.apparent)}); ${loses}.`;
}

/** Why nothing is recommended: the first of the bars that the nearest row does not clear. */
function whySentence(nearest: ResultRow | undefined, clear: number, cross: CrossValidation | null): string {
  if (!nearest) return 'No setting could be compared over these sessions.';
  const named = `The nearest is ${nearest.label} at ${formatPercent(nearest.saving)}`;
  if (nearest.few) return `${named}; fewer than ${minFamilies} give no interval.`;
  if (clear === 0) return `${named} (${formatPercentRange(nearest.ci95)}): ${nearest.verdict}.`;
  if (cross === null) return `${named} (${formatPercentRange(nearest.ci95)}).`;
  return `${named}, but chosen on half of the sessions a setting saves ${formatPercent(cross.honest)} on the other half (apparent: ${formatPercent(cross.apparent)}).`;
}

/** What was cut and needed later, how far from the best schedule in hindsight, and what else would do. */
function riskSentence(chosen: ResultRow | undefined, clear: readonly ResultRow[], settings: number): string {
  const alike = chosen ? clear.filter((row) => row !== chosen && savingOf(row) >= savingOf(chosen)).length : 0;
  const [clears, saves] = alike === 1 ? ['clears', 'saves'] : ['clear', 'save'];
  const others =
    alike > 0
      ? `${formatCount(alike)} more of ${formatCounted(settings, 'setting')} ${clears} the bar and ${saves} as much or up to 1 % of the bill more, but harsher or harder to set; `
      : '';
  const text = `${others}${riskOf(chosen)}`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function riskOf(chosen: ResultRow | undefined): string {
  const { refetch, regret } = chosen ?? {};
  const hindsight =
    regret === undefined || regret === null
      ? ''
      : `; in hindsight the best moments to cut would have saved ${formatPercent(Math.abs(regret))} of the bill ${regret < 0 ? 'less' : 'more'}`;
  if (!refetch || refetch.elided === 0) {
    return `recorded replies are replayed: a model that misses what was cut might read it again or answer worse, and neither is billed${hindsight}.`;
  }
  const share = `${formatPercent(refetch.atRisk / refetch.elided)} of the ${formatCounted(refetch.elided, 'result')} it cuts were needed later`;
  const bears =
    refetch.breakEvenTimes === null
      ? ''
      : `, and the saving is gone once each of those is read again ${refetch.breakEvenTimes.toFixed(1)} times`;
  return `${share}${bears}; a worse answer is not billed${hindsight}.`;
}

/** The row that is talked of, then the best of every place, by their saving. */
function shownOf(
  nearest: ResultRow | undefined,
  choices: readonly ResultRow[],
  places: Places,
): Recommendation['shown'] {
  const best = new Map<string, ResultRow>();
  for (const row of choices) {
    const where = places.get(row.label) ?? '';
    const leader = best.get(where);
    if (!leader || savingOf(row) > savingOf(leader)) best.set(where, row);
  }
  const others = [...best.values()].filter((row) => row !== nearest).sort((a, b) => savingOf(b) - savingOf(a));
  return [...(nearest ? [nearest] : []), ...others].map(({ label }) => ({ label, where: places.get(label) ?? '' }));
}

function savingOf({ saving }: ResultRow): number {
  return saving ?? Number.NEGATIVE_INFINITY;
}
