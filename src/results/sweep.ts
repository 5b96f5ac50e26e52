import { z } from 'zod';

const share = z.number();
const setting = z.union([z.string(), z.number(), z.boolean()]);

/** What a setting is worth on sessions that it was not picked on. */
export const crossValidationSchema = z.strictObject({
  /** Independent sessions (sub-agents with their parents) that were split. */
  families: z.int(),
  splits: z.int(),
  /** Saving of the picked setting on the half that picked it, pooled over all splits. */
  apparent: share,
  /** Its saving on the other half, pooled likewise. */
  honest: share,
  /** How often which row was picked, most often first; null: none, because none cleared the bar on that half. */
  picks: z.array(z.strictObject({ label: z.string().nullable(), times: z.int() })),
});

/** A setting of one policy that takes several values; settings that only ever change together are one. */
const axisSchema = z.strictObject({
  policy: z.string(),
  name: z.string(),
  /** Settings of the row's `params` that it stands for. */
  keys: z.array(z.string()),
  /** In order: numbers by size, others as they were listed. */
  values: z.array(setting),
});

/** A grid of settings under one setting of the provider. */
const sweptSchema = z.strictObject({
  /** As in the labels of the rows, `ttl=1h`; empty where there is only one. */
  scenario: z.string(),
  /** Label of the row that saves most of those that cover most sessions; null where none was replayed. */
  best: z.string().nullable(),
  /** Rows that differ from the best by one step of one setting. */
  neighbours: z.array(z.strictObject({ label: z.string(), axis: z.string(), saving: share })),
  /** Every row within one hundredth of the baseline's bill of the best, the best among them, in the order of the rows. */
  flat: z.array(z.string()),
  /** Null with too few independent sessions, or one setting. */
  crossValidation: crossValidationSchema.nullable(),
});

/** What a sweep adds to a result: its axes, and per setting of the provider the best point and what is near it. */
export const sweepSchema = z.strictObject({
  axes: z.array(axisSchema),
  scenarios: z.array(sweptSchema),
});

/** What `recommend` adds to a result whose answer says what to set or why not, how sure that is, and what is not known. */
export const recommendationSchema = z.strictObject({
  /** Label of the row to set; null: leave it as it is. */
  set: z.string().nullable(),
  /** Where to set it; null with `set`. */
  where: z.string().nullable(),
  /** The command that repeats the row. */
  command: z.string(),
  /** The choice among all rows, tested on sessions that it was not made on; null with too few independent sessions. */
  crossValidation: crossValidationSchema.nullable(),
  /** Rows worth a look: the one to set, what is as good, the best of every place where one can set something. */
  shown: z.array(z.strictObject({ label: z.string(), where: z.string() })),
});

export type CrossValidation = z.infer<typeof crossValidationSchema>;
export type Sweep = z.infer<typeof sweepSchema>;
export type SweepAxis = z.infer<typeof axisSchema>;
export type SweptScenario = z.infer<typeof sweptSchema>;
export type Recommendation = z.infer<typeof recommendationSchema>;
