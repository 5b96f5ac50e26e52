import { deepseekRows } from './overlay-deepseek.ts';
import { qwenRows } from './overlay-qwen.ts';
import { type OverlayRow, tier } from './overlay-row.ts';

/** Date of the newest fact in these files: the snapshot's date, at which a model newer than a session is priced. */
export const overlayDate = '2026-12-01';

const claudePrices = 'platform.claude.com/docs/en/about-claude/pricing';
const claudeModels = 'platform.claude.com/docs/en/models';

/** Rows that replace the package's row of the same model and start date, or stand beside it. */
export const overlayRows: readonly OverlayRow[] = [
  {
    model: 'claude-mythos-5',
    provider: 'anthropic',
    tiers: [tier(0, 10, 1, 12.5, 20, 50)],
    chargesWrites: true,
    source: claudePrices,
    asOf: '2026-08-21',
  },
  {
    model: 'claude-mythos-5-1',
    provider: 'anthropic',
    from: '2026-09-01',
    tiers: [tier(0, 10, 0.25, 12.5, 20, 50)],
    chargesWrites: true,
    source: 'kurofune/claudit v1.8.1 (read 0.025x)',
    asOf: '2026-09-01',
  },
  {
    model: 'claude-sonnet-5-5',
    provider: 'anthropic',
    from: '2026-09-28',
    tiers: [tier(0, 2, 0.2, 2.5, 4, 10)],
    chargesWrites: true,
    source: `${claudeModels}/sonnet-5-5`,
    asOf: '2026-10-02',
  },
  {
    model: 'claude-sonnet-5-5',
    provider: 'anthropic',
    from: '2026-10-07',
    tiers: [tier(0, 2, 0.1, 2.5, 4, 10)],
    chargesWrites: true,
    source: 'kurofune/claudit v1.9.2, TheKrush/PromptFuel v1.0.23 (read cut to 0.05x)',
    asOf: '2026-10-24',
  },
  {
    model: 'claude-haiku-5-5',
    provider: 'anthropic',
    from: '2026-10-07',
    tiers: [tier(0, 0.1, 0.01, 0.125, 0.2, 0.5), tier(100_000, 0.5, 0.05, 0.625, 1, 2.5)],
    chargesWrites: true,
    source: `${claudeModels}/haiku-5-5`,
    asOf: '2026-10-24',
  },
  {
    // The package has one tier; with the 1M beta (2025-08 to 2026-04-30) a prompt above 200k paid 2x in, 1.5x out.
    model: 'claude-sonnet-4',
    provider: 'anthropic',
    tiers: [tier(0, 3, 0.3, 3.75, 6, 15), tier(200_000, 6, 0.6, 7.5, 12, 22.5)],
    chargesWrites: true,
    source: `${claudePrices} and its history (premium above 200k)`,
    asOf: '2026-08-21',
  },
  {
    model: 'gpt-6.1-sol',
    provider: 'openai',
    from: '2026-09-29',
    tiers: [tier(0, 2, 0.1, 2.5, 2.5, 10), tier(272_000, 4, 0.2, 5, 5, 15)],
    chargesWrites: true,
    source: 'TheKrush/PromptFuel v1.0.22, wavespeed.ai price page (2/0.10/w2.5/10; above 272k 2x in, 1.5x out)',
    asOf: '2026-10-13',
  },
  {
    // The package says 0.50 for the launch months, the read rate of the later price.
    model: 'o3',
    provider: 'openai',
    tiers: [tier(0, 10, 2.5, 10, 10, 40)],
    chargesWrites: false,
    source: 'developers.openai.com/api/docs/pricing (read 0.25x of 10)',
    asOf: '2025-06-09',
  },
  {
    model: 'gpt-6.1-terra',
    provider: 'openai',
    from: '2026-10-26',
    tiers: [tier(0, 1, 0.05, 1.25, 1.25, 5)],
    chargesWrites: true,
    source: 'TheKrush/PromptFuel v1.0.24',
    asOf: '2026-10-27',
  },
  {
    model: 'gpt-6.2-sol',
    provider: 'openai',
    from: '2026-11-17',
    tiers: [tier(0, 2, 0.1, 2.5, 2.5, 10), tier(272_000, 4, 0.2, 5, 5, 15)],
    chargesWrites: true,
    source: 'developers.openai.com/api/docs/models/gpt-6.2-sol; start date akiiwa-games/AgentCompass-Router v0.6.8',
    asOf: '2026-11-18',
  },
  ...['gpt-5.6-sol', 'gpt-5.6'].map((model) => ({
    model,
    provider: 'openai',
    from: '2026-12-01',
    tiers: [tier(0, 5, 0.5, 6.25, 6.25, 30), tier(272_000, 10, 1, 12.5, 12.5, 45)],
    chargesWrites: true,
    source: 'docs.laozhang.ai announcement price-restore-2026-12 (a reseller; no statement of OpenAI was found)',
    remark: 'the end of the promotion on 2026-11-30 rests on one reseller',
    asOf: '2026-12-01',
  })),
  {
    // Writes are an item of their own since some day between 2026-08-02 and 2026-09-19: as much as input for 5m, twice that for 1h.
    model: 'kimi-k3',
    provider: 'moonshotai',
    from: '2026-09-19',
    tiers: [tier(0, 3, 0.3, 3, 6, 15)],
    chargesWrites: true,
    source: 'forum.moonshot.ai/t/613; MoonshotAI/kimi-code issue 3942',
    asOf: '2026-10-24',
  },
  ...qwenRows,
  ...deepseekRows,
  {
    model: 'gemini-4-argon',
    provider: 'google',
    from: '2026-09-30',
    tiers: [tier(0, 2, 0.1, 2, 2, 10)],
    chargesWrites: false,
    source: 'launch price through 2026-11-30: iyulab/TokenMeter v0.13.1, BerriAI/litellm discussion 46238',
    asOf: '2026-10-13',
  },
  {
    model: 'gemini-4-argon',
    provider: 'google',
    from: '2026-12-01',
    tiers: [tier(0, 4, 0.2, 4, 4, 20)],
    chargesWrites: false,
    source: 'price announced for 2026-12-01: iyulab/TokenMeter v0.13.1, BerriAI/litellm discussion 46238',
    asOf: '2026-10-13',
  },
  {
    model: 'grok-4.7',
    provider: 'x-ai',
    from: '2026-09-21',
    // xAI's boundary is inclusive: a prompt of exactly 200,000 tokens pays the higher tier.
    tiers: [tier(0, 2, 0.5, 2, 2, 6), tier(199_999, 4, 1, 4, 4, 12)],
    chargesWrites: false,
    source: 'docs.x.ai/developers/grok-4-7; BerriAI/litellm discussion 42287 (read rate, tier)',
    asOf: '2026-09-29',
  },
  {
    model: 'kimi-k3.1-pro',
    provider: 'moonshotai',
    from: '2026-10-24',
    tiers: [tier(0, 2, 0.2, 2, 4, 10)],
    chargesWrites: true,
    source: 'docs.apiyi.com kimi-k3-1 overview (quotes the official list); start date: first seen',
    asOf: '2026-10-25',
  },
  {
    model: 'kimi-k3.1-pro-highspeed',
    provider: 'moonshotai',
    from: '2026-10-24',
    tiers: [tier(0, 4, 0.2, 4, 8, 20)],
    chargesWrites: true,
    source: 'docs.apiyi.com kimi-k3-1 overview (quotes the official list); start date: first seen',
    asOf: '2026-10-25',
  },
];

