import type { PriceRow } from './adapter.ts';
import type { ModelLimits } from './rates.ts';

/** Limits that the price package lacks or that the agents' own catalogues set lower, in tokens. */
export interface LimitRow extends ModelLimits {
  readonly models: readonly string[];
}

const claudePages = 'platform.claude.com/docs/en/models, 2026-10';

/** Dated data. Where a model is sold with two windows, the one that the recorded agents run with. */
export const limitRows: readonly LimitRow[] = [
  {
    models: [
      'claude-fable-5-1',
      'claude-fable-5',
      'claude-mythos-5-1',
      'claude-mythos-5',
      'claude-opus-5-5',
      'claude-opus-5',
      'claude-opus-4-8',
      'claude-opus-4-7',
      'claude-opus-4-6',
      'claude-sonnet-5-5',
      'claude-sonnet-5',
      'claude-haiku-5-5',
    ],
    window: 1_000_000,
    maxOutput: 128_000,
    source: claudePages,
  },
  // Whether its output limit was raised with the window was not found.
  {
    models: ['claude-sonnet-4-6'],
    window: 1_000_000,
    source: 'platform.claude.com/docs/en/about-claude/pricing (4.6 and later flat to 1M), 2026-08-21',
  },
  { models: ['claude-haiku-4-5'], window: 200_000, maxOutput: 64_000, source: claudePages },
  {
    // The 1M beta was opt-in and ended on 2026-04-30.
    models: ['claude-sonnet-4-5', 'claude-sonnet-4', 'claude-opus-4-5', 'claude-opus-4-1', 'claude-opus-4'],
    window: 200_000,
    source: 'platform.claude.com/docs/en/about-claude/pricing, 2026-08-21',
  },
  {
    // Recorded effective windows of 258,400 tokens are 95 % of this one; the API itself takes more.
    models: ['gpt-5.4', 'gpt-5.5'],
    window: 272_000,
    maxOutput: 128_000,
    source: "Codex's model catalogue, from recorded sessions, 2026-04 to 2026-07 (the API: about 1M)",
  },
  {
    models: ['gpt-5.6-sol', 'gpt-5.6'],
    window: 372_000,
    maxOutput: 128_000,
    source: "Codex's model catalogue (recorded 353,400 is 95 %), 2026-08 (the API: 1,050,000)",
  },
  {
    models: ['gpt-6.1-sol', 'gpt-6-sol', 'gpt-6-luna', 'gpt-6-astra'],
    window: 1_050_000,
    maxOutput: 128_000,
    source: 'genai-prices 0.1.8 context_window; vercel.com/ai-gateway/models/gpt-6.1-sol, 2026-10',
  },
  {
    models: ['gemini-4-argon'],
    window: 1_048_576,
    maxOutput: 65_536,
    source: 'docs.apiyi.com gemini-4-argon, 2026-10',
  },
  {
    models: ['gemini-2.5-pro', 'gemini-3-pro-preview', 'gemini-3.1-pro-preview'],
    window: 1_048_576,
    source: 'Gemini CLI @5411f113, packages/core, 2026-08-21',
  },
  {
    models: ['deepseek-flash', 'deepseek-v4-flash', 'deepseek-v4-pro'],
    window: 1_000_000,
    maxOutput: 384_000,
    source: 'api-docs.deepseek.com price page, 2026-11',
  },
  { models: ['grok-4.7'], window: 500_000, source: 'docs.x.ai/developers/grok-4-7, 2026-09' },
];

/** Limits of a model: our own data first, then the package's context window. */
export function limitsOf(model: string, row: PriceRow | undefined, packageSource: string): ModelLimits | undefined {
  const own = limitRows.find(({ models }) => models.includes(model));
  if (own) {
    const { window, maxOutput, source } = own;
    return maxOutput === undefined ? { window, source } : { window, maxOutput, source };
  }
  return row?.window === undefined ? undefined : { window: row.window, source: packageSource };
}
