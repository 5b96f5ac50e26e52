import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { CtxsimError } from '../../../src/errors.ts';
import { pricePackage } from '../../../src/providers/prices/adapter.ts';
import { loadPriceBook, type PriceBook } from '../../../src/providers/prices/index.ts';
import { normalizeModel } from '../../../src/providers/prices/normalize.ts';
import { errorOf } from '../../errors.ts';

let book: PriceBook;
beforeAll(async () => {
  book = await loadPriceBook();
});

const at = (day: string) => Date.parse(`${day}T00:00:00Z`);

describe('card', () => {
  it('prices every model of the recorded corpus', () => {
    const recorded = [
      'claude-fable-5',
      'claude-haiku-4-5-20251001',
      'claude-opus-4-1-20250805',
      'claude-opus-4-5',
      'claude-opus-4-5-20251101',
      'claude-opus-4-6',
      'claude-opus-4-7',
      'claude-opus-4-8',
      'claude-opus-4.8',
      'claude-opus-5',
      'claude-sonnet-4-5',
      'claude-sonnet-4-5-20250929',
      'claude-sonnet-4.6',
      'claude-sonnet-5',
      'gemini-2.5-flash',
      'gemini-3.1-flash-lite',
      'google-antigravity/gemini-3.1-flash-lite',
      'gpt-4.1-mini-2025-04-14',
      'gpt-5.1-codex',
      'gpt-5.4',
      'gpt-5.4-mini',
      'gpt-5.5',
      'gpt-5.6-sol',
      'litellm_proxy/claude-sonnet-4-20250514',
    ];
    for (const model of recorded) expect(book.card(model).tiers[0]?.rates.fresh, model).toBeGreaterThan(0);
  });

  it('refuses names that are only near', () => {
    const strangers = [
      '<synthetic>',
      'unknown',
      'claude',
      'claude-opus-5-6',
      'claude-sonnet-5-5-5',
      'claude-opus-4-6-fast',
      'claude-2.1',
      'fable',
      'gpt-5.4-max',
      'gpt-5.7-sol',
      'gpt-6',
      'deepseek-r1-distill-llama-8b',
      'qwen/qwen3-coder:free',
      'accounts/someone/models/gpt-5',
    ];
    for (const model of strangers) {
      expect(() => book.card(model), model).toThrow(expect.objectContaining({ code: 'unknown-model' }));
    }
  });

  it('gives neighbours their own price', () => {
    const fresh = (model: string) => book.card(model, at('2026-11-01')).tiers[0]?.rates.fresh;
    expect(fresh('gpt-5')).toBe(1.25);
    expect(fresh('gpt-5.4')).toBe(2.5);
    expect(fresh('gpt-5.4-mini')).toBe(0.75);
    expect(fresh('gpt-4o')).toBe(2.5);
    expect(fresh('gpt-4o-2024-05-13')).toBe(5);
    expect(fresh('gpt-4o-mini')).toBe(0.15);
    expect(fresh('claude-opus-4-1')).toBe(15);
    expect(fresh('claude-opus-4-6')).toBe(5);
    expect(fresh('claude-opus-5')).toBe(5);
    expect(fresh('claude-opus-5-5')).toBe(4);
    expect(fresh('claude-sonnet-5-5')).toBe(2);
    expect(fresh('claude-haiku-5-5')).toBe(0.1);
  });

  it('reads one model in all its spellings as one card', () => {
    const card = book.card('claude-sonnet-4-5');
    for (const spelling of [
      'anthropic/claude-sonnet-4.5',
      'claude-sonnet-4-5-20250929',
      'claude-sonnet-4-5-20250929[1m]',
      'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
      'claude-4.5-sonnet',
      'CLAUDE-SONNET-4-5@20250929',
    ]) {
      expect(book.card(spelling)).toBe(card);
    }
  });

  it('knows a dated snapshot whose model the overlay changes', () => {
    expect(book.card('o3-2025-04-16', at('2025-05-01'))).toBe(book.card('o3', at('2025-05-01')));
    expect(book.card('o3', at('2025-05-01')).tiers[0]?.rates).toMatchObject({ fresh: 10, cacheRead: 2.5, output: 40 });
    expect(book.card('o3', at('2025-06-10')).tiers[0]?.rates).toMatchObject({ fresh: 2, cacheRead: 0.5, output: 8 });
  });

  it('charges writes only where there is a price of their own', () => {
    for (const model of ['claude-sonnet-5-5', 'gpt-5.6-sol', 'gpt-6.1-sol']) {
      expect(book.card(model).chargesWrites, model).toBe(true);
    }
    for (const model of ['gpt-5.5', 'gemini-2.5-pro', 'deepseek-v4-pro', 'grok-4.6']) {
      const card = book.card(model);
      expect(card.chargesWrites, model).toBe(false);
      expect(card.tiers[0]?.rates.cacheWrite5m).toBe(card.tiers[0]?.rates.fresh);
    }
  });

  it('says what a reader of the bill should know: prices go by the hour, the end of a promotion rests on one source', () => {
    for (const model of ['deepseek-v4-pro', 'deepseek-flash']) {
      expect(book.card(model).notes).toEqual([
        `${model}: prices go by the hour of each request; without times the ordinary ones hold`,
      ]);
      expect(book.card(model).source).toMatch(/by the hour/);
    }
    const after = book.card('gpt-5.6-sol', at('2026-11-22'));
    expect(after.id).toBe('gpt-5.6-sol@2026-08-21');
    expect(after.notes).toEqual(['gpt-5.6-sol: promotion, promised at least through 2026-11-21']);
    expect(book.card('gpt-5.6-sol', at('2026-08-20')).notes).toBeUndefined();
    const ended = book.card('gpt-5.6-sol', at('2026-12-01'));
    expect([ended.tiers[0]?.rates.fresh, ended.tiers[0]?.rates.output]).toEqual([5, 30]);
    expect(ended.notes).toEqual(['gpt-5.6-sol: the end of the promotion on 2026-11-30 rests on one reseller']);
  });

  it('never lets a generation price the next one', () => {
    const known = new Set(book.models());
    for (const model of known) {
      for (const next of [`${model}-5`, `${model}.5`, `${model}-5-5`]) {
        if (known.has(normalizeModel(next))) continue;
        expect(() => book.card(next), next).toThrow(expect.objectContaining({ code: 'unknown-model' }));
      }
    }
    expect(book.card('claude-sonnet-5').id).not.toBe(book.card('claude-sonnet-5-5').id);
  });

  it('has a history of every date', () => {
    expect(book.history('claude-sonnet-5-5').map(({ id }) => id)).toEqual([
      'claude-sonnet-5-5@2026-09-28',
      'claude-sonnet-5-5@2026-10-07',
    ]);
    expect(() => book.history('fable')).toThrow(CtxsimError);
  });

  it('gives a model without a price a card that says so, only where that is asked for', async () => {
    const lenient = await loadPriceBook({ allowUnpriced: true });
    expect(lenient.card('vendor/Mystery-1-20260101')).toMatchObject({
      id: 'vendor/mystery-1@unpriced',
      unpriced: true,
      provider: 'custom',
    });
    expect(lenient.card('claude-opus-5')).toEqual(book.card('claude-opus-5'));
    expect(lenient.id).toBe(book.id);
  });
});

