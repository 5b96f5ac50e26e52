import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadPriceBook, type PriceBook, tierFor, usdOf } from '../../../src/providers/prices/index.ts';
import { promptTokens, type Usage, zeroUsage } from '../../../src/session/usage.ts';

let book: PriceBook;
beforeAll(async () => {
  book = await loadPriceBook();
});

/** Dollars of one request at a day's rates, tier included: what a provider's invoice line would say. */
function bill(model: string, day: string, usage: Partial<Usage>): number {
  const whole = { ...zeroUsage, ...usage };
  const card = book.card(model, Date.parse(`${day}T12:00:00Z`));
  return usdOf(whole, tierFor(card, promptTokens(whole)).rates);
}

describe('bills known to the cent (cases §6)', () => {
  const sonnet = { fresh: 10_000, cacheRead: 80_000, output: 1_000 };

  it('Sonnet 4.6: 10k fresh, 80k read, 10k written, 1k out', () => {
    // 0.030 fresh + 0.024 read + 0.015 out = 0.069, and the writes: 0.0375, 0.06, or 0.0225 + 0.024
    expect(bill('claude-sonnet-4-6', '2026-05-01', { ...sonnet, cacheWrite5m: 10_000 })).toBeCloseTo(0.1065, 12);
    expect(bill('claude-sonnet-4-6', '2026-05-01', { ...sonnet, cacheWrite1h: 10_000 })).toBeCloseTo(0.129, 12);
    expect(
      bill('claude-sonnet-4-6', '2026-05-01', { ...sonnet, cacheWrite5m: 6_000, cacheWrite1h: 4_000 }),
    ).toBeCloseTo(0.1155, 12);
  });

  it('Gemini 2.5 Pro: 300k, of which 280k read, above its 200k tier, 1k out', () => {
    // 20k x 2.5 + 280k x 0.25 = 0.05 + 0.07, and 1k x 15 = 0.015
    expect(bill('gemini-2.5-pro', '2026-05-01', { fresh: 20_000, cacheRead: 280_000 })).toBeCloseTo(0.12, 12);
    expect(bill('gemini-2.5-pro', '2026-05-01', { fresh: 20_000, cacheRead: 280_000, output: 1_000 })).toBeCloseTo(
      0.135,
      12,
    );
  });

  it('Opus 4.6: 300k, of which 280k read, 1k out, loses its premium on 2026-03-13', () => {
    const usage = { fresh: 20_000, cacheRead: 280_000, output: 1_000 };
    // 0.2 + 0.28 + 0.0375 before, 0.1 + 0.14 + 0.025 after
    expect(bill('claude-opus-4-6', '2026-03-12', usage)).toBeCloseTo(0.5175, 12);
    expect(bill('claude-opus-4-6', '2026-03-13', usage)).toBeCloseTo(0.265, 12);
  });
});

