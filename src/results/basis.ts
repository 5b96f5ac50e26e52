import { z } from 'zod';
import { compareText, type Usage } from '../session/index.ts';
import { type BillPart, partKinds, type ResentCause, resentCauses } from './bill-part.ts';
import { mergeLedgers } from './ledger.ts';
import {
  type CallCounts,
  callCountKeys,
  type LedgerLine,
  notApplicable,
  type RowOutcome,
  type SessionOutcome,
  spendKinds,
} from './outcome.ts';

const count = z.int().nonnegative();
const text = z.string();
const ratesSchema = z.strictObject({
  fresh: z.number(),
  cacheRead: z.number(),
  cacheWrite5m: z.number(),
  cacheWrite1h: z.number(),
  output: z.number(),
});

/** A line of a bill: the number of its rates, then tokens: fresh, read, written for 5m and 1h, output, and storage in token-milliseconds. */
const lineSchema = z.array(count).min(6).max(7);
type Line = z.infer<typeof lineSchema>;

const partSchema = z.strictObject({
  kind: z.enum(partKinds),
  cause: z.enum(Object.keys(resentCauses) as [ResentCause, ...ResentCause[]]).optional(),
  detail: text.optional(),
  times: count,
  bill: z.array(lineSchema),
});

const rowOutcomeSchema = z.strictObject({
  bill: z.array(lineSchema),
  /** The part of `bill` that extra calls were billed. */
  calls: z.array(lineSchema).optional(),
  /** By kind, in the order of `calls` of a row; absent where there were none. */
  callCounts: z.array(count).length(callCountKeys.length).optional(),
  edits: count,
  unsendable: count,
  lacks: z.array(text).optional(),
  foresight: z.strictObject({ isExact: z.boolean(), leastUsd: z.number().optional() }).optional(),
  /** Tokens of the largest prompt. */
  peakPrompt: count.optional(),
  parts: z.array(partSchema).optional(),
});

const sessionSchema = z.strictObject({
  id: text,
  parent: text.optional(),
  file: text,
  format: text,
  models: z.array(text),
  cache: z.array(text),
  assumedRules: z.array(text),
  priceNotes: z.array(text),
  windows: z.array(text),
  planner: text,
  recordedPlanner: text,
  turns: count,
  requests: count,
  promptTokens: count,
  estimatedShare: z.number(),
  tokenUncertainty: z.number().optional(),
  tokenMethod: text,
  otherTokenizer: text.optional(),
  hasTimes: z.boolean(),
  events: z.array(z.strictObject({ request: z.int(), kept: count })),
  isWarm: z.boolean(),
  rows: z.array(z.strictObject({ best: rowOutcomeSchema, recorded: rowOutcomeSchema.optional() })),
  spend: z.record(z.enum(spendKinds), z.number()),
});

/** The settings of a run, once per scenario: results are merged only where all of it is the same. */
const scenarioSchema = z.strictObject({
  name: text,
  rows: z.array(
    z.strictObject({
      policy: text,
      params: z.record(text, z.union([text, z.number()])),
      label: text,
      /** As the command line named it. */
      given: text.optional(),
      onlyIfOwn: z.boolean().optional(),
      usesWindow: z.boolean().optional(),
    }),
  ),
  baseline: count,
  version: text,
  prices: text,
  seed: z.int(),
  ttl: text,
  service: z.strictObject({ tier: text, region: text }),
  outputReserve: count,
  pricedAt: text,
  expectsLosses: z.boolean(),
});

/** The price list of one model from one date on. */
const cardSchema = z.strictObject({
  id: text,
  model: text,
  provider: text,
  tiers: z.array(z.strictObject({ abovePromptTokens: count, rates: ratesSchema })),
  chargesWrites: z.boolean(),
  source: text,
  notes: z.array(text).optional(),
});

/**
 * What a result was summed up from: integer tokens per set of rates, session by session. Results are merged and compared out of
 * it, exactly, without the transcripts.
 */
