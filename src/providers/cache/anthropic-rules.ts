/** Rules of Anthropic's prompt cache as dated data. First row that matches model and date wins. */
export interface AnthropicRule {
  readonly match: RegExp;
  /** Where the model is served; absent: everywhere. */
  readonly host?: 'bedrock';
  /** First day of the rule, `YYYY-MM-DD`; absent: always. */
  readonly from?: string;
  /** Smallest prefix that is written, tokens, counted from the start of the prompt. */
  readonly minPrefixTokens: number;
  readonly source: string;
  readonly asOf: string;
  /** True where the number is not published for the model. */
  readonly assumed?: boolean;
}

const docs = 'platform.claude.com, prompt caching page';
const history = 'change history of the prompt caching page';

/** Smallest cacheable prefix by model (providers.md §1.2). */
export const anthropicRules: readonly AnthropicRule[] = [
  {
    match: /opus-4-7/,
    host: 'bedrock',
    minPrefixTokens: 4096,
    source: 'LiteLLM documentation; the Anthropic page says 2,048',
    asOf: '2026-10-07',
    assumed: true,
  },
  {
    match: /sonnet-4-6/,
    host: 'bedrock',
    minPrefixTokens: 2048,
    source: 'AWS agent toolkit; the Anthropic page says 1,024',
    asOf: '2026-08-20',
    assumed: true,
  },
  {
    match: /(opus|fable|mythos)-5-\d/,
    minPrefixTokens: 512,
    source: 'not found; as Opus 5',
    asOf: '2026-11-30',
    assumed: true,
  },
  {
    match: /(sonnet|haiku)-5-\d/,
    minPrefixTokens: 1024,
    source: 'not found; as Sonnet 5',
    asOf: '2026-11-30',
    assumed: true,
  },
  { match: /(opus|fable|mythos)-5/, minPrefixTokens: 512, source: docs, asOf: '2026-08-21' },
  { match: /mythos/, minPrefixTokens: 2048, source: docs, asOf: '2026-08-21' },
  { match: /sonnet-5/, minPrefixTokens: 1024, source: docs, asOf: '2026-08-21' },
  { match: /opus-4-8/, minPrefixTokens: 1024, source: docs, asOf: '2026-08-21' },
  { match: /opus-4-7/, from: '2026-06-09', minPrefixTokens: 2048, source: history, asOf: '2026-08-21' },
  { match: /opus-4-7/, minPrefixTokens: 4096, source: history, asOf: '2026-08-21' },
  { match: /opus-4-[56]/, minPrefixTokens: 4096, source: docs, asOf: '2026-08-21' },
  { match: /sonnet-4-6/, from: '2026-05-14', minPrefixTokens: 1024, source: history, asOf: '2026-08-21' },
  { match: /sonnet-4-6/, from: '2026-02-27', minPrefixTokens: 2048, source: history, asOf: '2026-08-21' },
  { match: /sonnet-4-6/, minPrefixTokens: 1024, source: history, asOf: '2026-08-21' },
  { match: /haiku-4-5/, minPrefixTokens: 4096, source: docs, asOf: '2026-08-21' },
  { match: /haiku/, minPrefixTokens: 2048, source: docs, asOf: '2026-08-21' },
  { match: /^/, minPrefixTokens: 1024, source: docs, asOf: '2026-08-21' },
];

/** Markers per request; a fifth is refused (providers.md §1.1). */
export const anthropicMarkers = { count: 4, source: docs, asOf: '2026-08-21' } as const;

/** Positions that are searched from a marker, the marker itself included, going back one block at a time (§1.1). */
export const anthropicLookback = { positions: 20, source: docs, asOf: '2026-08-21' } as const;

/** The rule for a model at a time (milliseconds since the epoch); without a time, today's. */
export function anthropicRule(model: string, timeMs?: number, at = 'anthropic'): AnthropicRule {
  const rule = anthropicRules.find(
    ({ match, from, host }) =>
      match.test(model) &&
      (host === undefined || host === at) &&
      (from === undefined || timeMs === undefined || Date.parse(from) <= timeMs),
  );
  if (!rule) throw new Error('the last rule matches every model');
  return rule;
}
