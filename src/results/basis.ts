import { z } from 'zod';
import { partKinds, type ResentCause, resentCauses } from './bill-part.ts';
import { callCountKeys, spendKinds } from './outcome.ts';

const count = z.int().nonnegative();
const text = z.string();
/** US dollars per million tokens. */
const rate = z.number().nonnegative();
const ratesSchema = z.strictObject({
  fresh: rate,
  cacheRead: rate,
  cacheWrite5m: rate,
  cacheWrite1h: rate,
  output: rate,
});

/** A line of a bill: the number of its rates, then tokens: fresh, read, written for 5m and 1h, output, and storage in token-milliseconds. */
const lineSchema = z.array(count).min(6).max(7);
export type Line = z.infer<typeof lineSchema>;

/** What needing results again would cost. */
const refetchSchema = z.strictObject({ elided: count, atRisk: count, bill: z.array(lineSchema) });

/** What break-evens rest on. */
const evenSchema = z.strictObject({
  last: z.strictObject({ tokens: count, readUsdPerMTok: z.number() }).optional(),
  atLifetimes: z.array(z.array(lineSchema)),
});

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
  /** Its bill is what was recorded. */
  isRecorded: z.literal(true).optional(),
  /** Tokens of the largest prompt. */
  peakPrompt: count.optional(),
  parts: z.array(partSchema).optional(),
  refetch: refetchSchema.optional(),
  even: evenSchema.optional(),
});

const sessionSchema = z.strictObject({
  id: text,
  parent: text.optional(),
  file: text,
  format: text,
  recording: text,
  hasWords: z.boolean(),
  models: z.array(text),
  cache: z.array(text),
  assumedRules: z.array(text),
  priceNotes: z.array(text),
  served: z.record(text, count),
  windows: z.array(text),
  planner: text,
  recordedPlanner: text,
  turns: count,
  requests: count,
  promptTokens: count,
  estimatedShare: z.number(),
  estimatedOutput: count,
  recordedBill: z.array(lineSchema).optional(),
  estimatedBill: z.array(lineSchema).optional(),
  tokenUncertainty: z.number().optional(),
  tokenMethod: text,
  otherTokenizer: text.optional(),
  hasTimes: z.boolean(),
  events: z.array(z.strictObject({ request: z.int(), kept: count, isHit: z.literal(true).optional() })),
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
      partOf: text.optional(),
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
  refetchRate: z.number().optional(),
  lifetimeMultiples: z.array(z.number()).readonly().optional(),
});

const tiersSchema = z.array(z.strictObject({ abovePromptTokens: count, rates: ratesSchema }));

/** The price list of one model from one date on. */
const cardSchema = z.strictObject({
  id: text,
  model: text,
  provider: text,
  tiers: tiersSchema,
  hours: z
    .array(
      z.strictObject({
        from: count,
        to: count,
        weekdaysSince: text.optional(),
        except: z.array(text).optional(),
        tiers: tiersSchema,
      }),
    )
    .optional(),
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
      expected: z.literal(true).optional(),
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
export type StoredSession = z.infer<typeof sessionSchema>;
export type StoredRow = z.infer<typeof rowOutcomeSchema>;

/** A basis with its keys in the order of the schema, so that the same basis is the same bytes wherever it came from. */
export function orderedBasis(basis: Basis): Basis {
  return basisSchema.parse(basis);
}
