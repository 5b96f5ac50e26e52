import { describe, expect, it } from 'vitest';
import { loadPriceBook } from '../../../src/providers/prices/index.ts';
import { parsePriceFile } from '../../../src/providers/prices/override-file.ts';

const load = (models: unknown) => loadPriceBook({ overrides: { file: 'my-prices.json', content: { models } } });

describe('price file', () => {
  it('refuses a write for five minutes without one for an hour, but for Anthropic, whose costs twice the input', async () => {
    const price = { input: 3, output: 15, cacheRead: 0.3, cacheWrite5m: 3.75 };
    await expect(load({ mine: price })).rejects.toThrow('my-prices.json: models.mine.cacheWrite1h is missing');
    await expect(load({ mine: { ...price, provider: 'openai' } })).rejects.toThrow('cacheWrite1h is missing');
    const hourRate = async (model: object) => (await load({ mine: model })).card('mine').tiers[0]?.rates.cacheWrite1h;
    expect(await hourRate({ ...price, cacheWrite1h: 3.75 })).toBe(3.75);
    expect(await hourRate({ ...price, provider: 'anthropic' })).toBe(6);
  });

  it('prices a model that nobody lists', async () => {
    const book = await load({ 'My/Model': { input: 3, output: 15 } });
    const card = book.card('my/model');
    expect(card).toMatchObject({ model: 'my/model', provider: 'custom', chargesWrites: false });
    // No read rate means no discount.
    expect(card.tiers[0]?.rates).toEqual({ fresh: 3, cacheRead: 3, cacheWrite5m: 3, cacheWrite1h: 3, output: 15 });
    expect(book.models()).toContain('my/model');
  });

  it('replaces a known model at every date and in every spelling, and leaves its neighbours alone', async () => {
    const book = await load({ 'claude-opus-4.6': { input: 1, output: 2, cacheRead: 0.1, cacheWrite5m: 1.25 } });
    const card = book.card('us.anthropic.claude-opus-4-6-v1', Date.parse('2026-02-20T00:00:00Z'));
    expect(card).toMatchObject({ model: 'claude-opus-4-6', provider: 'anthropic', chargesWrites: true });
    expect(card.tiers).toEqual([
      { abovePromptTokens: 0, rates: { fresh: 1, cacheRead: 0.1, cacheWrite5m: 1.25, cacheWrite1h: 2, output: 2 } },
    ]);
    expect(book.card('claude-opus-4-5').tiers[0]?.rates.fresh).toBe(5);
  });

  it('replaces one name of a shared row only', async () => {
    const book = await load({ 'gpt-5-codex': { input: 9, output: 9 } });
    expect(book.card('gpt-5-codex').tiers[0]?.rates.fresh).toBe(9);
    expect(book.card('gpt-5').tiers[0]?.rates.fresh).toBe(1.25);
    expect(book.card('gpt-5-2025-08-07').tiers[0]?.rates.fresh).toBe(1.25);
  });

  it('knows tiers, limits and the provider', async () => {
    const book = await load({
      house: {
        input: 1,
        output: 4,
        cacheRead: 0.1,
        above: [{ tokens: 200_000, input: 2, output: 6, cacheRead: 0.2 }],
        window: 500_000,
        maxOutput: 32_000,
        provider: 'anthropic',
      },
    });
    const card = book.card('house');
    expect(card.provider).toBe('anthropic');
    expect(card.tiers.map((tier) => [tier.abovePromptTokens, tier.rates.fresh, tier.rates.cacheRead])).toEqual([
      [0, 1, 0.1],
      [200_000, 2, 0.2],
    ]);
    expect(book.limits('house')).toMatchObject({ window: 500_000, maxOutput: 32_000 });
  });

  it('has a digest in the id that depends on the prices, not on their order', async () => {
    const one = { input: 1, output: 2 };
    const two = { output: 2, input: 1 };
    const book = await load({ a: one, b: two });
    expect(book.id).toMatch(/\+overrides:[0-9a-f]{8}$/);
    expect((await load({ b: one, a: two })).id).toBe(book.id);
    expect((await load({ a: one, b: { ...two, input: 1.5 } })).id).not.toBe(book.id);
  });

  it.each<[string, unknown, RegExp]>([
    ['not an object', [], /my-prices\.json: the file:/],
    ['no models', {}, /my-prices\.json: models:/],
    ['an unknown key', { models: { a: { input: 1, output: 2, cached: 0.1 } } }, /models\.a: .*cached/],
    ['no output', { models: { a: { input: 1 } } }, /models\.a\.output:/],
    ['a negative rate', { models: { a: { input: 1, output: 2, cacheRead: -1 } } }, /models\.a\.cacheRead:/],
    ['a text', { models: { a: { input: '1', output: 2 } } }, /models\.a\.input:/],
    ['a free model', { models: { a: { input: 0, output: 0 } } }, /models\.a\.input:/],
    [
      'a provider that nobody knows',
      { models: { a: { input: 1, output: 2, provider: 'antropic' } } },
      /models\.a\.provider: "antropic" is none of anthropic,/,
    ],
    ['a lone 1h write', { models: { a: { input: 1, output: 2, cacheWrite1h: 2 } } }, /needs cacheWrite5m/],
    [
      'a tier that forgets the read rate',
      { models: { a: { input: 1, output: 2, cacheRead: 0.1, above: [{ tokens: 5, input: 2, output: 3 }] } } },
      /models\.a\.above\.0\.cacheRead/,
    ],
    [
      'tiers out of order',
      {
        models: {
          a: {
            input: 1,
            output: 2,
            above: [
              { tokens: 5, input: 2, output: 3 },
              { tokens: 5, input: 3, output: 3 },
            ],
          },
        },
      },
      /models\.a\.above\.1\.tokens/,
    ],
  ])('refuses %s', (_what, content, message) => {
    expect(() => parsePriceFile(content, 'my-prices.json')).toThrow(message);
    expect(() => parsePriceFile(content, 'my-prices.json')).toThrow(
      expect.objectContaining({ code: 'bad-price-file' }),
    );
  });
});
