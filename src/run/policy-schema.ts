import { z } from 'zod';
import { failedCalls } from '../policies/plan.ts';
import { policyEvents } from '../policies/policy.ts';
import { blockKinds, largestCount } from '../session/index.ts';

const doc = z.string().min(1);

/** Names that can be written before `=` on the command line. */
const settingName = z.string().regex(/^[A-Za-z_][\w-]*$/, 'a setting has a plain name');

const numberSchema = z
  .strictObject({
    type: z.enum(['integer', 'number']),
    default: z.number(),
    min: z.number().optional(),
    max: z.number().optional(),
    doc,
  })
  .refine((spec) => spec.type === 'number' || Number.isSafeInteger(spec.default), 'the default is no whole number')
  .refine((spec) => spec.default >= (spec.min ?? -Infinity) && spec.default <= (spec.max ?? Infinity), {
    message: 'the default is out of range',
  });

const choiceSchema = z
  .strictObject({ type: z.literal('choice'), default: z.string(), choices: z.array(z.string().min(1)).min(1), doc })
  .refine((spec) => spec.choices.includes(spec.default), 'the default is none of the choices');

const modelSchema = z.strictObject({ type: z.literal('model'), default: z.literal('main'), doc });

const code = z.custom<(...given: never[]) => unknown>((value) => typeof value === 'function', 'must be a function');

export const needsSchema = z.array(z.enum(['times', 'tools']));

/** The default export of a policy file. */
export const definitionSchema = z.strictObject({
  summary: z.string().min(1),
  source: z.string().optional(),
  params: z.record(settingName, z.discriminatedUnion('type', [numberSchema, choiceSchema, modelSchema])).optional(),
  needs: needsSchema.optional(),
  needsFor: code.optional(),
  normalize: code.optional(),
  usesWindow: z.literal(true).optional(),
  editsInsideTurns: z.literal(true).optional(),
  create: code,
});

/** What its `create` returns; a class instance will do. */
export const policySchema = z.looseObject({
  events: z.array(z.enum(policyEvents)),
  outputReserve: z.int().nonnegative().optional(),
  windowOf: code.optional(),
  on: code,
});

const tokens = z.int().nonnegative().max(largestCount);
const block = z.int().nonnegative();

/** What its `on` returns. `opaque` is missing: only a recording knows less than a plan must say. */
export const planSchema = z.strictObject({
  edits: z
    .array(
      z.strictObject({
        from: block,
        to: block,
        with: z.array(z.strictObject({ kind: z.enum(blockKinds), tokens, of: block.optional() })),
        sticky: z.boolean(),
        keepsCache: z.literal(true).optional(),
        reason: z.string(),
      }),
    )
    .optional(),
  calls: z
    .array(
      z.strictObject({
        purpose: z.enum(['summary', 'verify', 'stub', 'keepalive']),
        prefix: z.enum(['shared', 'fresh', 'server']),
        input: tokens,
        output: tokens,
        model: z.string().min(1).optional(),
        outcome: z.enum(failedCalls).optional(),
        reason: z.string(),
      }),
    )
    .optional(),
  fail: z.string().optional(),
  stable: block.optional(),
});

/** Throws an Error that names every place that is wrong. */
export function check(schema: z.ZodType, value: unknown, whole: string): void {
  const { error } = schema.safeParse(value);
  if (!error) return;
  throw new Error(error.issues.map(({ path, message }) => `${path.join('.') || whole}: ${message}`).join('; '));
}
