import { createHash } from 'node:crypto';
import {
  costOf,
  type LedgerLine,
  mergeLedgers,
  type RowOutcome,
  type SessionOutcome,
  spendKinds,
  usageOf,
} from '../results/index.ts';
import type { Result, ResultRow, SessionResult, Shares } from '../results/result.ts';
import { compareText, type Finding } from '../session/index.ts';
import { answerOf } from './answer.ts';
import { bootstrapSavings } from './bootstrap.ts';
import { familiesOf, pairedCosts } from './families.ts';
import { verdictOf } from './verdict.ts';

/** A row as the user asked for it. */
export interface RowMeta {
  readonly policy: string;
  readonly params: Readonly<Record<string, string | number>>;
  readonly label: string;
  /** Leave the row out where it changed nothing in any session. */
  readonly onlyIfFired?: boolean;
}

/** What a result says besides numbers. */
export interface RunMeta {
  readonly rows: readonly RowMeta[];
  readonly baseline: number;
  readonly version: string;
  readonly prices: string;
  readonly seed: number;
  readonly ttl: string;
  readonly pricedAt: string;
}

interface SummaryMeta extends RunMeta {
  readonly findings: readonly Finding[];
  readonly leftOut: number;
}

/** Two bills this close, in US dollars, are the same bill: rounding of a sum, not a saving. */
const sameDollars = 1e-9;

type Which = 'best' | 'recorded';

/** Turns the outcomes of all sessions into the result. The order of the outcomes does not matter. */
export function summarize(unsorted: readonly SessionOutcome[], everyRow: SummaryMeta): Result {
  const { outcomes: unordered, meta } = withoutIdleRows(unsorted, everyRow);
  const outcomes = [...unordered].sort((a, b) => compareText(a.id, b.id) || compareText(a.file, b.file));
  const labels = meta.rows.map((row) => row.label);
  const sessions = outcomes.map((outcome) => sessionResult(outcome, labels));
  const families = familiesOf(sessions);
  const baselineLabel = labels[meta.baseline] as string;
  const intervals = bootstrapSavings(
    labels.map((label) => pairedCosts(families, baselineLabel, label)),
    { seed: meta.seed },
  );
  const rows = meta.rows.map((row, index) => resultRow(outcomes, meta, row, index, intervals[index] ?? null));
  return {
    schema: 'ctxsim.result/1',
    answer: answerOf(rows, { sessions: outcomes.length }),
    rows,
    corpus: corpusOf(outcomes, sessions, baselineLabel),
    assumptions: assumptionsOf(outcomes, meta),
    digest: { version: meta.version, prices: meta.prices, inputs: digestOf(outcomes), seed: meta.seed },
    sessions,
    findings: [...meta.findings],
  };
}

/** Drops the rows that are only wanted where they changed something, from the outcomes too. */
function withoutIdleRows(outcomes: readonly SessionOutcome[], meta: SummaryMeta) {
  const stays = meta.rows.map(
    (row, index) =>
      index === meta.baseline ||
      row.onlyIfFired !== true ||
      outcomes.some(({ rows }) => (rows[index]?.best.edits ?? 0) > 0),
  );
  const keep = <T>(values: readonly T[]) => values.filter((_, index) => stays[index]);
  return {
    outcomes: outcomes.map((outcome) => ({ ...outcome, rows: keep(outcome.rows) })),
    meta: { ...meta, rows: keep(meta.rows), baseline: keep(meta.rows.map((_, index) => index)).indexOf(meta.baseline) },
  };
}

function resultRow(
  outcomes: readonly SessionOutcome[],
  meta: SummaryMeta,
  { policy, params, label }: RowMeta,
  index: number,
  ci95: [number, number] | null,
): ResultRow {
  const isBaseline = index === meta.baseline;
  const compared = outcomes.filter((outcome) => isSendable(outcome, index) && isSendable(outcome, meta.baseline));
  const ledger = mergeLedgers(ledgersOf(compared, index, 'best'));
  const neverFired = compared.filter((outcome) => outcome.rows[index]?.best.edits === 0).length;
  const saving = isBaseline ? null : savingOf(compared, index, meta.baseline, 'best');
  const interval = isBaseline ? null : ci95;
  return {
    policy,
    params: { ...params },
    label,
    model: distinct(compared.flatMap(({ models }) => models)),
    cache: distinct(compared.flatMap(({ cache }) => cache)),
    breakpoints: distinct(compared.map(({ planner }) => planner)),
    isBaseline,
    usage: usageOf(ledger),
    cost: costOf(ledger),
    saving,
    savingRecordedMarkers: isBaseline ? null : savingOf(compared, index, meta.baseline, 'recorded'),
    ci95: interval,
    few: !isBaseline && interval === null,
    // Against itself the baseline saves nothing, whatever it does.
    verdict:
      isBaseline && compared.length > 0
        ? 'breaks even'
        : verdictOf({ saving, ci95: interval, compared: compared.length, neverFired }),
    sessions: {
      ...winsOf(compared, index, meta.baseline),
      neverFired: isBaseline ? 0 : neverFired,
      unsendable: outcomes.length - compared.length,
    },
  };
}

function savingOf(outcomes: readonly SessionOutcome[], row: number, baseline: number, which: Which): number | null {
  // Sessions whose cache has no markers bill alike under every planner; without any that has, there is no second saving.
  if (which === 'recorded' && outcomes.every((outcome) => outcome.rows[row]?.recorded === undefined)) return null;
  const spent = costOf(mergeLedgers(ledgersOf(outcomes, baseline, which))).total;
  return spent > 0 ? 1 - costOf(mergeLedgers(ledgersOf(outcomes, row, which))).total / spent : null;
}

