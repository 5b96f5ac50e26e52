import { z } from 'zod';
import { partSchema, requestSchema } from './detail.ts';
import { resultSchema } from './result.ts';

const tokens = z.int().nonnegative();
const usd = z.number();

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
