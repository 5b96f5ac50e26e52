import { pricePackage } from './adapter.ts';
import { hoursName } from './hours.ts';
import { overlayDate } from './overlay.ts';
import type { PriceBook, PricedHours, RateCard, Rates, RateTier } from './rates.ts';
import { serviceRules } from './service-rules.ts';

/** Every price that the code yields, as plain data: what a change of prices is reviewed by. */
export interface PriceSnapshot {
  readonly package: string;
  readonly overlay: string;
  /** By the id of the card: model and first day. */
  readonly cards: Readonly<Record<string, SnapshotCard>>;
  /** Factors of service tiers and regions, by provider, name and scope. */
  readonly services: Readonly<Record<string, unknown>>;
}

/** One model from one day on. */
export interface SnapshotCard {
  readonly provider: string;
  /** US dollars per million tokens (fresh, read, write 5m, write 1h, output), by the prompt tokens above which they hold. */
  readonly rates: Readonly<Record<string, readonly number[]>>;
  /** The same for the hours (UTC) at which other rates hold. */
  readonly hours?: Readonly<Record<string, SnapshotCard['rates']>>;
  readonly chargesWrites: boolean;
  /** Tokens; null where it is not known. */
  readonly window: number | null;
  readonly maxOutput: number | null;
  readonly source: string;
}

/** All cards of a book, sorted by id. The package's version stands at the top only, so that an update shows what it changed. */
export function priceSnapshot(book: PriceBook): PriceSnapshot {
  const cards = book.models().flatMap((model) => book.history(model));
  const release = `${pricePackage.version} (${pricePackage.date})`;
  return {
    package: `${pricePackage.name} ${release}`,
    overlay: overlayDate,
    cards: sorted(cards.map((card) => [card.id, snapshotOf(card, book, ` ${release}`)])),
    services: sorted(
      serviceRules.map(({ provider, of, scope, models, ...rule }) => [
        `${provider} ${of}: ${scope}`,
        { models: models.source, ...rule },
      ]),
    ),
  };
}

function snapshotOf(card: RateCard, book: PriceBook, release: string): SnapshotCard {
  const limits = book.limits(card.model);
  return {
    provider: card.provider,
    rates: listedTiers(card.tiers),
    ...(card.hours
      ? { hours: Object.fromEntries(card.hours.map((each) => [daysAndHours(each), listedTiers(each.tiers)])) }
      : {}),
    chargesWrites: card.chargesWrites,
    window: limits?.window ?? null,
    maxOutput: limits?.maxOutput ?? null,
    source: card.source.replace(release, ''),
  };
}

function daysAndHours(hours: PricedHours): string {
  const { weekdaysSince, except = [] } = hours;
  return [
    hoursName(hours),
    ...(weekdaysSince === undefined ? [] : [`weekdays since ${weekdaysSince}`]),
    ...(except.length === 0 ? [] : [`not on ${except.join(' ')}`]),
  ].join(', ');
}

function listedTiers(tiers: readonly RateTier[]): SnapshotCard['rates'] {
  return Object.fromEntries(tiers.map((tier) => [tier.abovePromptTokens, listed(tier.rates)]));
}

function listed({ fresh, cacheRead, cacheWrite5m, cacheWrite1h, output }: Rates): number[] {
  return [fresh, cacheRead, cacheWrite5m, cacheWrite1h, output];
}

function sorted<T>(entries: readonly (readonly [string, T])[]): Record<string, T> {
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
}