describe('dates', () => {
  it('names the card by model and first day', () => {
    expect(book.card('claude-sonnet-5-5', at('2026-10-01')).id).toBe('claude-sonnet-5-5@2026-09-28');
    expect(book.card('claude-sonnet-5-5', at('2026-11-01')).id).toBe('claude-sonnet-5-5@2026-10-07');
    expect(book.card('claude-opus-4-6', at('2026-03-01')).id).toBe('claude-opus-4-6@2026-02-05');
    expect(book.card('claude-sonnet-4-5', at('2026-03-01')).id).toBe('claude-sonnet-4-5@launch');
  });

  it('prices a model that is newer than the session, and an unknown time, at the snapshot', () => {
    expect(book.card('claude-sonnet-5-5', at('2026-01-01')).id).toBe('claude-sonnet-5-5@2026-10-07');
    expect(book.card('claude-opus-4-6', at('2025-12-01')).id).toBe('claude-opus-4-6@2026-03-13');
    expect(book.card('gpt-5.6-sol', at('2026-01-01')).id).toBe('gpt-5.6-sol@2026-12-01');
    expect(book.card('claude-sonnet-5-5').id).toBe('claude-sonnet-5-5@2026-10-07');
    expect(book.card('claude-sonnet-5-5', Number.NaN).id).toBe('claude-sonnet-5-5@2026-10-07');
    expect(book.card('claude-sonnet-5-5', 1e20).id).toBe('claude-sonnet-5-5@2026-10-07');
  });

  it('changes rates at midnight UTC', () => {
    const change = at('2026-10-07');
    expect(book.card('claude-sonnet-5-5', change - 1).tiers[0]?.rates.cacheRead).toBe(0.2);
    expect(book.card('claude-sonnet-5-5', change).tiers[0]?.rates.cacheRead).toBe(0.1);
  });

  it('asOf overrides the time', async () => {
    const old = await loadPriceBook({ asOf: '2026-03-01' });
    expect(old.card('claude-opus-4-6', at('2026-11-01')).id).toBe('claude-opus-4-6@2026-02-05');
    expect(old.id).not.toBe(book.id);
    expect(old.id).toContain('as-of:2026-03-01');
  });

  it.each(['yesterday', '2026-2-1', '2026-02-30', ''])('asOf %j is refused', async (asOf) => {
    await expect(loadPriceBook({ asOf })).rejects.toThrow(CtxsimError);
  });
});

