import type { SessionOutcome } from '../results/index.ts';
import type { Result, ResultRow } from '../results/result.ts';
import { compareText } from '../session/index.ts';
import { formatCount, formatCounted, formatPercent } from '../units.ts';
import { distinct } from './distinct.ts';
import { minFamilies } from './interval.ts';
import type { SummaryMeta } from './run-meta.ts';
import { sumOf } from './sum.ts';

/** What was not modelled, and what was assumed, in words. */
export function notesOf(outcomes: readonly SessionOutcome[], meta: SummaryMeta, unpricedShare: number): string[] {
  const { refetchRate = 0 } = meta;
  const notes = [
    refetchRate === 0
      ? 'Recorded replies are replayed: a model that lost a result might read it again, or answer worse; neither is billed here. At risk are results that were taken out and read again, edited or quoted later (--refetch-rate charges that).'
      : `Recorded replies are replayed, and each result at risk (taken out, and read again, edited or quoted later) is charged as if it were read again ${refetchRate} times; an answer that gets worse is not billed.`,
  ];
  notes.push(...unpricedNotes(outcomes, unpricedShare), ...outputNotes(outcomes, meta));
  const timeless = outcomes.filter(({ hasTimes }) => !hasTimes).length;
  if (timeless > 0)
    notes.push(`${timeless} of ${outcomes.length} sessions have no times: their cache is taken as never expiring.`);
  for (const note of [...new Set(outcomes.flatMap(({ otherTokenizer }) => otherTokenizer ?? []))].sort(compareText))
    notes.push(`${note}.`);
  for (const rule of [...new Set(outcomes.flatMap(({ assumedRules }) => assumedRules))].sort(compareText))
    notes.push(`${rule}.`);
  for (const note of [...new Set(outcomes.flatMap(({ priceNotes }) => priceNotes))].sort(compareText))
    notes.push(`Price of ${note}.`);
  const losses = sumOf(outcomes.map(({ events }) => events.length));
  if (losses > 0) {
    notes.push(
      `Recorded cache losses that no rule explains: ${losses}, applied to every row alike (listed in --format json; --events none leaves them out).`,
    );
  }
  const warm = outcomes.filter(({ isWarm }) => isWarm).length;
  if (warm > 0) {
    notes.push(
      `${warm} of ${outcomes.length} sessions found their system part in the cache, kept there by other sessions: as recorded, it is read in every row (--events none: it is not).`,
    );
  }
  if (meta.expectsLosses) {
    notes.push(
      'Where no losses were recorded, they are billed at the measured rate for the pause before a request (--eviction measured).',
    );
  }
  const unsendable = outcomes.filter(({ rows }) => rows.some(({ best }) => best.unsendable > 0)).length;
  if (unsendable > 0 && meta.rows.length === 1) {
    notes.push(
      `${unsendable} of ${outcomes.length} sessions could not have been sent whole: a request is longer than the window allows, or the policy failed. ${remedy}`,
    );
  } else if (unsendable > 0) {
    notes.push(
      `Could not be sent: ${unsentRows(outcomes, meta)}. Each row and its saving cover only the sessions that both it and the baseline could send. Where the baseline is too long, name one that fits (--baseline POLICY). ${remedy}`,
    );
  }
  if (meta.rows.some(({ usesWindow }) => usesWindow)) {
    const windows = distinct(outcomes.flatMap((outcome) => outcome.windows));
    notes.push(
      `Windows that decide when a policy acts, tokens: ${windows}; ${formatCount(meta.outputReserve)} of each are kept free for the reply, except by policies that have a level of their own.`,
    );
  }
  if (meta.twins && meta.twins.length > 0)
    notes.push(`No rows of their own, because they came to the same in every session: ${meta.twins.join(', ')}.`);
  const lacking = outcomes.flatMap(({ rows }) => rows.flatMap(({ best }) => best.lacks ?? []));
  if (lacking.length > 0) {
    notes.push(
      `Not applicable: some policies need ${distinct(lacking, ' and ')}, which some sessions do not have; their rows cover the other sessions.`,
    );
  }
  if (outcomes.some(({ rows }) => rows.some(({ best }) => best.callCounts.server > 0))) {
    notes.push(
      'Server-side calls are taken to read the cache as the live request would; what providers do is not published.',
    );
  }
  if (meta.leftOut > 0) notes.push(`Left out: ${meta.leftOut} files or sessions, named on standard error.`);
  return notes;
}

