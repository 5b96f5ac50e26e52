import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadPriceBook, type PriceBook, tierFor, usdOf } from '../../../src/providers/prices/index.ts';
import { regions, type Service, serviceTiers, standardService } from '../../../src/providers/prices/rates.ts';
import { servicesOf, withService } from '../../../src/providers/prices/service.ts';
import { promptTokens, type Usage, zeroUsage } from '../../../src/session/usage.ts';
import { errorOf } from '../../errors.ts';

let book: PriceBook;
beforeAll(async () => {
  book = await loadPriceBook();
});

const november = Date.parse('2026-11-01T12:00:00Z');

function cardAt(model: string, service: Partial<Service>) {
  return withService(book, { ...standardService, ...service }).card(model, november);
}

function bill(model: string, service: Partial<Service>, usage: Partial<Usage>): number {
  const whole = { ...zeroUsage, ...usage };
  return usdOf(whole, tierFor(cardAt(model, service), promptTokens(whole)).rates);
}

/** Rates of the lowest tier: fresh, read, write 5m, write 1h, output. */
function ratesAt(model: string, service: Partial<Service>): number[] {
  return Object.values(cardAt(model, service).tiers[0]?.rates ?? {});
}

describe('service tiers', () => {
  it('batch halves every class, cache classes too', () => {
    // Sonnet 4.6: half of 0.1155, the bill of 4k written for 1h and 6k for 5m (cases §6).
    const usage = { fresh: 10_000, cacheRead: 80_000, cacheWrite5m: 6_000, cacheWrite1h: 4_000, output: 1_000 };
    expect(bill('claude-sonnet-4-6', { tier: 'batch' }, usage)).toBeCloseTo(0.05775, 12);
    expect(ratesAt('claude-sonnet-4-6', { tier: 'batch' })).toEqual([1.5, 0.15, 1.875, 3, 7.5]);
    expect(ratesAt('gpt-5.6-sol', { tier: 'batch' })).toEqual([2, 0.2, 2.5, 2.5, 10]);
    expect(ratesAt('gemini-2.5-pro', { tier: 'batch' })).toEqual([0.625, 0.0625, 0.625, 0.625, 5]);
  });

  it('batch of older OpenAI models lists no cached rate: a cached token costs what any other does', () => {
    expect(ratesAt('gpt-4.1', { tier: 'batch' })).toEqual([1, 1, 1, 1, 4]);
    expect(ratesAt('o3', { tier: 'batch' })).toEqual([1, 1, 1, 1, 4]);
    expect(cardAt('gpt-4.1', { tier: 'batch' }).notes?.join()).toMatch(/without a rate for cached tokens/);
    // Flex of the same model has one.
    expect(ratesAt('o3', { tier: 'flex' })).toEqual([1, 0.25, 1, 1, 4]);
  });

  it('fast on Anthropic: 10 and 50 for Opus 5 and 4.8, 8 and 40 for Opus 5.5, cache multipliers on top', () => {
    expect(ratesAt('claude-opus-5', { tier: 'fast' })).toEqual([10, 1, 12.5, 20, 50]);
    expect(ratesAt('claude-opus-4-8', { tier: 'fast' })).toEqual([10, 1, 12.5, 20, 50]);
    expect(ratesAt('claude-opus-5-5', { tier: 'fast' })).toEqual([8, 0.4, 10, 16, 40]);
  });

  it.each<[string, number, number, number]>([
    ['gpt-5.6-sol', 8, 0.8, 40],
    ['gpt-5.5', 12.5, 1.25, 75],
    ['gpt-5.4', 5, 0.5, 30],
    ['gpt-5-mini', 0.45, 0.045, 3.6],
    ['gpt-4.1', 3.5, 0.875, 14],
    ['gpt-4o', 4.25, 2.125, 17],
    ['gpt-4o-mini', 0.25, 0.125, 1],
    ['o4-mini', 2, 0.5, 8],
  ])('fast on OpenAI: %s at %d, %d cached, %d out, as its price page lists it', (model, fresh, read, output) => {
    const rates = ratesAt(model, { tier: 'fast' });
    expect([rates[0], rates[1], rates[4]]).toEqual([fresh, read, output]);
  });

  it('fast of GPT-5.5 ends at 272,000 tokens, where the standard long-context rates hold; that of GPT-5.6 does not', () => {
    expect(bill('gpt-5.5', { tier: 'fast' }, { fresh: 272_000 })).toBeCloseTo(3.4, 12);
    expect(bill('gpt-5.5', { tier: 'fast' }, { fresh: 272_001 })).toBeCloseTo(2.72001, 12);
    expect(bill('gpt-5.6-sol', { tier: 'fast' }, { fresh: 272_001 })).toBeCloseTo(4.352016, 12);
    expect(cardAt('gpt-5.5', { tier: 'fast' }).notes?.join()).toMatch(/272,000 tokens/);
    expect(cardAt('gpt-5-pro', { tier: 'batch' }).notes?.join()).not.toMatch(/272,000/);
  });
});