describe('whole-request tiers', () => {
  it('272,000 is still the lower tier, 272,001 reprices every token (GPT-5.4, 5.5, 5.6, 6, 6.1)', () => {
    for (const model of ['gpt-5.4', 'gpt-5.5', 'gpt-5.6-sol', 'gpt-6-astra', 'gpt-6-sol', 'gpt-6.1-sol']) {
      const card = book.card(model);
      expect(card.tiers.map((tier) => tier.abovePromptTokens)).toEqual([0, 272_000]);
      expect(tierFor(card, 272_000).abovePromptTokens).toBe(0);
      expect(tierFor(card, 272_001).abovePromptTokens).toBe(272_000);
    }
    expect(bill('gpt-5.5', '2026-06-01', { fresh: 272_000, output: 1_000 })).toBeCloseTo(1.39, 12);
    expect(bill('gpt-5.5', '2026-06-01', { fresh: 272_001, output: 1_000 })).toBeCloseTo(2.76501, 12);
  });

  it('above 272,000 every class is dearer: input, cached and written twice, output one and a half times', () => {
    // Of 272,000 or 272,001 tokens 100,000 are read and 50,000 written, 10,000 come out, at 5/0.5/6.25/30 per million.
    const usage = { cacheRead: 100_000, cacheWrite5m: 50_000, output: 10_000 };
    // 0.61 + 0.05 + 0.3125 + 0.3
    expect(bill('gpt-5.6-sol', '2026-08-20', { ...usage, fresh: 122_000 })).toBeCloseTo(1.2725, 12);
    // 1.22001 + 0.1 + 0.625 + 0.45
    expect(bill('gpt-5.6-sol', '2026-08-20', { ...usage, fresh: 122_001 })).toBeCloseTo(2.39501, 12);
  });

  it('Sonnet 4.5 and Sonnet 4.6 before 2026-03-13 pay double in and half as much again out above 200k', () => {
    const usage = { fresh: 20_000, cacheRead: 150_000, cacheWrite5m: 20_000, cacheWrite1h: 10_000, output: 1_000 };
    const above = { ...usage, fresh: 20_001 };
    // 0.06 + 0.045 + 0.075 + 0.06 + 0.015
    expect(bill('claude-sonnet-4-5', '2026-02-20', usage)).toBeCloseTo(0.255, 12);
    // 0.120006 + 0.09 + 0.15 + 0.12 + 0.0225
    expect(bill('claude-sonnet-4-5', '2026-02-20', above)).toBeCloseTo(0.502506, 12);
    expect(bill('claude-sonnet-4-6', '2026-03-12', above)).toBeCloseTo(0.502506, 12);
    expect(bill('claude-sonnet-4-6', '2026-03-13', above)).toBeCloseTo(0.255003, 12);
  });

  it('Haiku 5.5 at 100,000 and 100,001 tokens, cached ones included', () => {
    expect(bill('claude-haiku-5-5', '2026-11-01', { cacheRead: 90_000, fresh: 10_000, output: 1_000 })).toBeCloseTo(
      0.0024,
      12,
    );
    expect(bill('claude-haiku-5-5', '2026-11-01', { cacheRead: 90_001, fresh: 10_000, output: 1_000 })).toBeCloseTo(
      0.01200005,
      12,
    );
  });

  it('Grok: a prompt of exactly 200,000 tokens pays the higher tier', () => {
    expect(bill('grok-4.7', '2026-10-01', { fresh: 199_999 })).toBeCloseTo(0.399998, 12);
    expect(bill('grok-4.7', '2026-10-01', { fresh: 200_000 })).toBeCloseTo(0.8, 12);
  });

  it('Sonnet 4 with the 1M beta pays double above 200k', () => {
    expect(bill('claude-sonnet-4-20250514', '2025-10-01', { fresh: 200_000 })).toBeCloseTo(0.6, 12);
    expect(bill('claude-sonnet-4-20250514', '2025-10-01', { fresh: 300_000 })).toBeCloseTo(1.8, 12);
  });
});

