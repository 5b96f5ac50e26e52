import { CtxsimError } from '../../errors.ts';
import { formatCount } from '../../units.ts';
import { hostOf } from './hosts.ts';
import type { AskedService, PriceBook, RateCard, Rates, RateTier, RecordedService, Service } from './rates.ts';
import { type ServiceName, type ServiceRule, serviceRules } from './service-rules.ts';

/** Rates keep this many decimals: a factor must not leave the noise of a division behind. */
const decimals = 1e9;

/**
 * The same prices at a service tier and in a region, or as each request was served. Models without a price stay without one.
 * Its cards throw CtxsimError `bad-price` where the provider does not sell the model as it was asked for.
 */
export function withService(book: PriceBook, asked: AskedService): PriceBook {
  const cards = new Map<string, RateCard>();
  return {
    ...book,
    service: asked,
    card(model, timeMs, recorded = {}) {
      const standard = book.card(model, timeMs);
      const service = serviceOf(asked, model, recorded);
      const key = `${standard.id} ${service.tier} ${service.region}`;
      const card = cards.get(key) ?? billedAs(standard, asked, service);
      cards.set(key, card);
      return card;
    },
  };
}

/** How a request is billed: as asked, else as its recording says, else as the name of its model does. */
export function serviceOf(asked: AskedService, model: string, recorded: RecordedService): Service {
  return {
    tier: asked.tier === 'recorded' ? (recorded.tier ?? 'standard') : asked.tier,
    region: asked.region === 'recorded' ? (recorded.region ?? hostOf(model)?.region ?? 'global') : asked.region,
  };
}

/**
 * A recording is billed whatever it says: a recorded tier or region without a price of its own costs what the list says. Of a
 * region that is so (older models cost the same everywhere), of a tier it is only that nobody says its price.
 */
function billedAs(card: RateCard, asked: AskedService, service: Service): RateCard {
  const sold: readonly string[] = servicesOf(card);
  const isUnknown = asked.tier === 'recorded' && service.tier !== 'standard' && !sold.includes(service.tier);
  const billed = applyService(card, {
    tier: isUnknown ? 'standard' : service.tier,
    region: asked.region === 'recorded' && !sold.includes(service.region) ? 'global' : service.region,
  });
  if (!isUnknown || card.unpriced) return billed;
  const note = `${card.model}: recorded at the ${service.tier} tier, whose price is not known; billed at the standard rates`;
  return { ...billed, notes: [...(billed.notes ?? []), note] };
}

/**
 * The card at a service tier and in a region; factors multiply, and stand on top of long-context tiers, hours and cache rates.
 * @throws CtxsimError `bad-price`.
 */
export function applyService(card: RateCard, service: Service): RateCard {
  if (card.unpriced) return card;
  return namesOf(service).reduce((billed, name) => applyRule(billed, ruleFor(card, name)), card);
}

/** Every service tier and region but the standard ones that a model is sold at. */
export function servicesOf({ provider, model }: RateCard): ServiceName[] {
  return [...new Set(serviceRules.filter((rule) => holds(rule, provider, model)).map((rule) => rule.of))];
}

function namesOf({ tier, region }: Service): ServiceName[] {
  return [tier, region].filter((name) => name !== 'standard' && name !== 'global');
}

function holds({ provider, models }: ServiceRule, ofProvider: string, model: string): boolean {
  return provider === ofProvider && models.test(model);
}

function ruleFor({ provider, model }: RateCard, name: ServiceName): ServiceRule {
  const rule = serviceRules.find((candidate) => candidate.of === name && holds(candidate, provider, model));
  if (rule) return rule;
  const flag = name === 'us' || name === 'regional' ? '--region' : '--service-tier';
  const sold = serviceRules.filter((candidate) => candidate.of === name && candidate.provider === provider);
  const scopes = sold.map(({ scope }) => scope).join('; ');
  const others = [...new Set(serviceRules.flatMap((other) => (other.provider === provider ? [other.of] : [])))];
  throw new CtxsimError(
    'bad-price',
    sold.length > 0
      ? `${flag} ${name}: ${provider} has it for ${scopes}, not for ${model} (${sold[0]?.source})`
      : `${flag} ${name}: no such price of ${provider} is known, and ${model} is sold by ${provider}${others.length > 0 ? ` (known: ${others.join(', ')})` : ''}`,
    `Leave it out for the standard price, or give the rates yourself with --prices FILE. See: ctxsim list models ${model}`,
  );
}

function applyRule(card: RateCard, rule: ServiceRule): RateCard {
  const { of, source, asOf } = rule;
  return {
    ...card,
    id: `${card.id}+${of}`,
    services: [...(card.services ?? []), of],
    tiers: tiersUnder(rule, card.tiers),
    ...(card.hours ? { hours: card.hours.map((hours) => ({ ...hours, tiers: tiersUnder(rule, hours.tiers) })) } : {}),
    notes: [...(card.notes ?? []), noteOf(rule, card)],
    source: `${card.source}; ${of}: ${source} (${asOf})`,
  };
}

function tiersUnder(rule: ServiceRule, tiers: readonly RateTier[]): RateTier[] {
  const { upTo = Number.POSITIVE_INFINITY } = rule;
  return tiers.map((tier) =>
    tier.abovePromptTokens >= upTo ? tier : { ...tier, rates: ratesUnder(rule, tier.rates) },
  );
}

function ratesUnder({ factor, noCachedRate }: ServiceRule, rates: Rates): Rates {
  const times = (rate: number) => Math.round(rate * factor * decimals) / decimals;
  return {
    fresh: times(rates.fresh),
    cacheRead: times(noCachedRate ? rates.fresh : rates.cacheRead),
    cacheWrite5m: times(rates.cacheWrite5m),
    cacheWrite1h: times(rates.cacheWrite1h),
    output: times(rates.output),
  };
}

function noteOf({ of, factor, upTo, noCachedRate, remark }: ServiceRule, { model, tiers }: RateCard): string {
  const isCut = upTo !== undefined && tiers.some(({ abovePromptTokens }) => abovePromptTokens >= upTo);
  return [
    `${model}: ${of} at ${Number(factor.toFixed(3))} times the standard rates`,
    ...(noCachedRate ? ['without a rate for cached tokens, which cost what fresh ones do'] : []),
    ...(isCut
      ? [`not sold for prompts above ${formatCount(upTo)} tokens, which pay the standard rates (assumed)`]
      : []),
    ...(remark ? [remark] : []),
  ].join('; ');
}
