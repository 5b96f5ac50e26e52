import type { PricedHours, RateTier } from './rates.ts';

/** A row of ours: a model that the package lacks or has wrong. US dollars per million tokens. */
export interface OverlayRow {
  readonly model: string;
  readonly provider: string;
  /** First day (UTC) of these rates; absent where they hold since the launch. */
  readonly from?: string;
  readonly tiers: readonly RateTier[];
  /** Hours at which other rates hold than those of `tiers`. */
  readonly hours?: readonly PricedHours[];
  readonly chargesWrites: boolean;
  readonly source: string;
  /** What a reader of the bill should know. */
  readonly remark?: string;
  /** Day on which the source was last known to say so. */
  readonly asOf: string;
}

/** Rates of prompts with more tokens than so many. */
export function tier(
  abovePromptTokens: number,
  fresh: number,
  cacheRead: number,
  cacheWrite5m: number,
  cacheWrite1h: number,
  output: number,
): RateTier {
  return { abovePromptTokens, rates: { fresh, cacheRead, cacheWrite5m, cacheWrite1h, output } };
}

/** The same where a write costs what fresh input does. */
export function plainTier(abovePromptTokens: number, fresh: number, cacheRead: number, output: number): RateTier {
  return tier(abovePromptTokens, fresh, cacheRead, fresh, fresh, output);
}
