import { z } from 'zod';
import { basisSchema } from './basis.ts';
import { breakEvenSchema } from './break-even.ts';
import { byPriceSchema } from './by-price.ts';
import { detailSchema, usageSchema } from './detail.ts';
import { callCountKeys } from './outcome.ts';
import { recommendationSchema, sweepSchema } from './sweep.ts';

/** The verdict words of a row (defined in the README). */
export const verdicts = [
  'baseline',
  'saves',
  'breaks even',
  'costs more',
  'unclear',
  'never fired',
  'unsendable',
  'no baseline',
  'not applicable',
  'unpriced',
] as const;

const tokens = z.int().nonnegative();
const usd = z.number();
const share = z.number();

export const costSchema = z.strictObject({
  /** The sum of the five classes below, US dollars. */
  total: usd,
  fresh: usd,
  cacheRead: usd,
  cacheWrite: usd,
  output: usd,
  /** Cached contents kept by the hour; 0 where the cache bills none. */
  storage: usd,
  /** The part of `total` that was spent on extra calls. */
  summarizer: usd,
});

/** Extra calls: all, by how they reached the model, and those of which nothing came. */
const callsSchema = z.strictObject(
  Object.fromEntries(callCountKeys.map((key) => [key, z.int().nonnegative()])) as Record<
    (typeof callCountKeys)[number],
    z.ZodInt
  >,
);

/** Results that the policy took out of the context, and what the recording says of needing them again. */
const refetchSchema = z.strictObject({
  /** Results taken out. */
  elided: z.int(),
  /** Those of them that were read again, edited or quoted later. */
  atRisk: z.int(),
  /** US dollars if each of those were read again, once; in `cost` only at `--refetch-rate`. */
  usd,
  /** How many times each of them could be read again until the saving is gone; null where nothing is saved or at risk. */
  breakEvenTimes: z.number().nullable(),
});

export const rowSchema = z.strictObject({
  policy: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  /** Names the row uniquely: policy and the settings that differ from its defaults. */
  label: z.string(),
  /** The preset of which it shows a part; absent for a setting of its own. */
  partOf: z.string().optional(),
  /** Distinct models, comma-separated when the row mixes them. */
  model: z.string(),
  cache: z.string(),
  /** Planner of `cost`, `usage`, `saving`; `-` where the cache has no markers. */
  breakpoints: z.string(),
  /** Lifetime that cache writes asked for: `recorded`, or what was named. */
  ttl: z.string(),
  isBaseline: z.boolean(),
  /** Service tier and region that it was priced at: `standard`, `global`, or what was named. */
  serviceTier: z.string(),
  region: z.string(),
  /** Tokens that have a price. */
  usage: usageSchema,
  /** Prompt and output tokens that nobody has a price for; they are in no cost and no saving. */
  unpricedTokens: tokens,
  /** `total` is null where the row covers no session, which is not the same as nothing. */
  cost: costSchema.extend({ total: usd.nullable() }),
  calls: callsSchema,
  /** Null for the baseline, and where nothing was replayed. */
  refetch: refetchSchema.nullable(),
  /** 1 − cost ÷ baseline's, over the sessions that both could send; null for the baseline or where nothing compares. */
  saving: share.nullable(),
  /** The same with the recorded harness's markers, baseline and row alike; null where the cache has no markers. */
  savingRecordedMarkers: share.nullable(),
  /**
   * How far its bill is above that of the `optimum` row, as a share of the baseline's, over the sessions that all three could
   * send; below zero where it beats a schedule of elisions; null for that row itself and where there is none.
   */
  regret: share.nullable(),
  /** 95 % interval of `saving`; null with fewer than five independent sessions. */
  ci95: z.tuple([share, share]).nullable(),
  /** The same of `savingRecordedMarkers`. */
  ci95RecordedMarkers: z.tuple([share, share]).nullable(),
  /** Independent sessions on which the saving rests in effect; fewer than there are where a few make most of the difference. */
  effectiveSessions: z.number().nullable(),
  /** Two-sided sign test over independent sessions, cheaper against dearer; null for the baseline. */
  signTest: z.number().nullable(),
  /** True when there are too few sessions for an interval. */
  few: z.boolean(),
  verdict: z.enum(verdicts),
  /** Sessions by their own saving; `equal` within a billionth of a dollar. */
  sessions: z.strictObject({
    cheaper: z.int(),
    equal: z.int(),
    dearer: z.int(),
    neverFired: z.int(),
    /** Sessions that could not be sent under the row itself. */
    unsendable: z.int(),
    /** Sessions that the row could send and the baseline could not; absent for none. */
    baselineUnsendable: z.int().optional(),
    /** Sessions that lack what the policy needs, such as times. */
    notApplicable: z.int(),
    /** Sessions in which nothing has a price. */
    unpriced: z.int(),
  }),
});

