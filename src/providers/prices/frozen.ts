import type { PriceBook, PricedHours, RateCard } from './rates.ts';

/** Every card that a model had when a reference was made, the oldest first, by canonical model. */
export type FrozenCards = Readonly<Record<string, readonly Omit<RateCard, 'unpriced'>[]>>;

/**
 * A price book that bills as another did when its cards were stored: models that it knew keep those rates, a newer period the
 * last of them. Models that it did not know have today's prices.
 */
export function withFrozenCards(book: PriceBook, frozen: FrozenCards): PriceBook {
  const frozenCard = (today: RateCard): RateCard => {
    const cards = frozen[today.model];
    return cards?.find(({ id }) => id === today.id) ?? cards?.at(-1) ?? today;
  };
  return {
    ...book,
    card: (model, timeMs, recorded) => frozenCard(book.card(model, timeMs, recorded)),
    history(model) {
      const today = book.history(model);
      return frozen[today[0]?.model ?? ''] ?? today;
    },
  };
}

/** Models whose stored rates are no longer those of today, sorted. */
export function changedModels(book: PriceBook, frozen: FrozenCards): string[] {
  const known = new Set(book.models());
  const facts = (cards: readonly Omit<RateCard, 'unpriced'>[]) =>
    JSON.stringify(
      cards.map(({ id, tiers, hours, chargesWrites }) => [
        id,
        chargesWrites,
        tiers.map(tierFacts),
        hours?.map(hoursFacts),
      ]),
    );
  return Object.keys(frozen)
    .filter((model) => !known.has(model) || facts(book.history(model)) !== facts(frozen[model] ?? []))
    .sort();
}

function hoursFacts({ from, to, weekdaysSince, except, tiers }: PricedHours): unknown[] {
  return [from, to, weekdaysSince, except, tiers.map(tierFacts)];
}

function tierFacts({ abovePromptTokens, rates }: RateCard['tiers'][number]): number[] {
  return [abovePromptTokens, rates.fresh, rates.cacheRead, rates.cacheWrite5m, rates.cacheWrite1h, rates.output];
}