describe('regions', () => {
  it('us is 1.1 times every class on Claude 4.6 and later', () => {
    expect(ratesAt('claude-sonnet-4-6', { region: 'us' })).toEqual([3.3, 0.33, 4.125, 6.6, 16.5]);
    expect(ratesAt('claude-opus-5-5', { region: 'us' })).toEqual([4.4, 0.22, 5.5, 8.8, 22]);
  });

  it('regional is 1.1 times on Claude 4.5 and later, and on OpenAI models since 2026-03-05', () => {
    expect(ratesAt('claude-sonnet-4-5', { region: 'regional' })).toEqual([3.3, 0.33, 4.125, 6.6, 16.5]);
    expect(ratesAt('gpt-5.4', { region: 'regional' })).toEqual([2.75, 0.275, 2.75, 2.75, 16.5]);
  });

  it('stacks on a service tier and on a long-context tier', () => {
    // Haiku 5.5 above 100k: 0.50 x 0.5 x 1.1.
    expect(bill('claude-haiku-5-5', { tier: 'batch', region: 'us' }, { fresh: 200_000 })).toBeCloseTo(0.055, 12);
    expect(bill('claude-opus-5', { tier: 'fast', region: 'us' }, { cacheRead: 1_000_000 })).toBeCloseTo(1.1, 12);
  });
});

describe('a price that is not sold', () => {
  it.each<[string, Partial<Service>, RegExp]>([
    [
      'claude-haiku-4-5',
      { tier: 'fast' },
      /--service-tier fast: anthropic has it for Claude Opus 4\.8 and 5; Opus 5\.5, not for claude-haiku-4-5/,
    ],
    ['claude-opus-4-6', { tier: 'fast' }, /not for claude-opus-4-6/],
    [
      'claude-opus-5',
      { tier: 'flex' },
      /--service-tier flex: no such price of anthropic is known.*known: batch, fast, us, regional/,
    ],
    ['claude-sonnet-4-5', { region: 'us' }, /Claude 4\.6 and later/],
    ['claude-opus-4-1', { region: 'regional' }, /Claude 4\.5 and later/],
    ['gpt-5.2', { region: 'regional' }, /2026-03-05/],
    ['gpt-5.5', { region: 'us' }, /--region us: no such price of openai/],
    ['gpt-5.1-codex', { tier: 'batch' }, /not for gpt-5\.1-codex/],
    ['gemini-2.5-pro', { tier: 'fast' }, /no such price of google/],
    [
      'deepseek-flash',
      { tier: 'batch' },
      /no such price of deepseek is known, and deepseek-flash is sold by deepseek$/,
    ],
  ])('%s at %j names the rule', (model, service, message) => {
    const error = errorOf(() => cardAt(model, service));
    expect(error.code).toBe('bad-price');
    expect(error.message).toMatch(message);
    expect(error.hint).toContain('--prices FILE');
  });
});

describe('cards', () => {
  it('have an id of their own, so that a ledger keeps them apart', () => {
    expect(cardAt('claude-opus-5', {})).toBe(book.card('claude-opus-5', november));
    expect(cardAt('claude-opus-5', { tier: 'batch' }).id).toBe('claude-opus-5@launch+batch');
    expect(cardAt('claude-opus-5', { tier: 'fast', region: 'us' }).id).toBe('claude-opus-5@launch+fast+us');
  });

  it('say where the factor comes from, and when', () => {
    expect(cardAt('claude-opus-5', { tier: 'batch' }).source).toMatch(
      /; batch: platform\.claude\.com.* \(2026-08-21\)$/,
    );
  });

  it('of every model at everything it is sold at: dollars scale by the factor, at any usage', () => {
    const tokens = fc.nat(1_000_000);
    const usage = fc.record({
      fresh: tokens,
      cacheRead: tokens,
      cacheWrite5m: tokens,
      cacheWrite1h: tokens,
      output: tokens,
    });
    fc.assert(
      fc.property(fc.constantFrom('claude-opus-5', 'gpt-5.6-terra', 'gemini-3.1-pro-preview'), usage, (model, used) => {
        expect(bill(model, { tier: 'batch' }, used)).toBeCloseTo(bill(model, {}, used) / 2, 9);
      }),
    );
    for (const model of book.models()) {
      for (const name of servicesOf(book.card(model, november))) {
        const tier = serviceTiers.find((candidate) => candidate === name) ?? 'standard';
        const region = regions.find((candidate) => candidate === name) ?? 'global';
        const card = cardAt(model, { tier, region });
        expect(card.id.endsWith(`+${name}`), model).toBe(true);
        for (const { rates } of card.tiers) expect(rates.cacheRead, model).toBeLessThanOrEqual(rates.fresh);
      }
    }
  });
});