/**
 * Thresholds that the package has one token too low: above means more than 272,000 tokens
 * (OpenAI price page; genai-prices issue 711, open).
 */
export const boundaryFixes: readonly { readonly provider: string; readonly start: number; readonly above: number }[] = [
  { provider: 'openai', start: 271_999, above: 272_000 },
];

/**
 * First days of models whose package row changes price later but does not say when it began. A session older than the
 * model is priced at the snapshot's date, and without this day it would get the launch price.
 */
export const launches: readonly { readonly model: string; readonly day: string; readonly source: string }[] = [
  { model: 'claude-opus-4-6', day: '2026-02-05', source: `${claudeModels}/opus-4-6` },
  { model: 'claude-sonnet-4-6', day: '2026-02-17', source: 'sreenathmmenon/llmswap v5.5.5 release notes' },
  { model: 'gpt-5.6', day: '2026-07-09', source: 'TheKrush/PromptFuel v1.0.17' },
  { model: 'gpt-5.6-sol', day: '2026-07-09', source: 'TheKrush/PromptFuel v1.0.17' },
  { model: 'gpt-5.6-terra', day: '2026-07-09', source: 'general availability with Sol' },
  { model: 'gpt-5.6-luna', day: '2026-07-09', source: 'general availability with Sol' },
  { model: 'deepseek-v4-pro', day: '2026-04-26', source: 'on the price page by this day' },
  { model: 'deepseek-v4-flash', day: '2026-04-26', source: 'on the price page by this day' },
  { model: 'kimi-k3', day: '2026-07-16', source: 'genai-prices moonshotai.yml' },
  { model: 'o3', day: '2025-04-16', source: 'date of its first snapshot' },
];

/** What a reader of the bill should know of a package row. */
export const remarks: readonly { readonly model: string; readonly from: string; readonly remark: string }[] = [
  { model: 'gpt-5.6-sol', from: '2026-08-21', remark: 'promotion, promised at least through 2026-11-21' },
  { model: 'gpt-5.6', from: '2026-08-21', remark: 'promotion, promised at least through 2026-11-21' },
];
