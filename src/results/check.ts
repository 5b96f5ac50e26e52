import { z } from 'zod';

const usd = z.number();

/** What a check may look at; of all but `hit-share` less is better. */
export const checkMetrics = ['usd', 'usd/turn', 'usd/session', 'rewrite-factor', 'hit-share', 'peak-prompt'] as const;
export type CheckMetric = (typeof checkMetrics)[number];

/** Over which sessions: all together, the one in the middle, the one that came out worst. */
export const checkOvers = ['total', 'median', 'worst'] as const;
export type CheckOver = (typeof checkOvers)[number];

export const checkLevels = ['warn', 'error'] as const;

/** A share: `"2%"` or 0.02. Whoever writes 2 means per cent, which is not the same as three times the bill. */
const shareSchema = z
  .union([z.number().nonnegative().lt(1), z.string().regex(/^\d+(\.\d+)?\s?%$/, 'must be a share, as "2%" or 0.02')])
  .transform((given) => (typeof given === 'number' ? given : Number.parseFloat(given) / 100));

/** One rule of a configuration. */
export const ruleSchema = z.strictObject({
  metric: z.enum(checkMetrics).describe('hit-share is a share of the prompt; usd in US dollars; peak-prompt in tokens'),
  policy: z.string().optional().describe('only the row of this --policy'),
  sessions: z.string().optional().describe('only sessions whose name this regular expression matches as a whole'),
  max: z.number().optional(),
  min: z.number().optional().describe('for hit-share, of which more is better'),
  maxIncrease: shareSchema.optional().describe('above the reference, as "2%" or 0.02'),
  maxDecrease: shareSchema.optional().describe('for hit-share: below the reference'),
  over: z.enum(checkOvers).optional().describe('default: total and worst'),
  level: z.enum(checkLevels).default('error'),
});
export type CheckRule = z.infer<typeof ruleSchema>;

/** What stands in `ctxsim.config.json`, or under `ctxsim` in `package.json`. */
export const configSchema = z.strictObject({
  $schema: z.string().optional(),
  checks: z.array(ruleSchema).optional(),
});
export type Config = z.infer<typeof configSchema>;

const outcomeSchema = z.strictObject({
  metric: z.enum(checkMetrics),
  policy: z.string(),
  over: z.enum(checkOvers),
  /** `max` and `min` are of the value, the others of its change against the reference, a fraction. */
  bound: z.enum(['max', 'min', 'maxIncrease', 'maxDecrease']),
  limit: z.number(),
  /** Null where there is no reference for it. */
  reference: z.number().nullable(),
  found: z.number().nullable(),
  /** Found ÷ reference − 1; null where either is unknown or the reference is 0. */
  change: z.number().nullable(),
  /** The session that came out worst, where that is what is looked at. */
  session: z.string().nullable(),
  level: z.enum(checkLevels),
  status: z.enum(['passed', 'failed']),
  /** The same in words. */
  text: z.string(),
});
export type CheckOutcome = z.infer<typeof outcomeSchema>;

/** A part of a bill; of what was sent again, dollars above a read. */
const causeSchema = z.strictObject({
  label: z.string(),
  referenceUsd: usd,
  usd,
  /** Dollars above what the reference paid for it, over as many turns. */
  difference: usd,
  /** Requests or calls that it befell. */
  times: z.int(),
});

const sessionSchema = z.strictObject({
  name: z.string(),
  file: z.string(),
  turns: z.int(),
  requests: z.int(),
  referenceTurns: z.int(),
  referenceUsd: usd,
  usd,
  difference: usd,
  /** The part of the bill that grew most, if any did. */
  cause: causeSchema.nullable(),
  /** Shows where its money goes. */
  command: z.string(),
});
export type CheckedSession = z.infer<typeof sessionSchema>;

const rowSchema = z.strictObject({
  /** As the command line named it. */
  policy: z.string(),
  label: z.string(),
  /** Its label in the reference; null without one. */
  referenceLabel: z.string().nullable(),
  /** Sessions that were billed by what was recorded. */
  recorded: z.int(),
  usd,
  referenceUsd: usd.nullable(),
  /** Parts of the bill over the sessions that both sides have, what grew most first. */
  causes: z.array(causeSchema),
  /** The same sessions, what grew most first. */
  sessions: z.array(sessionSchema),
});
export type CheckedRow = z.infer<typeof rowSchema>;

export const checkSchema = z.strictObject({
  schema: z.literal('ctxsim.check/1'),
  /** The answer in one sentence. */
  answer: z.string(),
  passed: z.boolean(),
  /** The file of the reference; null without one. */
  reference: z.string().nullable(),
  checks: z.array(outcomeSchema),
  rows: z.array(rowSchema),
  /** Sessions that only the reference has, and those that it does not have. */
  vanished: z.array(z.string()),
  added: z.array(z.string()),
  /** What a reader must know: prices that have changed since, what could not be sent, and the like. */
  notices: z.array(z.string()),
  digest: z.strictObject({ version: z.string(), prices: z.string(), inputs: z.string(), seed: z.int() }),
});
export type CheckResult = z.infer<typeof checkSchema>;
