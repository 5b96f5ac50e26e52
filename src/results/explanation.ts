import { z } from 'zod';
import { partKinds, type ResentCause, resentCauses } from './bill-part.ts';
import { resultSchema, usageSchema } from './result.ts';

const tokens = z.int().nonnegative();
const usd = z.number();
const cause = z.enum(Object.keys(resentCauses) as [ResentCause, ...ResentCause[]]);

const partSchema = z.strictObject({
  kind: z.enum(partKinds),
  cause: cause.optional(),
  /** Reason of an edit or a reset, purpose of a call. */
  detail: z.string().optional(),
  /** The same in words. */
  label: z.string(),
  /** Requests or calls that it befell. */
  times: z.int(),
  tokens,
  usd,
  /** What it cost above reading the same tokens from the cache; 0 for what was read, sent for the first time, or is output. */
  extraUsd: usd,
});

const requestSchema = z.strictObject({
  request: z.int(),
  turn: z.int(),
  /** Milliseconds since the epoch; null where unknown. */
  time: z.int().nullable(),
  model: z.string(),
  usage: usageSchema,
  usd,
  /** Tokens that no earlier request had carried. */
  newTokens: tokens,
  resent: z.array(z.strictObject({ cause, detail: z.string().optional(), label: z.string(), tokens, extraUsd: usd })),
  /** The policy's edits since the request before: where they begin, how many, why. */
  edit: z.strictObject({ turn: z.int(), block: z.int(), count: z.int(), reason: z.string() }).nullable(),
});

const explainedSessionSchema = z.strictObject({
  id: z.string(),
  file: z.string(),
  turns: z.int(),
  requests: z.int(),
  usd,
  resentTokens: tokens,
  extraUsd: usd,
  /** What cost it most above a read; null where nothing was sent again. */
  main: z.string().nullable(),
});

export const explanationSchema = z.strictObject({
  schema: z.literal('ctxsim.explanation/1'),
  /** The answer, sentence by sentence. */
  answer: z.array(z.string()),
  policy: z.string(),
  corpus: resultSchema.shape.corpus,
  /** The bill, US dollars. */
  usd,
  /** Its parts, dearest first; they add up to it. */
  parts: z.array(partSchema),
  newTokens: tokens,
  resentTokens: tokens,
  /** Tokens written or sent in full for each token that was new; 1: nothing was sent again. Null where nothing was new. */
  rewriteFactor: z.number().nullable(),
  /** Sessions, dearest first. */
  sessions: z.array(explainedSessionSchema),
  /** Every request, where there is one session. */
  requests: z.array(requestSchema),
  assumptions: resultSchema.shape.assumptions,
  digest: resultSchema.shape.digest,
  findings: resultSchema.shape.findings,
});

export type Explanation = z.infer<typeof explanationSchema>;
export type ExplainedPart = z.infer<typeof partSchema>;
export type ExplainedRequest = z.infer<typeof requestSchema>;