/** What heph tells its user in place of cutting a request that is too long. */
const remedy = 'Who sends such a request must shorten the prompt or use /clear: nothing is cut in silence.';

/** The rows that could not be sent by themselves, and in how many sessions. */
function unsentRows(outcomes: readonly SessionOutcome[], { rows }: SummaryMeta): string {
  const counts = rows.map(({ label }, index) => ({
    label,
    count: outcomes.filter((outcome) => (outcome.rows[index]?.best.unsendable ?? 0) > 0).length,
  }));
  return counts
    .filter(({ count }) => count > 0)
    .map(({ label, count }) => `${label} in ${formatCount(count)} of ${formatCounted(outcomes.length, 'session')}`)
    .join(', ');
}

/** Which models have no price, if any, and how much of the tokens is theirs. */
function unpricedNotes(outcomes: readonly SessionOutcome[], share: number): string[] {
  const ledgers = outcomes.flatMap(({ rows }) => rows.flatMap(({ best }) => best.ledger));
  const models = distinct(ledgers.flatMap(({ unpriced }) => unpriced ?? []));
  if (models === '') return [];
  return [
    `No price is known of ${models}: up to ${formatPercent(share)} of a row's tokens are in no cost and no saving (--prices FILE gives prices).`,
  ];
}

/** Fewer sessions than this, in effect, are few to draw conclusions from (measured: `npm run proof`). */
const fewSessions = 10;

/** Where a difference rests on fewer than this, intervals cover less than they say (measured: the same). */
const tooFewSessions = 4;

/** Where a few sessions decide. */
export function concentrationNotes(rows: readonly ResultRow[], corpus: Result['corpus']): string[] {
  const notes: string[] = [];
  if (corpus.sessions >= minFamilies && corpus.effectiveSessions < fewSessions) {
    notes.push(
      `The spend is as concentrated as if there were ${corpus.effectiveSessions.toFixed(1)} sessions of one size: a few sessions decide, and others may come out differently.`,
    );
  }
  const thin = rows.filter(
    ({ ci95, effectiveSessions }) => ci95 !== null && effectiveSessions !== null && effectiveSessions < tooFewSessions,
  );
  if (thin.length > 0) {
    notes.push(
      `The interval may be too narrow where a difference rests on so few sessions in effect: ${thinText(thin)}.`,
    );
  }
  return notes;
}

/** More rows than this are counted instead of named: the CSV tells which they are. */
const namedRows = 4;

function thinText(rows: readonly ResultRow[]): string {
  const sessions = (row: ResultRow | undefined) => (row?.effectiveSessions ?? 0).toFixed(1);
  if (rows.length <= namedRows) return rows.map((row) => `${row.label} ${sessions(row)}`).join(', ');
  const sorted = [...rows].sort((a, b) => (a.effectiveSessions ?? 0) - (b.effectiveSessions ?? 0));
  return `${formatCount(rows.length)} rows, ${sessions(sorted[0])} to ${sessions(sorted.at(-1))} (effective_sessions in --format csv)`;
}

function outputNotes(outcomes: readonly SessionOutcome[], { baseline }: SummaryMeta): string[] {
  const estimated = sumOf(outcomes.map(({ estimatedOutput }) => estimatedOutput));
  if (estimated === 0) return [];
  const ledger = outcomes.flatMap(({ rows }) => rows[baseline]?.best.ledger ?? []);
  const share = formatPercent(estimated / sumOf(ledger.map(({ usage }) => usage.output)));
  return [
    `${share} of the output tokens are estimated: no count of them was recorded, or one that is too small for the words (a placeholder).`,
  ];
}