/** Dollars of the baseline by what they paid for, as shares of 1. */
export const sharesSchema = z.strictObject({
  system: share,
  prompts: share,
  replies: share,
  currentTurnResults: share,
  earlierTurnResults: share,
  output: share,
});

export const sessionResultSchema = z.strictObject({
  id: z.string(),
  parent: z.string().optional(),
  file: z.string(),
  format: z.string(),
  model: z.string(),
  turns: z.int(),
  requests: z.int(),
  /** Dollars by row label, best markers; null where the row could not be sent does not apply or nothing has a price. */
  cost: z.record(z.string(), usd.nullable()),
  /** Recorded losses and hits of the cache that no rule explains, applied to every row: the request (from 1) and the tokens read. */
  events: z.array(z.strictObject({ request: z.int(), kept: tokens, isHit: z.literal(true).optional() })),
});

export const resultSchema = z.strictObject({
  schema: z.literal('ctxsim.result/1'),
  /** The answer in one sentence. */
  answer: z.string(),
  rows: z.array(rowSchema),
  corpus: z.strictObject({
    sessions: z.int(),
    turns: z.int(),
    requests: z.int(),
    /** Prompt tokens of the baseline, summed over requests. */
    tokens,
    shares: sharesSchema,
    /** What the recorded usage costs at these prices, US dollars: the real bill. Null where any of it is not known or has no price. */
    recordedUsd: z.number().nullable(),
    /** What the output costs that the recording is known not to count, estimated; no part of `recordedUsd`, null where that is. */
    estimatedOutputUsd: z.number().nullable(),
    /** Share of the baseline's spend in the dearest session, and in the dearest five. */
    largestSession: share,
    largestFive: share,
    /** Sessions of equal size that would be as concentrated as the baseline's spend. */
    effectiveSessions: z.number(),
    /**
     * What no cutting of old results to stubs can save more than, whatever the moments, as a share of the baseline's bill over
     * the sessions of the `optimum` row; null without that row, and where stubs are larger than results.
     */
    bound: share.nullable(),
  }),
  assumptions: z.strictObject({
    baseline: z.string(),
    models: z.array(z.string()),
    cache: z.array(z.string()),
    /** `anchor` where the cache has markers, plus the recorded harness's planner per agent. */
    breakpoints: z.array(z.string()),
    ttl: z.string(),
    serviceTier: z.string(),
    region: z.string(),
    /** Requests by what made their rates or their cache other than the maker's list: host, service tier, region, hours (UTC). */
    served: z.record(z.string(), z.int()),
    pricedAt: z.string(),
    /** Share of a row's tokens that nobody has a price for, at most. */
    unpricedShare: share,
    tokens: z.string(),
    /** Share of prompt tokens that were estimated, not recorded. */
    estimatedShare: share,
    /** What an estimate is off by on comparable recorded sessions, as a share of it; null where nothing was estimated. */
    tokenUncertainty: share.nullable(),
    notes: z.array(z.string()),
  }),
  digest: z.strictObject({
    version: z.string(),
    prices: z.string(),
    inputs: z.string(),
    seed: z.int(),
  }),
  /** Where rows and the baseline change places; only where it was asked for. */
  breakEven: z.array(breakEvenSchema).optional(),
  /** How bills depend on the prices of the cache, once per setting of the provider; absent in results of before it was kept. */
  byPrice: z.array(byPriceSchema).optional(),
  /** What charts need beside the rows; only where a report with charts was asked for. */
  detail: detailSchema.optional(),
  sessions: z.array(sessionResultSchema),
  findings: z.array(
    z.strictObject({
      kind: z.string(),
      detail: z.string(),
      count: z.int(),
      first: z.string(),
      /** Of usage that was passed over; absent where none was. */
      tokens: z.strictObject({ input: z.int(), output: z.int() }).optional(),
    }),
  ),
  /** Only of a sweep. */
  sweep: sweepSchema.optional(),
  /** Only of `recommend`. */
  recommendation: recommendationSchema.optional(),
  /** What it was summed up from; absent where a result was made without, which then cannot be merged or compared. */
  basis: basisSchema.optional(),
});

export type Result = z.infer<typeof resultSchema>;
export type ResultRow = z.infer<typeof rowSchema>;
export type Cost = z.infer<typeof costSchema>;
export type Shares = z.infer<typeof sharesSchema>;
export type SessionResult = z.infer<typeof sessionResultSchema>;
export type Verdict = (typeof verdicts)[number];
