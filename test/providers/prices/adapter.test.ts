import type { ModelInfo, Provider } from '@pydantic/genai-prices';
import { describe, expect, it } from 'vitest';
import { rowsOfPackage } from '../../../src/providers/prices/adapter.ts';
import { findRow } from '../../../src/providers/prices/table.ts';

const provider = (id: string, models: ModelInfo[]): Provider => ({ id, name: id, api_pattern: '', models });
const model = (id: string, prices: ModelInfo['prices'], more: Partial<ModelInfo> = {}): ModelInfo => ({
  id,
  match: { equals: id },
  prices,
  ...more,
});

function rowOf(providerId: string, info: ModelInfo, id = info.id) {
  return findRow(rowsOfPackage([provider(providerId, [info])]), id)?.row;
}

describe('rowsOfPackage', () => {
  it('reads all-zero and missing prices as unknown, not as free', () => {
    expect(rowOf('openai', model('gpt-x', { input_mtok: 0, output_mtok: 0 }))).toBeUndefined();
    expect(rowOf('openai', model('gpt-x', {}))).toBeUndefined();
    expect(rowOf('openai', model('gpt-x', { input_mtok: 1 }))).toBeUndefined();
    expect(rowOf('openai', model('gpt-x', { input_mtok: 1, output_mtok: 2 }))).toBeDefined();
  });

  it('reads a price that became unknown as unknown, not as the one before', () => {
    const later = { constraint: { type: 'start_date', start_date: '2026-05-01' } as const, prices: { input_mtok: 0 } };
    expect(rowOf('openai', model('gpt-x', [{ prices: { input_mtok: 1, output_mtok: 2 } }, later]))).toBeUndefined();
    const again = {
      constraint: { type: 'start_date', start_date: '2026-06-01' } as const,
      prices: { input_mtok: 3, output_mtok: 4 },
    };
    const row = rowOf('openai', model('gpt-x', [{ prices: { input_mtok: 1, output_mtok: 2 } }, again, later]));
    expect(row?.periods.map(({ from }) => from)).toEqual(['2026-06-01']);
  });

  it('does not price a snapshot without a price as its model', () => {
    const rows = rowsOfPackage([
      provider('openai', [model('gpt-x-2026-01-01', {}), model('gpt-x', { input_mtok: 1, output_mtok: 2 })]),
    ]);
    expect(findRow(rows, 'gpt-x')).toBeDefined();
    expect(findRow(rows, 'gpt-x-2026-01-01')).toBeUndefined();
    expect(findRow(rows, 'gpt-x-2026-02-02')?.model).toBe('gpt-x');
  });

  it('leaves out second-hand rows and resellers', () => {
    const prices = { input_mtok: 1, output_mtok: 2 };
    expect(rowOf('openai', model('gpt-x', prices, { price_comments: 'Imported from OpenRouter' }))).toBeUndefined();
    expect(rowOf('openrouter', model('gpt-x', prices))).toBeUndefined();
    expect(rowOf('google', model('claude-opus-5', prices))).toBeUndefined();
  });

  it('gives no discount where there is no read rate, and no surcharge where there is no write rate', () => {
    const row = rowOf('openai', model('gpt-x', { input_mtok: 1, output_mtok: 2 }));
    expect(row?.periods[0]).toMatchObject({
      chargesWrites: false,
      tiers: [{ rates: { fresh: 1, cacheRead: 1, cacheWrite5m: 1, cacheWrite1h: 1, output: 2 } }],
    });
  });

  it('derives the one-hour write for Anthropic only', () => {
    const prices = { input_mtok: 4, output_mtok: 8, cache_write_mtok: 5 };
    const rates = (id: string, name: string) => rowOf(id, model(name, prices))?.periods[0]?.tiers[0]?.rates;
    expect(rates('anthropic', 'claude-x')?.cacheWrite1h).toBe(8);
    expect(rates('openai', 'gpt-x')?.cacheWrite1h).toBe(5);
  });

  it('reads whole-request tiers, each class with the last threshold at or below', () => {
    const row = rowOf(
      'anthropic',
      model('claude-x', {
        input_mtok: { base: 1, tiers: [{ start: 100, price: 2 }] },
        output_mtok: { base: 5, tiers: [{ start: 200, price: 6 }] },
        cache_read_mtok: 0.1,
      }),
    );
    expect(
      row?.periods[0]?.tiers.map(({ abovePromptTokens, rates }) => [abovePromptTokens, rates.fresh, rates.output]),
    ).toEqual([
      [0, 1, 5],
      [100, 2, 5],
      [200, 2, 6],
    ]);
  });

  it('dates its periods, and keeps hours of the day with the newest', () => {
    const row = rowOf(
      'deepseek',
      model('deepseek-x', [
        { prices: { input_mtok: 1, output_mtok: 2 } },
        { constraint: { type: 'start_date', start_date: '2026-05-01' }, prices: { input_mtok: 3, output_mtok: 4 } },
        {
          constraint: { type: 'time_of_date', start_time: '01:00:00Z', end_time: '04:00:00Z' },
          prices: { input_mtok: 9, output_mtok: 9 },
        },
      ]),
    );
    expect(row?.periods.map(({ from, tiers }) => [from, tiers[0]?.rates.fresh])).toEqual([
      [undefined, 1],
      ['2026-05-01', 3],
    ]);
    expect(
      row?.periods.map(({ hours }) => hours?.map(({ from, to, tiers }) => [from, to, tiers[0]?.rates.fresh])),
    ).toEqual([undefined, [[60, 240, 9]]]);
  });

  it('takes a prefix as a name, never as a prefix', () => {
    const info = model(
      'claude-x-5',
      { input_mtok: 1, output_mtok: 2 },
      {
        match: { or: [{ starts_with: 'claude-x-5' }, { starts_with: 'claude-old-name' }, { contains: 'claude-x' }] },
      },
    );
    expect(rowOf('anthropic', info, 'claude-old-name')).toBeDefined();
    expect(rowOf('anthropic', info, 'claude-x-5-20260101')).toBeDefined();
    expect(rowOf('anthropic', info, 'claude-x-5-5')).toBeUndefined();
    expect(rowOf('anthropic', info, 'claude-x-5-fast')).toBeUndefined();
  });
});
