import { beforeAll, describe, expect, it } from 'vitest';
import { cardAt, ordinaryAndHours } from '../../../src/providers/prices/hours.ts';
import { loadPriceBook, type PriceBook } from '../../../src/providers/prices/index.ts';
import { plainTier } from '../../../src/providers/prices/overlay-row.ts';

let book: PriceBook;
beforeAll(async () => {
  book = await loadPriceBook();
});

/** Fresh, read and output rates of a model at a time, which is also the day of its session. */
function ratesAt(model: string, time: string): (number | undefined)[] {
  const at = Date.parse(time);
  const rates = cardAt(book.card(model, at), at).tiers[0]?.rates;
  return [rates?.fresh, rates?.cacheRead, rates?.output];
}

describe('prices by hour', () => {
  it.each([
    ['2026-10-28T00:59:59Z', [0.66, 0.022, 1.98]],
    ['2026-10-28T01:00:00Z', [1.32, 0.044, 3.96]],
    ['2026-10-28T03:59:59Z', [1.32, 0.044, 3.96]],
    ['2026-10-28T04:00:00Z', [0.66, 0.022, 1.98]],
    ['2026-10-28T06:00:00Z', [1.32, 0.044, 3.96]],
    ['2026-10-28T10:00:00Z', [0.66, 0.022, 1.98]],
  ])('DeepSeek V4 Pro costs twice as much from 01 to 04 and from 06 to 10: %s', (time, rates) => {
    expect(ratesAt('deepseek-v4-pro', time)).toEqual(rates);
  });

  it('not on weekends since 2026-08-23, not on a holiday, and not before there were hours', () => {
    expect(ratesAt('deepseek-v4-pro', '2026-10-31T07:00:00Z')).toEqual([0.66, 0.022, 1.98]);
    expect(ratesAt('deepseek-v4-pro', '2026-10-01T07:00:00Z')).toEqual([0.66, 0.022, 1.98]);
    expect(ratesAt('deepseek-v4-pro', '2026-08-22T07:00:00Z')).toEqual([1.32, 0.044, 3.96]);
    expect(ratesAt('deepseek-v4-pro', '2026-06-03T07:00:00Z')).toEqual([0.435, 0.003625, 0.87]);
  });

  it('a name whose discount hours ended is never billed at them', () => {
    // While they lasted: half price from 16:30 to 00:30, over midnight.
    expect(ratesAt('deepseek-chat', '2025-07-01T12:00:00Z')).toEqual([0.27, 0.07, 1.1]);
    expect(ratesAt('deepseek-chat', '2025-07-01T16:30:00Z')).toEqual([0.135, 0.035, 0.55]);
    expect(ratesAt('deepseek-chat', '2025-07-01T00:29:00Z')).toEqual([0.135, 0.035, 0.55]);
    expect(ratesAt('deepseek-chat', '2025-07-01T00:30:00Z')).toEqual([0.27, 0.07, 1.1]);
    expect(ratesAt('deepseek-reasoner', '2025-09-20T20:00:00Z')).toEqual([0.56, 0.07, 1.68]);
    expect(ratesAt('deepseek-reasoner', '2026-09-21T20:00:00Z')).toEqual([0.66, 0.022, 1.98]);
  });

  it('without a time the ordinary rates hold, which are those of most of the day', () => {
    const july = Date.parse('2025-07-01T20:00:00Z');
    expect(cardAt(book.card('deepseek-chat', july), undefined).tiers[0]?.rates.fresh).toBe(0.27);
    expect(cardAt(book.card('deepseek-chat', july), Number.NaN).tiers[0]?.rates.fresh).toBe(0.27);
    expect(book.card('deepseek-v4-pro').tiers[0]?.rates.fresh).toBe(0.66);
  });

  it('the card of an hour has a name of its own, and stays what it is at any other hour', () => {
    const peak = Date.parse('2026-10-28T07:00:00Z');
    const card = book.card('deepseek-v4-pro', peak);
    const atPeak = cardAt(card, peak);
    expect(atPeak.id).toBe('deepseek-v4-pro@2026-08-17+06:00-10:00');
    expect(cardAt(card, peak)).toBe(atPeak);
    expect(cardAt(atPeak, Date.parse('2026-10-28T12:00:00Z'))).toBe(atPeak);
  });

  it('takes two listed windows as exceptions, however long they are together', () => {
    const [day, night] = [[plainTier(0, 1, 1, 1)], [plainTier(0, 2, 2, 2)]];
    const windows = [
      { from: 0, to: 500, tiers: night },
      { from: 600, to: 1100, tiers: night },
    ];
    expect(ordinaryAndHours(day, windows)).toEqual({ tiers: day, hours: windows });
  });
});
