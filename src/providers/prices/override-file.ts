import { z } from 'zod';
import { CtxsimError } from '../../errors.ts';
import { listedProviders, type PricePeriod, type PriceRow } from './adapter.ts';
import type { ModelLimits, Rates, RateTier } from './rates.ts';

const usd = z.number().nonnegative();

const ratesShape = {
  /** US dollars per million tokens, all of them. */
  input: usd.positive(),
  output: usd.positive(),
  cacheRead: usd.optional(),
  cacheWrite5m: usd.optional(),
  cacheWrite1h: usd.optional(),
};

const modelSchema = z.strictObject({
  ...ratesShape,
  /** Whole-request rates of prompts with more than `tokens` tokens. */
  above: z.array(z.strictObject({ tokens: z.int().positive(), ...ratesShape })).optional(),
  window: z.int().positive().optional(),
  maxOutput: z.int().positive().optional(),
  provider: z.string().min(1).optional(),
});

/** The file that `--prices FILE` reads. */
export const priceFileSchema = z.strictObject({ models: z.record(z.string().min(1), modelSchema) });

/** Content of a price file. */
export type PriceFile = z.infer<typeof priceFileSchema>;
/** One model of a price file. */
export type PriceFileModel = z.infer<typeof modelSchema>;

/**
 * Checks the content of a price file.
 * @throws CtxsimError `bad-price-file`, naming the file, the path in it and what is wrong there.
 */
export function parsePriceFile(content: unknown, file: string): PriceFile {
  const parsed = priceFileSchema.safeParse(content);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'the file'}: ${issue.message}`);
    throw badFile(file, problems.join('; '));
  }
  for (const [model, price] of Object.entries(parsed.data.models)) checkModel(file, model, price);
  return parsed.data;
}

/**
 * The row of one model of a price file: it holds at every date. `provider` is the known one, if the model is known.
 * @throws CtxsimError `bad-price-file` where one-hour writes have no price; only Anthropic's follows from the others.
 */
export function rowOfPriceFile(
  { file, model, source }: { readonly file: string; readonly model: string; readonly source: string },
  price: PriceFileModel,
  provider: string | undefined,
): PriceRow {
  const seller = price.provider ?? provider ?? 'custom';
  if (price.cacheWrite5m !== undefined && price.cacheWrite1h === undefined && seller !== 'anthropic') {
    throw badFile(
      file,
      `models.${model}.cacheWrite1h is missing: writes for an hour would be billed like those for five minutes; where both cost the same, give it twice`,
    );
  }
  const period: PricePeriod = {
    from: undefined,
    tiers: tiersOf(price, seller),
    chargesWrites: price.cacheWrite5m !== undefined,
    source,
  };
  return { provider: seller, periods: [period] };
}

/** The limits that a price file states, if it states a window. */
export function limitsOfPriceFile(price: PriceFileModel, source: string): ModelLimits | undefined {
  if (price.window === undefined) return undefined;
  const limits = { window: price.window, source };
  return price.maxOutput === undefined ? limits : { ...limits, maxOutput: price.maxOutput };
}

type RatesEntry = Pick<PriceFileModel, 'input' | 'output' | 'cacheRead' | 'cacheWrite5m' | 'cacheWrite1h'>;

const optionalRates = ['cacheRead', 'cacheWrite5m', 'cacheWrite1h'] as const;

/** Providers whose cache is known, and one for all others: a misspelt name would silently mean another cache. */
const sellers: readonly string[] = [...listedProviders.map(({ id }) => id), 'qwen', 'custom'];

/** What the schema cannot say: a forgotten cache rate in one place would silently drop a discount or a surcharge. */
function checkModel(file: string, model: string, price: PriceFileModel): void {
  if (price.provider !== undefined && !sellers.includes(price.provider)) {
    throw badFile(file, `models.${model}.provider: "${price.provider}" is none of ${sellers.join(', ')}`);
  }
  if (price.cacheWrite1h !== undefined && price.cacheWrite5m === undefined) {
    throw badFile(file, `models.${model}: cacheWrite1h needs cacheWrite5m`);
  }
  let previous = 0;
  for (const [index, tier] of (price.above ?? []).entries()) {
    const path = `models.${model}.above.${index}`;
    if (tier.tokens <= previous) throw badFile(file, `${path}.tokens: thresholds must ascend`);
    previous = tier.tokens;
    for (const key of optionalRates) {
      if ((tier[key] === undefined) !== (price[key] === undefined)) {
        throw badFile(file, `${path}.${key}: give it in every tier or in none`);
      }
    }
  }
}

function badFile(file: string, problem: string): CtxsimError {
  return new CtxsimError(
    'bad-price-file',
    `${file}: ${problem}`,
    'Rates are US dollars per million tokens: { "models": { "my-model": { "input": 3, "output": 15, "cacheRead": 0.3 } } }',
  );
}

function tiersOf(price: PriceFileModel, provider: string): RateTier[] {
  const above = (price.above ?? []).map((tier) => ({
    abovePromptTokens: tier.tokens,
    rates: ratesOf(tier, provider),
  }));
  return [{ abovePromptTokens: 0, rates: ratesOf(price, provider) }, ...above];
}

function ratesOf(entry: RatesEntry, provider: string): Rates {
  const cacheWrite5m = entry.cacheWrite5m ?? entry.input;
  // A five-minute rate alone: Anthropic's one-hour write costs twice the input (providers.md §1.5).
  const otherwise1h = provider === 'anthropic' && entry.cacheWrite5m !== undefined ? 2 * entry.input : cacheWrite5m;
  return {
    fresh: entry.input,
    cacheRead: entry.cacheRead ?? entry.input,
    cacheWrite5m,
    cacheWrite1h: entry.cacheWrite1h ?? otherwise1h,
    output: entry.output,
  };
}
