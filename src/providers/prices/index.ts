export { loadPriceBook, type PriceBookOptions } from './book.ts';
export { changedModels, type FrozenCards, withFrozenCards } from './frozen.ts';
export { type Host, hostOf } from './hosts.ts';
export { tierFor, usdOf } from './money.ts';
export type { ModelLimits, PriceBook, RateCard, Rates, RateTier } from './rates.ts';
export { servicesOf, withService } from './service.ts';
