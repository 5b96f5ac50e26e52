export { loadPriceBook, type PriceBookOptions } from './book.ts';
export { tierFor, tokensPerRate, usdOf } from './money.ts';
export { normalizeModel } from './normalize.ts';
export type { ModelLimits, PriceBook, RateCard, Rates, RateTier } from './rates.ts';