describe('book', () => {
  it('says which snapshot it is', () => {
    // The last part is a digest of every price: with other prices the id is another one.
    expect(book.id).toMatch(/^genai-prices@0\.1\.8\+ctxsim@2026-12-01\+[0-9a-f]{8}$/);
    const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(manifest.dependencies['@pydantic/genai-prices']).toBe(pricePackage.version);
  });

  it('lists canonical models, sorted, each of which has a price of its own name', () => {
    const models = book.models();
    expect([...models].sort()).toEqual(models);
    for (const model of models) expect(book.card(model).model).toBe(model);
    expect(models).toContain('claude-haiku-5-5');
    expect(models).not.toContain('claude');
    expect(models).not.toContain('claude-sonnet-4-5-20250929');
  });

  it('has sane cards: rates positive, tiers ascending, reads no dearer than fresh tokens, longer prompts no cheaper', () => {
    for (const model of book.models()) {
      const { tiers } = book.card(model);
      expect(tiers[0]?.abovePromptTokens, model).toBe(0);
      for (const [index, { abovePromptTokens, rates }] of tiers.entries()) {
        expect(rates.fresh, model).toBeGreaterThan(0);
        expect(rates.output, model).toBeGreaterThan(0);
        expect(rates.cacheRead, model).toBeLessThanOrEqual(rates.fresh);
        const before = tiers[index - 1];
        if (before === undefined) continue;
        expect(abovePromptTokens, model).toBeGreaterThan(before.abovePromptTokens);
        expect(rates.fresh, model).toBeGreaterThanOrEqual(before.rates.fresh);
      }
    }
  });

  it('names the nearest models and shows how to pass a price', () => {
    const error = errorOf(() => book.card('anthropic/claude-opus-5-6'));
    expect(error.message).toBe('no price for model "anthropic/claude-opus-5-6"');
    expect(error.hint).toContain('claude-opus-5');
    expect(error.hint).toContain('--prices FILE');
    const example = JSON.parse(error.hint?.slice(error.hint.indexOf('{')) ?? '');
    expect(Object.keys(example.models)).toEqual(['claude-opus-5-6']);
    expect(errorOf(() => book.card('fable')).hint).toContain('claude-fable-5');
  });
});

describe('limits', () => {
  it('knows windows by model', () => {
    expect(book.limits('claude-opus-5[1m]')).toMatchObject({ window: 1_000_000, maxOutput: 128_000 });
    expect(book.limits('claude-haiku-5-5')?.window).toBe(1_000_000);
    expect(book.limits('claude-sonnet-4-5-20250929')?.window).toBe(200_000);
    expect(book.limits('gpt-5.6-sol')?.window).toBe(372_000);
    expect(book.limits('gpt-5.1-codex')?.window).toBe(400_000);
    expect(book.limits('gemini-2.5-pro')?.window).toBe(1_048_576);
    expect(book.limits('never-heard-of')).toBeUndefined();
  });

  it('says where each comes from', () => {
    for (const model of book.models()) {
      const limits = book.limits(model);
      if (limits) expect(limits.source, model).not.toBe('');
    }
  });
});