describe('dated rates', () => {
  it('Sonnet 5.5 reads: 0.20 until 2026-10-06, 0.10 from 2026-10-07', () => {
    expect(bill('claude-sonnet-5-5', '2026-10-06', { cacheRead: 1_000_000 })).toBeCloseTo(0.2, 12);
    expect(bill('claude-sonnet-5-5', '2026-10-07', { cacheRead: 1_000_000 })).toBeCloseTo(0.1, 12);
  });

  it('reads per million: 0.025x on Fable and Mythos 5.1, 0.05x on Opus 5.5, 0.1x on Fable 5', () => {
    expect(bill('claude-fable-5-1', '2026-11-01', { cacheRead: 1_000_000 })).toBeCloseTo(0.25, 12);
    expect(bill('claude-mythos-5-1', '2026-11-01', { cacheRead: 1_000_000 })).toBeCloseTo(0.25, 12);
    expect(bill('claude-opus-5-5', '2026-11-01', { cacheRead: 1_000_000 })).toBeCloseTo(0.2, 12);
    expect(bill('claude-fable-5', '2026-11-01', { cacheRead: 1_000_000 })).toBeCloseTo(1, 12);
  });

  it('GPT-5.6 Sol: 300k, of which 80k read and 10k written, 1k out, above 272k', () => {
    const usage = { fresh: 210_000, cacheRead: 80_000, cacheWrite5m: 10_000, output: 1_000 };
    // 2.1 + 0.08 + 0.125 + 0.045 before the promotion; 1.68 + 0.064 + 0.1 + 0.03 after
    expect(bill('gpt-5.6-sol', '2026-08-20', usage)).toBeCloseTo(2.35, 12);
    expect(bill('gpt-5.6-sol', '2026-08-21', usage)).toBeCloseTo(1.874, 12);
  });

  it('GPT-5.6 Sol: 300k, of which 280k read, 1k out, falls with the promotion of 2026-08-21', () => {
    const usage = { fresh: 20_000, cacheRead: 280_000, output: 1_000 };
    // 0.2 + 0.28 + 0.045 before, 0.16 + 0.224 + 0.03 after
    expect(bill('gpt-5.6-sol', '2026-08-20', usage)).toBeCloseTo(0.525, 12);
    expect(bill('gpt-5.6-sol', '2026-08-21', usage)).toBeCloseTo(0.414, 12);
  });

  it('DeepSeek V4 Flash: the package before 2026-09-10, ours from then on', () => {
    expect(bill('deepseek-v4-flash', '2026-08-16', { fresh: 1_000_000 })).toBeCloseTo(0.14, 12);
    expect(bill('deepseek-v4-flash', '2026-08-17', { fresh: 1_000_000 })).toBeCloseTo(0.22, 12);
    expect(bill('deepseek-v4-flash', '2026-09-10', { fresh: 1_000_000 })).toBeCloseTo(0.15, 12);
  });

  it('Gemini 4 Argon doubles on 2026-12-01', () => {
    expect(bill('gemini-4-argon', '2026-11-30', { fresh: 1_000_000 })).toBeCloseTo(2, 12);
    expect(bill('gemini-4-argon', '2026-12-01', { fresh: 1_000_000 })).toBeCloseTo(4, 12);
  });
});

describe('usdOf', () => {
  const rates = { fresh: 3, cacheRead: 0.3, cacheWrite5m: 3.75, cacheWrite1h: 6, output: 15 };
  const tokens = fc.nat(2_000_000);
  const usage = fc.record({
    fresh: tokens,
    cacheRead: tokens,
    cacheWrite5m: tokens,
    cacheWrite1h: tokens,
    output: tokens,
  });

  it('prices each class by its own rate', () => {
    expect(usdOf({ ...zeroUsage, fresh: 1_000_000 }, rates)).toBe(3);
    expect(usdOf({ ...zeroUsage, cacheRead: 1_000_000 }, rates)).toBe(0.3);
    expect(usdOf({ ...zeroUsage, cacheWrite5m: 1_000_000 }, rates)).toBe(3.75);
    expect(usdOf({ ...zeroUsage, cacheWrite1h: 1_000_000 }, rates)).toBe(6);
    expect(usdOf({ ...zeroUsage, output: 1_000_000 }, rates)).toBe(15);
  });

  it('is additive: one merged usage costs what its parts cost', () => {
    fc.assert(
      fc.property(usage, usage, (a, b) => {
        const merged = {
          fresh: a.fresh + b.fresh,
          cacheRead: a.cacheRead + b.cacheRead,
          cacheWrite5m: a.cacheWrite5m + b.cacheWrite5m,
          cacheWrite1h: a.cacheWrite1h + b.cacheWrite1h,
          output: a.output + b.output,
        };
        expect(usdOf(merged, rates)).toBeCloseTo(usdOf(a, rates) + usdOf(b, rates), 9);
      }),
    );
  });
});
