import { createHash } from 'node:crypto';
import { costOf, mergeLedgers, type SessionOutcome, spendKinds, unpricedShareOf } from '../results/index.ts';
import type { Result, ResultRow, SessionResult, Shares } from '../results/result.ts';
import { compareText, type Finding } from '../session/index.ts';
import { formatCount, formatPercent } from '../units.ts';
import { effectiveCount, minFamilies } from './interval.ts';
import { sumOf } from './sum.ts';

/** A row as the user asked for it. */
export interface RowMeta {
  readonly policy: string;
  readonly params: Readonly<Record<string, string | number>>;
  readonly label: string;
  /** As the command line named it, where that is what it is compared by. */
  readonly given?: string | undefined;
  /** The preset of which it shows a part. */
  readonly partOf?: string | undefined;
  /** Leave the row out where it changed nothing in any session, or the same as a row before it in every one. */
  readonly onlyIfOwn?: boolean | undefined;
  /** The context window decides what it does. */
  readonly usesWindow?: boolean | undefined;
}

/** What a result says besides numbers. */
export interface RunMeta {
  readonly rows: readonly RowMeta[];
  readonly baseline: number;
  readonly version: string;
  readonly prices: string;
  readonly seed: number;
  readonly ttl: string;
  readonly service: { readonly tier: string; readonly region: string };
  /** Tokens kept free for the reply. */
  readonly outputReserve: number;
  readonly pricedAt: string;
  /** How often a result at risk is read again, charged in every row. */
  readonly refetchRate?: number | undefined;
  /** Lifetimes under which every row was replayed once more, as multiples: then break-evens are worked out. */
  readonly lifetimeMultiples?: readonly number[] | undefined;
  /** The outcomes say what every row paid for: the result keeps what charts show of that. */
  readonly detailed?: boolean | undefined;
  /** Expected cache losses are billed where none were recorded. */
  readonly expectsLosses: boolean;
}

/** What is known of a run once it has ended. */
export interface SummaryMeta extends RunMeta {
  readonly findings: readonly Finding[];
  readonly leftOut: number;
  /** Rows that were dropped as the same as another: both names, in words. */
  readonly twins?: readonly string[];
}

/** How much was replayed, and what it was spent on. */
export function corpusOf(
  outcomes: readonly SessionOutcome[],
  sessions: readonly SessionResult[],
  baseline: string,
): Omit<Result['corpus'], 'bound'> {
  const spends = sessions.map(({ cost }) => cost[baseline] ?? 0).sort((a, b) => b - a);
  const total = sumOf(spends);
  const share = (dollars: number) => (total > 0 ? dollars / total : 0);
  return {
    sessions: outcomes.length,
    // A sub-agent has no human turns, and a fork repeats those of its parent.
    turns: sumOf(outcomes.map(({ parent, turns }) => (parent === undefined ? turns : 0))),
    requests: sumOf(outcomes.map(({ requests }) => requests)),
    tokens: sumOf(outcomes.map(({ promptTokens }) => promptTokens)),
    shares: sharesOf(outcomes),
    recordedUsd: recordedUsd(outcomes),
    largestSession: share(spends[0] ?? 0),
    largestFive: share(sumOf(spends.slice(0, 5))),
    effectiveSessions: effectiveCount(spends),
  };
}

function recordedUsd(outcomes: readonly SessionOutcome[]): number | null {
  const bills = outcomes.flatMap(({ recordedBill }) => (recordedBill ? [recordedBill] : []));
  if (bills.length < outcomes.length || bills.flat().some(({ unpriced }) => unpriced !== undefined)) return null;
  return costOf(mergeLedgers(bills)).total;
}

function sharesOf(outcomes: readonly SessionOutcome[]): Shares {
  const dollars = spendKinds.map((kind) => [kind, sumOf(outcomes.map(({ spend }) => spend[kind]))] as const);
  const total = sumOf(dollars.map(([, usd]) => usd));
  return Object.fromEntries(dollars.map(([kind, usd]) => [kind, total > 0 ? usd / total : 0])) as Shares;
}

