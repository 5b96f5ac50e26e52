import type { Region, ServiceTier } from './rates.ts';

/** What a request may be billed by besides the list price: a service tier or a region, with no name for the default. */
export type ServiceName = Exclude<ServiceTier, 'standard'> | Exclude<Region, 'global'>;

/** How a provider bills some of its models at one service tier or in one region. */
export interface ServiceRule {
  readonly provider: string;
  readonly of: ServiceName;
  /** Canonical ids of the models that it is sold for. */
  readonly models: RegExp;
  /** The same models in words, for who asks for another one. */
  readonly scope: string;
  /** Of the standard rate, for every class of tokens. */
  readonly factor: number;
  /** No rate for cached tokens is listed: they cost what fresh ones do. */
  readonly noCachedRate?: true;
  /** Longest prompt that is sold so, tokens; a longer one pays the standard rates. */
  readonly upTo?: number;
  /** What a reader of the bill should know. */
  readonly remark?: string;
  readonly source: string;
  /** Day on which the source was last known to say so. */
  readonly asOf: string;
}

const anthropicPrices = 'platform.claude.com/docs/en/about-claude/pricing';
const openaiPrices = 'developers.openai.com/api/docs/pricing';
const geminiTiers = 'ai.google.dev/gemini-api/docs/optimization';
const bestEffort = 'cache hits are best effort there, and are billed as if they came';

const anthropic = { provider: 'anthropic', source: anthropicPrices, asOf: '2026-08-21' } as const;
const openai = { provider: 'openai', source: openaiPrices, asOf: '2026-08-27' } as const;
const google = { provider: 'google', source: geminiTiers, asOf: '2026-11-30' } as const;

/** The longest prompt at the short-context price of GPT-5.4 and later, tokens. */
const shortContext = 272_000;

