import { describe, expect, it } from 'vitest';
import { normalizeModel, spellings } from '../../../src/providers/prices/normalize.ts';

describe('normalizeModel', () => {
  const cases: readonly [string, string][] = [
    ['claude-sonnet-4-5-20250929', 'claude-sonnet-4-5'],
    ['Claude-Sonnet-4.6', 'claude-sonnet-4-6'],
    ['anthropic/claude-sonnet-4.6', 'claude-sonnet-4-6'],
    ['claude-4.6-opus', 'claude-opus-4-6'],
    ['claude-4-sonnet-20250514', 'claude-sonnet-4'],
    ['claude-opus-4-0', 'claude-opus-4'],
    ['claude-3.5-haiku', 'claude-3-5-haiku'],
    ['claude-sonnet-3.7', 'claude-3-7-sonnet'],
    ['claude-sonnet-4-5-20250929[1m]', 'claude-sonnet-4-5'],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5'],
    ['bedrock/global.anthropic.claude-opus-4-6-v1', 'claude-opus-4-6'],
    ['eu.anthropic.claude-opus-5', 'claude-opus-5'],
    ['vertex_ai/claude-opus-4-5@20251101', 'claude-opus-4-5'],
    ['publishers/anthropic/models/claude-opus-4-5@default', 'claude-opus-4-5'],
    ['openai/gpt-5-2025-08-07', 'gpt-5'],
    ['openai-codex/gpt-5.4', 'gpt-5.4'],
    ['gpt-5-4-mini', 'gpt-5.4-mini'],
    ['models/gemini-2.5-flash', 'gemini-2.5-flash'],
    ['gemini-2.5-flash-preview-05-20', 'gemini-2.5-flash-preview'],
    ['accounts/fireworks/models/deepseek-v4-pro', 'deepseek-v4-pro'],
    ['openrouter/deepseek/deepseek-v4-pro:free', 'deepseek-v4-pro'],
    ['chatgpt-4o-latest', 'chatgpt-4o'],
  ];
  it.each(cases)('%s is %s', (id, canonical) => {
    expect(normalizeModel(id)).toBe(canonical);
  });

  it.each([
    'claude-2.1',
    'claude-v1',
    'gpt-5.4-mini',
    'gpt-4-0613',
    'deepseek-v3',
    'mistral-large-2411',
    'mistral-large-latest',
    'claude-sonnet-4-5-thinking',
    '<synthetic>',
  ])('%s keeps its version', (id) => {
    expect(normalizeModel(id)).toBe(id.replace('2.1', '2-1'));
  });

  it('is idempotent', () => {
    for (const [id] of cases) expect(normalizeModel(normalizeModel(id))).toBe(normalizeModel(id));
  });

  it('tries the snapshot before the model', () => {
    expect(spellings('openai/gpt-4o-2024-05-13')).toEqual(['gpt-4o-2024-05-13', 'gpt-4o']);
  });
});