export const basisSchema = z.strictObject({
  scenarios: z.array(scenarioSchema),
  /** Files and sessions that could not be replayed. */
  leftOut: count,
  /** US dollars per million tokens; lines of bills point here. */
  rates: z.array(
    z.strictObject({
      key: text,
      rates: ratesSchema,
      unpriced: text.optional(),
      storageUsdPerMTokHour: z.number().optional(),
    }),
  ),
  /** Every price that the models of the sessions ever had, the oldest first, by model. */
  cards: z.record(text, z.array(cardSchema)),
  /** How each model counted and cached, in words. */
  rules: z.array(z.strictObject({ model: text, tokenizer: text, cache: text })),
  /** Each session under each scenario. */
  sessions: z.array(z.array(sessionSchema)),
});

export type Basis = z.infer<typeof basisSchema>;
type StoredSession = z.infer<typeof sessionSchema>;
type StoredRow = z.infer<typeof rowOutcomeSchema>;
type StoredRates = Basis['rates'];
type StoredOutcomes = Pick<Basis, 'rates' | 'rules' | 'sessions'>;

/** A basis with its keys in the order of the schema, so that the same basis is the same bytes wherever it came from. */
export function orderedBasis(basis: Basis): Basis {
  return basisSchema.parse(basis);
}

/** Sessions (each under every scenario) in the form that results are stored in, in an order of their own. */
export function storeOutcomes(outcomes: readonly (readonly SessionOutcome[])[]): StoredOutcomes {
  const byKey = new Map<string, LedgerLine>();
  for (const line of outcomes.flat().flatMap(linesOf)) byKey.set(line.key, line);
  const rates = [...byKey.values()]
    .sort((a, b) => compareText(a.key, b.key))
    .map(({ key, rates: each, unpriced, storage }) => ({
      key,
      rates: { ...each },
      ...(unpriced === undefined ? {} : { unpriced }),
      ...(storage ? { storageUsdPerMTokHour: storage.usdPerMTokHour } : {}),
    }));
  const numbers = new Map(rates.map(({ key }, index) => [key, index]));
  const sessions = [...outcomes]
    .sort(([a], [b]) => compareText(a?.id ?? '', b?.id ?? '') || compareText(a?.file ?? '', b?.file ?? ''))
    .map((scenarios) => scenarios.map((outcome) => storedSession(outcome, numbers)));
  return { rates, rules: distinctRules(outcomes.flat()), sessions };
}

function distinctRules(outcomes: readonly SessionOutcome[]): Basis['rules'] {
  const byText = new Map(outcomes.flatMap(({ rules }) => rules.map((rule) => [JSON.stringify(rule), rule])));
  return [...byText].sort(([a], [b]) => compareText(a, b)).map(([, rule]) => ({ ...rule }));
}

function linesOf({ rows }: SessionOutcome): readonly LedgerLine[] {
  return rows
    .flatMap(({ best, recorded }) => (recorded ? [best, recorded] : [best]))
    .flatMap(({ ledger, calls, parts = [] }) => [...ledger, ...calls, ...parts.flatMap((part) => part.ledger)]);
}

function storedSession({ rules: _, ...outcome }: SessionOutcome, numbers: ReadonlyMap<string, number>): StoredSession {
  const rows = outcome.rows.map(({ best, recorded }) => ({
    best: storedRow(best, numbers),
    ...(recorded ? { recorded: storedRow(recorded, numbers) } : {}),
  }));
  // Through JSON what is undefined is gone, as it will be when the result is read again.
  return JSON.parse(JSON.stringify({ ...outcome, rows })) as StoredSession;
}