/** Dated data. Of several rules for one model the first holds. */
export const serviceRules: readonly ServiceRule[] = [
  {
    ...anthropic,
    of: 'batch',
    models: /^claude-(?!2$|v1$)/,
    scope: 'every Claude model since 3',
    factor: 0.5,
    remark: bestEffort,
  },
  { ...anthropic, of: 'fast', models: /^claude-opus-(?:4-8|5)$/, scope: 'Claude Opus 4.8 and 5', factor: 2 },
  {
    ...anthropic,
    of: 'fast',
    models: /^claude-opus-5-5$/,
    scope: 'Opus 5.5',
    factor: 2,
    source: 'TheKrush/PromptFuel v1.0.21 (8 in, 40 out)',
    asOf: '2026-09-23',
  },
  {
    ...anthropic,
    of: 'us',
    models: /^claude-(?:(?:opus|sonnet)-4-[6-8]|(?:opus|sonnet|haiku|fable|mythos)-5(?:-\d)?)$/,
    scope: 'Claude 4.6 and later (inference_geo: us)',
    factor: 1.1,
  },
  {
    ...anthropic,
    of: 'regional',
    models: /^claude-(?:(?:opus|sonnet|haiku)-4-[5-8]|(?:opus|sonnet|haiku|fable|mythos)-5(?:-\d)?)$/,
    scope: 'Claude 4.5 and later on Bedrock and Google Cloud',
    factor: 1.1,
    remark: 'the rate of regional and multi-region endpoints of Bedrock and Google Cloud',
  },
  {
    ...openai,
    of: 'batch',
    models: /^gpt-5\.5-pro$/,
    scope: 'GPT-5.5 Pro',
    factor: 0.5,
    upTo: shortContext,
  },
  {
    ...openai,
    of: 'batch',
    models: /^gpt-5(?:\.[12])?$|^gpt-5-(?:mini|nano|pro)$|^gpt-5\.2-pro$|^gpt-5\.4(?:-mini|-nano|-pro)?$|^gpt-5\.[56]$/,
    scope: 'GPT-5, 5.1, 5.2, 5.4 and 5.5 with their mini, nano and pro',
    factor: 0.5,
  },
  { ...openai, of: 'batch', models: /^gpt-5\.6-(?:sol|terra|luna)$/, scope: 'GPT-5.6', factor: 0.5 },
  {
    ...openai,
    of: 'batch',
    models: /^gpt-6(?:\.[12])?-(?:astra|sol|luna)$/,
    scope: 'GPT-6, 6.1 and 6.2',
    factor: 0.5,
    source: `${openaiPrices} (batch and flex 0.5x)`,
    asOf: '2026-11-30',
  },
  {
    ...openai,
    of: 'batch',
    models: /^gpt-4\.1(?:-mini|-nano)?$|^gpt-4o(?:-mini|-2024-05-13)?$|^o1(?:-pro)?$|^o3(?:-pro|-mini)?$|^o4-mini$/,
    scope: 'GPT-4.1, GPT-4o, o1, o3, o4-mini',
    factor: 0.5,
    noCachedRate: true,
  },
  {
    ...openai,
    of: 'flex',
    models: /^gpt-5\.5-pro$/,
    scope: 'GPT-5.5 Pro',
    factor: 0.5,
    upTo: shortContext,
  },
  {
    ...openai,
    of: 'flex',
    models: /^gpt-5(?:\.[12])?$|^gpt-5-(?:mini|nano)$|^gpt-5\.4(?:-mini|-nano|-pro)?$|^gpt-5\.[56]$|^o3$|^o4-mini$/,
    scope: 'GPT-5, 5.1, 5.2, 5.4 and 5.5 with their mini and nano, GPT-5.4 Pro, o3, o4-mini',
    factor: 0.5,
  },
  { ...openai, of: 'flex', models: /^gpt-5\.6-(?:sol|terra|luna)$/, scope: 'GPT-5.6', factor: 0.5 },
  {
    ...openai,
    of: 'flex',
    models: /^gpt-6-(?:sol|luna)$/,
    scope: 'GPT-6 Sol and Luna',
    factor: 0.5,
    source: 'amine123max/Codex-Manager 0.4.6 (quotes the price page)',
    asOf: '2026-09-23',
  },
  {
    ...openai,
    of: 'flex',
    models: /^gpt-6\.1-sol$/,
    scope: 'GPT-6.1 Sol',
    factor: 0.5,
    source: 'the model page, as translated by w3cschool.cn',
    asOf: '2026-12-07',
  },
  {
    ...openai,
    of: 'fast',
    models: /^gpt-5\.6(?:-sol|-terra|-luna)?$|^gpt-5\.4-mini$|^gpt-5(?:\.[12])?$|^gpt-4\.1-nano$/,
    scope: 'GPT-5, 5.1, 5.2, 5.6, GPT-5.4 mini, GPT-4.1 nano',
    factor: 2,
  },
  {
    ...openai,
    of: 'fast',
    models: /^gpt-6-(?:sol|luna)$/,
    scope: 'GPT-6 Sol and Luna',
    factor: 2,
    source: 'amine123max/Codex-Manager 0.4.6 (quotes the price page)',
    asOf: '2026-09-23',
  },
  {
    ...openai,
    of: 'fast',
    models: /^gpt-6\.[12]-sol$/,
    scope: 'GPT-6.1 and 6.2 Sol',
    factor: 2,
    source: 'amine123max/Codex-Manager 0.4.7; developers.openai.com/api/docs/models/gpt-6.2-sol',
    asOf: '2026-11-18',
  },
  { ...openai, of: 'fast', models: /^gpt-5\.5$/, scope: 'GPT-5.5', factor: 2.5, upTo: shortContext },
  { ...openai, of: 'fast', models: /^gpt-5\.4$/, scope: 'GPT-5.4', factor: 2, upTo: shortContext },
  { ...openai, of: 'fast', models: /^gpt-5-mini$/, scope: 'GPT-5 mini', factor: 1.8 },
  {
    ...openai,
    of: 'fast',
    models: /^gpt-4\.1(?:-mini)?$|^gpt-4o-2024-05-13$|^o3$/,
    scope: 'GPT-4.1, GPT-4.1 mini, o3',
    factor: 1.75,
  },
  { ...openai, of: 'fast', models: /^gpt-4o$/, scope: 'GPT-4o', factor: 1.7 },
  // 0.25 for 0.15 and 2.00 for 1.10: the list gives prices, and these have no short factor.
  { ...openai, of: 'fast', models: /^gpt-4o-mini$/, scope: 'GPT-4o mini', factor: 5 / 3 },
  { ...openai, of: 'fast', models: /^o4-mini$/, scope: 'o4-mini', factor: 20 / 11 },
  {
    ...openai,
    of: 'regional',
    models:
      /^gpt-5\.4(?:-mini|-nano|-pro)?$|^gpt-5\.5(?:-pro)?$|^gpt-5\.6(?:-sol|-terra|-luna)?$|^gpt-6(?:\.[12])?-(?:astra|sol|luna|terra)$/,
    scope: 'models released since 2026-03-05 (GPT-5.4 and later)',
    factor: 1.1,
  },
  {
    ...google,
    of: 'batch',
    models: /^gemini-(?:2\.5|3|4)/,
    scope: 'Gemini 2.5 and later',
    factor: 0.5,
    remark: bestEffort,
  },
  { ...google, of: 'flex', models: /^gemini-(?:2\.5|3|4)/, scope: 'Gemini 2.5 and later', factor: 0.5 },
];