/** What the numbers rest on. */
export function assumptionsOf(
  outcomes: readonly SessionOutcome[],
  meta: SummaryMeta,
  rows: readonly ResultRow[],
  corpus: Result['corpus'],
): Result['assumptions'] {
  const unpricedShare = Math.max(...rows.map(unpricedShareOf));
  const tokens = sumOf(outcomes.map(({ promptTokens }) => promptTokens));
  const estimated = sumOf(outcomes.map(({ promptTokens, estimatedShare }) => promptTokens * estimatedShare));
  return {
    baseline: meta.rows[meta.baseline]?.label ?? '',
    models: [...new Set(outcomes.flatMap(({ models }) => models))].sort(compareText),
    cache: [...new Set(outcomes.flatMap(({ cache }) => cache))].sort(compareText),
    breakpoints: [...new Set(outcomes.flatMap(({ planner, recordedPlanner }) => [planner, recordedPlanner]))]
      .filter((planner) => planner !== '-')
      .sort(compareText),
    ttl: meta.ttl,
    serviceTier: meta.service.tier,
    region: meta.service.region,
    pricedAt: meta.pricedAt,
    unpricedShare,
    tokens: distinct(
      outcomes.map(({ tokenMethod }) => tokenMethod),
      '; ',
    ),
    estimatedShare: tokens > 0 ? estimated / tokens : 0,
    tokenUncertainty: uncertaintyOf(outcomes),
    notes: [...concentrationNotes(rows, corpus), ...notesOf(outcomes, meta, unpricedShare)],
  };
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

/** What the estimated part of the tokens is off by, weighed by tokens; null where that is unknown or nothing was estimated. */
function uncertaintyOf(outcomes: readonly SessionOutcome[]): number | null {
  const known = outcomes.filter(({ estimatedShare, tokenUncertainty }) => estimatedShare > 0 && tokenUncertainty);
  const weight = (outcome: SessionOutcome) => outcome.promptTokens * outcome.estimatedShare;
  const estimated = sumOf(known.map(weight));
  return estimated > 0
    ? sumOf(known.map((outcome) => weight(outcome) * (outcome.tokenUncertainty ?? 0))) / estimated
    : null;
}

function notesOf(outcomes: readonly SessionOutcome[], meta: SummaryMeta, unpricedShare: number): string[] {
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
      `${unsendable} of ${outcomes.length} sessions could not have been sent whole: a request is longer than the window allows, or the policy failed.`,
    );
  } else if (unsendable > 0) {
    notes.push(
      `${unsendable} of ${outcomes.length} sessions could not be sent under some row: each row and its saving cover only the sessions that both it and the baseline could send. Where the baseline is too long, name one that fits (--baseline POLICY).`,
    );
  }
  if (meta.rows.some(({ usesWindow }) => usesWindow)) {
    const windows = distinct(outcomes.flatMap((outcome) => outcome.windows));
    notes.push(
      `Windows that decide when a policy acts, tokens: ${windows}; ${formatCount(meta.outputReserve)} of each are kept free for the reply.`,
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

function concentrationNotes(rows: readonly ResultRow[], corpus: Result['corpus']): string[] {
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

/** Names what was replayed, whatever the files were called and in whatever order they came. */
export function digestOf(outcomes: readonly SessionOutcome[]): string {
  const facts = outcomes.map(({ id, turns, requests, promptTokens }) => [id, turns, requests, promptTokens]);
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 16);
}

/** Whether the session could be sent whole under the row, and has what its policy needs. */
export function isSendable(outcome: SessionOutcome, row: number): boolean {
  const best = outcome.rows[row]?.best;
  return best?.unsendable === 0 && best.lacks === undefined;
}

/** Whether the session can be sent under the row and anything of it has a price. */
export function isComparable(outcome: SessionOutcome, row: number): boolean {
  const ledger = outcome.rows[row]?.best.ledger ?? [];
  const isUnpriced = ledger.length > 0 && ledger.every(({ unpriced }) => unpriced !== undefined);
  return isSendable(outcome, row) && !isUnpriced;
}

/** Whether the session lacks what the row's policy needs. */
export function isApplicable(outcome: SessionOutcome, row: number): boolean {
  return outcome.rows[row]?.best.lacks === undefined;
}

/** The values that occur, sorted, as one text. */
export function distinct(values: readonly string[], separator = ', '): string {
  return [...new Set(values)].sort(compareText).join(separator);
}
