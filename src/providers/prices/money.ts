import type { Usage } from '../../session/index.ts';
import type { RateCard, Rates, RateTier } from './rates.ts';

/** Rates are quoted in US dollars per this many tokens. */
export const tokensPerRate = 1_000_000;

/** US dollars of a usage at the rates of one tier; exact to the last bit of one division, rounding is for reports. */
export function usdOf(usage: Usage, rates: Rates): number {
  const micros =
    usage.fresh * rates.fresh +
    usage.cacheRead * rates.cacheRead +
    usage.cacheWrite5m * rates.cacheWrite5m +
    usage.cacheWrite1h * rates.cacheWrite1h +
    usage.output * rates.output;
  return micros / tokensPerRate;
}

/**
 * The tier that prices a whole request of `promptTokens` tokens, cached ones included: the last one whose threshold the
 * prompt exceeds. A prompt of exactly the threshold still pays the lower tier.
 */
export function tierFor(card: RateCard, promptTokens: number): RateTier {
  let found = card.tiers[0];
  if (found === undefined) throw new Error(`rate card ${card.id} has no tier`);
  for (const tier of card.tiers) if (promptTokens > tier.abovePromptTokens) found = tier;
  return found;
}
