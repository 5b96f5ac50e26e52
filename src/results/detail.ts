import { z } from 'zod';
import { partKinds, type ResentCause, resentCauses } from './bill-part.ts';

const tokens = z.int().nonnegative();
const usd = z.number();
const cause = z.enum(Object.keys(resentCauses) as [ResentCause, ...ResentCause[]]);

export const usageSchema = z.strictObject({
  fresh: tokens,
  cacheRead: tokens,
  cacheWrite5m: tokens,
  cacheWrite1h: tokens,
  output: tokens,
});

export const partSchema = z.strictObject({
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

export const requestSchema = z.strictObject({
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
  /** Its prompt was longer than the window allows: it could not have been sent, and is billed as if it had been. */
  isTooLong: z.literal(true).optional(),
});

/** What a report with charts shows beside the rows; only where such a report was asked for. */
export const detailSchema = z.strictObject({
  /** What the bill of each row paid for, dearest part first; empty where rows come from a store and only their bills are known. */
  parts: z.array(z.strictObject({ label: z.string(), parts: z.array(partSchema) })),
  /** The session that cost the baseline most, request by request, under the baseline and the best setting; null where there is none. */
  trace: z
    .strictObject({
      id: z.string(),
      file: z.string(),
      rows: z.array(z.strictObject({ label: z.string(), requests: z.array(requestSchema) })),
    })
    .nullable(),
});

export type ExplainedPart = z.infer<typeof partSchema>;
export type ExplainedRequest = z.infer<typeof requestSchema>;
export type ResultDetail = z.infer<typeof detailSchema>;
