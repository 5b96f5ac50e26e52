/** Rules of OpenAI's prompt cache as dated data, by generation of model. First match wins (providers.md §2). */
export interface OpenAiRule {
  readonly match: RegExp;
  /** Entries at message ends and at breakpoints that the client places, or every prefix by itself. */
  readonly placement: 'breakpoints' | 'automatic';
  readonly minTokens: number;
  /** Reads are reported in multiples of so many tokens. */
  readonly stepTokens: number;
  /** Seconds of idleness after which an entry counts as gone. */
  readonly idleSeconds: number;
  readonly sellsDay: boolean;
  readonly lifetime: string;
  readonly source: string;
  readonly asOf: string;
}

const docs = 'OpenAI, prompt caching page';

export const openAiRules: readonly OpenAiRule[] = [
  {
    match: /^gpt-(5\.[6-9]|[6-9])/,
    placement: 'breakpoints',
    minTokens: 1024,
    stepTokens: 1,
    idleSeconds: 1800,
    sellsDay: false,
    lifetime: '30 minutes at least after the last write or reuse',
    source: docs,
    asOf: '2026-09-10',
  },
  {
    match: /^gpt-5\.5/,
    placement: 'automatic',
    minTokens: 1024,
    stepTokens: 128,
    idleSeconds: 1800,
    sellsDay: true,
    lifetime: '30 minutes typically, up to 24 hours (assumed: 30 minutes after the last use)',
    source: docs,
    asOf: '2026-09-10',
  },
  {
    match: /^/,
    placement: 'automatic',
    minTokens: 1024,
    stepTokens: 128,
    idleSeconds: 600,
    sellsDay: true,
    lifetime: '5 to 10 idle minutes in memory, at most an hour (assumed: 10 minutes after the last use)',
    source: docs,
    asOf: '2026-09-10',
  },
];

/** Breakpoints of gpt-5.6 and later: writes per request, and how many earlier message ends a lookup reaches (assumed: blocks). */
export const openAiBreakpoints = { markers: 4, lookback: 20, source: docs, asOf: '2026-09-10' } as const;

/** Settings that are part of the prefix (providers.md §2): tools, reasoning effort, service tier. */
export const openAiSettings = { tools: 'all', effort: 'all', speed: 'all' } as const;

/** The rule of a model. */
export function openAiRule(model: string): OpenAiRule {
  const rule = openAiRules.find(({ match }) => match.test(model));
  if (!rule) throw new Error('the last rule matches every model');
  return rule;
}