function storedRow(row: RowOutcome, numbers: ReadonlyMap<string, number>): StoredRow {
  const { ledger, calls, callCounts, edits, unsendable, lacks, foresight, peakPrompt, parts } = row;
  const bill = (lines: readonly LedgerLine[]) => mergeLedgers([lines]).map((line) => storedLine(line, numbers));
  return {
    bill: bill(ledger),
    ...(calls.length > 0 ? { calls: bill(calls) } : {}),
    ...(callCounts.total > 0 ? { callCounts: callCountKeys.map((key) => callCounts[key]) } : {}),
    edits,
    unsendable,
    ...(lacks ? { lacks: [...lacks] } : {}),
    ...(foresight ? { foresight: { isExact: foresight.isExact, leastUsd: foresight.leastUsd } } : {}),
    ...(peakPrompt === undefined ? {} : { peakPrompt }),
    ...(parts ? { parts: parts.map(({ ledger: of, ...name }) => ({ ...name, bill: bill(of) })) } : {}),
  };
}

function storedLine({ key, usage, storage }: LedgerLine, numbers: ReadonlyMap<string, number>): Line {
  const { fresh, cacheRead, cacheWrite5m, cacheWrite1h, output } = usage;
  const line = [numbers.get(key) ?? -1, fresh, cacheRead, cacheWrite5m, cacheWrite1h, output];
  return storage ? [...line, storage.tokenMilliseconds] : line;
}

/** The sessions of a stored result, each under every scenario. */
export function storedOutcomes({ sessions, rates, rules }: StoredOutcomes): SessionOutcome[][] {
  return sessions.map((scenarios) =>
    scenarios.map((stored) => ({
      ...stored,
      rules: rules.filter(({ model }) => stored.models.includes(model)),
      tokenUncertainty: stored.tokenUncertainty,
      rows: stored.rows.map(({ best, recorded }) => ({
        best: rowOf(best, rates),
        recorded: recorded && rowOf(recorded, rates),
      })),
    })),
  );
}

function rowOf(stored: StoredRow, rates: StoredRates): RowOutcome {
  const { bill, calls = [], callCounts, edits, unsendable, lacks, foresight, peakPrompt, parts } = stored;
  const lines = (of: readonly Line[]) => of.map((line) => lineOf(line, rates));
  return {
    ledger: lines(bill),
    calls: lines(calls),
    callCounts: callCounts ? countsOf(callCounts) : notApplicable([]).callCounts,
    edits,
    unsendable,
    ...(lacks ? { lacks } : {}),
    ...(foresight ? { foresight: { isExact: foresight.isExact, leastUsd: foresight.leastUsd } } : {}),
    ...(peakPrompt === undefined ? {} : { peakPrompt }),
    ...(parts
      ? { parts: parts.map(({ bill: of, ...name }): BillPart => ({ ...nameOf(name), ledger: lines(of) })) }
      : {}),
  };
}

function nameOf({ kind, cause, detail, times }: Omit<z.infer<typeof partSchema>, 'bill'>) {
  return { kind, times, ...(cause === undefined ? {} : { cause }), ...(detail === undefined ? {} : { detail }) };
}

function countsOf(counts: readonly number[]): CallCounts {
  return Object.fromEntries(callCountKeys.map((key, index) => [key, counts[index] ?? 0])) as CallCounts;
}

function lineOf([number = -1, ...tokens]: Line, rates: StoredRates): LedgerLine {
  const priced = rates[number];
  if (!priced) throw new Error(`no rates ${number}`);
  const [fresh = 0, cacheRead = 0, cacheWrite5m = 0, cacheWrite1h = 0, output = 0, tokenMilliseconds = 0] = tokens;
  const usage: Usage = { fresh, cacheRead, cacheWrite5m, cacheWrite1h, output };
  const { key, unpriced, storageUsdPerMTokHour } = priced;
  return {
    key,
    rates: priced.rates,
    usage,
    ...(unpriced === undefined ? {} : { unpriced }),
    ...(storageUsdPerMTokHour === undefined
      ? {}
      : { storage: { tokenMilliseconds, usdPerMTokHour: storageUsdPerMTokHour } }),
  };
}
