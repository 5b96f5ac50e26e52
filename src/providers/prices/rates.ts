/** US dollars per million tokens, by usage class. */
export interface Rates {
  readonly fresh: number;
  readonly cacheRead: number;
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
  readonly output: number;
}

/** Rates of a whole request whose prompt has more than `abovePromptTokens` tokens (cached ones included). */
export interface RateTier {
  readonly abovePromptTokens: number;
  readonly rates: Rates;
}

/** Rates of the hours of a day in which others hold than the ordinary ones. */
export interface PricedHours {
  /** Minutes after midnight UTC, the first included and the last not; over midnight where `to` is the smaller one. */
  readonly from: number;
  readonly to: number;
  /** From this day on (UTC, `YYYY-MM-DD`) from Monday to Friday only; absent: every day. */
  readonly weekdaysSince?: string | undefined;
  /** Days (UTC) on which they do not hold. */
  readonly except?: readonly string[] | undefined;
  readonly tiers: readonly RateTier[];
}

/** How fast a request is answered, and at what price. */
export const serviceTiers = ['standard', 'batch', 'flex', 'fast'] as const;
export type ServiceTier = (typeof serviceTiers)[number];

/** Where a request is answered: `us` is Anthropic's own (`inference_geo`), `regional` any other promise of a place. */
export const regions = ['global', 'us', 'regional'] as const;
export type Region = (typeof regions)[number];

/** What a price depends on besides model, date and length of the prompt. */
export interface Service {
  readonly tier: ServiceTier;
  readonly region: Region;
}

/** What list prices are for. */
export const standardService: Service = { tier: 'standard', region: 'global' };

/** A service as it is asked for: one for all requests, or each request's own, as its recording shows it. */
export interface AskedService {
  readonly tier: ServiceTier | 'recorded';
  readonly region: Region | 'recorded';
}

/** What a recording says of how a request was served; what it does not say is the standard. */
export type RecordedService = Partial<Service>;

/** The price list of one model from one date on. */
export interface RateCard {
  /** Unique and stable: model, first day, service: `claude-sonnet-4-5@2025-09-29`, `claude-opus-5@launch+batch+us`. */
  readonly id: string;
  /** Canonical model id after normalisation. */
  readonly model: string;
  /** `anthropic`, `openai`, … as the price source names it. */
  readonly provider: string;
  /** Ascending; the first applies from 0. */
  readonly tiers: readonly RateTier[];
  /** Hours at which other rates hold than those of `tiers`. */
  readonly hours?: readonly PricedHours[] | undefined;
  /** False where the provider asks nothing for a cache write: tokens that are not read are then `fresh`. */
  readonly chargesWrites: boolean;
  /** Where the rates come from, with a date. */
  readonly source: string;
  /** What makes its rates other than the list's: service tiers, regions, hours (UTC). */
  readonly services?: readonly string[] | undefined;
  /** What a reader of the bill should know of the rates, in words. */
  readonly notes?: readonly string[] | undefined;
  /** True where nobody has published a price: the rates are zeros and mean nothing. */
  readonly unpriced?: true;
}

/** Context window and largest output of a model, in tokens. */
export interface ModelLimits {
  readonly window: number;
  readonly maxOutput?: number;
  readonly source: string;
}

/** Answers what a model costs at a date. Exact after normalisation, never a guess. */
export interface PriceBook {
  /** The day at which everything is priced, milliseconds since the epoch; absent where each session has its own. */
  readonly asOfMs?: number;
  /** Identifies the snapshot of prices: two results with the same id were priced alike. */
  readonly id: string;
  /** What the cards are for. */
  readonly service: AskedService;
  /**
   * Rates in force at `timeMs` (milliseconds since the epoch); without a time, or for a model newer than the time,
   * those in force at the snapshot's date. `recorded` is how a request was served; it counts where the service is `recorded`.
   * @throws CtxsimError `unknown-model`, saying how to pass a price.
   */
  card(model: string, timeMs?: number, recorded?: RecordedService): RateCard;
  /** Every card of a model, the oldest first. Throws as `card` does. */
  history(model: string): readonly RateCard[];
  /** Undefined where nobody has published a limit. */
  limits(model: string): ModelLimits | undefined;
  /** Every canonical model id that can be priced, sorted. */
  models(): readonly string[];
}