function ledgersOf(outcomes: readonly SessionOutcome[], row: number, which: Which): (readonly LedgerLine[])[] {
  return outcomes.map((outcome) => {
    const { best, recorded } = outcome.rows[row] as { best: RowOutcome; recorded: RowOutcome | undefined };
    return (which === 'recorded' ? (recorded ?? best) : best).ledger;
  });
}

function winsOf(outcomes: readonly SessionOutcome[], row: number, baseline: number) {
  const wins = { cheaper: 0, equal: 0, dearer: 0 };
  if (row === baseline) return { ...wins, equal: outcomes.length };
  for (const outcome of outcomes) {
    const difference = costOfRow(outcome, row) - costOfRow(outcome, baseline);
    wins[Math.abs(difference) < sameDollars ? 'equal' : difference < 0 ? 'cheaper' : 'dearer'] += 1;
  }
  return wins;
}

function costOfRow(outcome: SessionOutcome, row: number): number {
  return costOf(mergeLedgers([(outcome.rows[row] as { best: RowOutcome }).best.ledger])).total;
}

function isSendable(outcome: SessionOutcome, row: number): boolean {
  return outcome.rows[row]?.best.unsendable === 0;
}

function sessionResult(outcome: SessionOutcome, labels: readonly string[]): SessionResult {
  const cost = Object.fromEntries(
    labels.map((label, index) => [label, isSendable(outcome, index) ? costOfRow(outcome, index) : null]),
  );
  return {
    id: outcome.id,
    ...(outcome.parent === undefined ? {} : { parent: outcome.parent }),
    file: outcome.file,
    format: outcome.format,
    model: distinct(outcome.models),
    turns: outcome.turns,
    requests: outcome.requests,
    cost,
  };
}

function corpusOf(
  outcomes: readonly SessionOutcome[],
  sessions: readonly SessionResult[],
  baseline: string,
): Result['corpus'] {
  const spends = sessions.map(({ cost }) => cost[baseline] ?? 0).sort((a, b) => b - a);
  const total = sum(spends);
  const share = (dollars: number) => (total > 0 ? dollars / total : 0);
  return {
    sessions: outcomes.length,
    // A sub-agent has no human turns, and a fork repeats those of its parent.
    turns: sum(outcomes.map(({ parent, turns }) => (parent === undefined ? turns : 0))),
    requests: sum(outcomes.map(({ requests }) => requests)),
    tokens: sum(outcomes.map(({ promptTokens }) => promptTokens)),
    shares: sharesOf(outcomes),
    largestSession: share(spends[0] ?? 0),
    largestFive: share(sum(spends.slice(0, 5))),
  };
}

function sharesOf(outcomes: readonly SessionOutcome[]): Shares {
  const dollars = spendKinds.map((kind) => [kind, sum(outcomes.map(({ spend }) => spend[kind]))] as const);
  const total = sum(dollars.map(([, usd]) => usd));
  return Object.fromEntries(dollars.map(([kind, usd]) => [kind, total > 0 ? usd / total : 0])) as Shares;
}

function assumptionsOf(outcomes: readonly SessionOutcome[], meta: SummaryMeta): Result['assumptions'] {
  const tokens = sum(outcomes.map(({ promptTokens }) => promptTokens));
  const estimated = sum(outcomes.map(({ promptTokens, estimatedShare }) => promptTokens * estimatedShare));
  return {
    baseline: meta.rows[meta.baseline]?.label ?? '',
    models: [...new Set(outcomes.flatMap(({ models }) => models))].sort(compareText),
    cache: [...new Set(outcomes.flatMap(({ cache }) => cache))].sort(compareText),
    breakpoints: [...new Set(outcomes.flatMap(({ planner, recordedPlanner }) => [planner, recordedPlanner]))]
      .filter((planner) => planner !== '-')
      .sort(compareText),
    ttl: meta.ttl,
    pricedAt: meta.pricedAt,
    tokens: distinct(
      outcomes.map(({ tokenMethod }) => tokenMethod),
      '; ',
    ),
    estimatedShare: tokens > 0 ? estimated / tokens : 0,
    notes: notesOf(outcomes, meta),
  };
}

function notesOf(outcomes: readonly SessionOutcome[], meta: SummaryMeta): string[] {
  const notes = [
    'Recorded replies are replayed: a model that lost a result might read it again, or answer worse; neither is billed here.',
  ];
  const timeless = outcomes.filter(({ hasTimes }) => !hasTimes).length;
  if (timeless > 0)
    notes.push(`${timeless} of ${outcomes.length} sessions have no times: their cache is taken as never expiring.`);
  if (outcomes.some(({ cache }) => cache.includes('ideal'))) {
    notes.push(
      'Cache "ideal" is an assumption: it reads the longest common prefix of whole blocks, an upper bound of what a provider does.',
    );
  }
  const unsendable = outcomes.filter((outcome) => meta.rows.some((_, row) => !isSendable(outcome, row))).length;
  if (unsendable > 0) {
    notes.push(
      `${unsendable} of ${outcomes.length} sessions could not be sent under some row: each row and its saving cover only the sessions that both it and the baseline could send.`,
    );
  }
  if (meta.leftOut > 0) notes.push(`Left out: ${meta.leftOut} files or sessions, named on standard error.`);
  return notes;
}

/** Names what was replayed, whatever the files were called and in whatever order they came. */
function digestOf(outcomes: readonly SessionOutcome[]): string {
  const facts = outcomes.map(({ id, turns, requests, promptTokens }) => [id, turns, requests, promptTokens]);
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 16);
}

function distinct(values: readonly string[], separator = ', '): string {
  return [...new Set(values)].sort(compareText).join(separator);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
