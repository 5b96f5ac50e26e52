/** Rules of a cache that works by itself, as dated data. */
export interface AutomaticRule {
  readonly match: RegExp;
  /** First day of the rule, `YYYY-MM-DD`; absent: always. */
  readonly from?: string;
  readonly minTokens: number;
  /** Reads are reported in multiples of so many tokens. */
  readonly stepTokens: number;
  /** Seconds of idleness after which an entry counts as gone; `named`: as the lifetime asked for is called. */
  readonly idleSeconds: number | 'named';
  /** Writes cost nothing extra in this mode, although the provider's other mode has a price for them. */
  readonly freeWrites?: true;
  /** What of this nobody has published. */
  readonly assumed: string;
  readonly source: string;
  readonly asOf: string;
}

/** One provider whose cache works by itself. */
export interface AutomaticProvider {
  readonly name: string;
  readonly title: string;
  /** As the price source names it; absent: it serves anybody's models. */
  readonly provider?: string;
  readonly examples: readonly string[];
  /** First match of model and date wins. */
  readonly rules: readonly AutomaticRule[];
}

/** Idle seconds where no lifetime is published: ten minutes, as the shortest retention that OpenAI states at its longest. */
const unstated = 600;

const gemini = {
  stepTokens: 1,
  idleSeconds: unstated,
  assumed: 'lifetime 10 idle minutes (published: at most 24 hours, most sooner); a hit is never promised',
  source: 'Gemini API, caching page',
  asOf: '2026-10-13',
} as const;

export const automaticProviders: readonly AutomaticProvider[] = [
  {
    name: 'gemini',
    title: 'Gemini implicit cache',
    provider: 'google',
    examples: ['gemini-2.5-pro', 'gemini-3.1-pro-preview'],
    rules: [
      // The page of 2026-05-07 still had the smallest prefixes of before, that of 2026-07-07 has the new one.
      { ...gemini, match: /^gemini-2/, from: '2026-07-07', minTokens: 2048 },
      { ...gemini, match: /^gemini-2\.5-pro/, minTokens: 4096, asOf: '2026-05-07' },
      { ...gemini, match: /^gemini-2\.5-flash/, minTokens: 1024, asOf: '2026-05-07' },
      { ...gemini, match: /^gemini-2/, minTokens: 2048 },
      { ...gemini, match: /^/, minTokens: 4096 },
    ],
  },
  {
    name: 'xai',
    title: 'xAI automatic prefix cache',
    provider: 'x-ai',
    examples: ['grok-4.6'],
    rules: [
      {
        match: /^/,
        minTokens: 1,
        stepTokens: 128,
        idleSeconds: unstated,
        assumed: 'lifetime 10 idle minutes (published: evicted at any time); 128-token blocks as a reseller measured',
        source: 'docs.x.ai; apiyi measurement of 2026-08-19',
        asOf: '2026-08-19',
      },
    ],
  },
  {
    name: 'moonshot',
    title: 'Moonshot automatic prefix cache',
    provider: 'moonshotai',
    examples: ['kimi-k3', 'kimi-k2.5'],
    rules: [
      {
        match: /^kimi-k3/,
        minTokens: 256,
        stepTokens: 256,
        idleSeconds: 'named',
        assumed: '256-token chunks as measured on the coding endpoint',
        source: 'forum.moonshot.ai/t/613 (5m and 1h writes)',
        asOf: '2026-10-24',
      },
      {
        match: /^/,
        minTokens: 256,
        stepTokens: 256,
        idleSeconds: unstated,
        assumed: 'lifetime 10 idle minutes; 256-token chunks as measured on the coding endpoint',
        source: 'pi-provider-kimi-code',
        asOf: '2026-10-24',
      },
    ],
  },
  {
    name: 'qwen',
    title: 'Qwen implicit cache',
    provider: 'qwen',
    examples: ['qwen4-max'],
    rules: [
      {
        match: /^/,
        minTokens: 1024,
        stepTokens: 1,
        idleSeconds: 300,
        freeWrites: true,
        assumed: 'whole blocks',
        source: 'Model Studio help (implicit minimum 1,024, 256 until mid-2026; 5 minutes, reset by a hit)',
        asOf: '2026-11-16',
      },
    ],
  },
  {
    name: 'glm',
    title: 'Z.AI automatic prefix cache',
    provider: 'zai',
    examples: ['glm-5.3'],
    rules: [
      {
        match: /^/,
        minTokens: 1,
        stepTokens: 1,
        idleSeconds: unstated,
        assumed: 'no smallest prefix, whole blocks, lifetime 10 idle minutes; a storage fee was not verified',
        source: 'docs.z.ai',
        asOf: '2026-11-30',
      },
    ],
  },
  {
    name: 'minimax',
    title: 'MiniMax passive cache',
    provider: 'minimax',
    examples: ['minimax-m3'],
    rules: [
      {
        match: /^/,
        minTokens: 512,
        stepTokens: 1,
        idleSeconds: unstated,
        freeWrites: true,
        assumed: 'lifetime 10 idle minutes (published: by load), whole blocks',
        source: 'platform.minimax.io',
        asOf: '2026-11-30',
      },
    ],
  },
  {
    name: 'mistral',
    title: 'Mistral prefix cache, with a prompt_cache_key',
    provider: 'mistral',
    examples: ['mistral-large-3'],
    rules: [
      {
        match: /^/,
        minTokens: 16,
        stepTokens: 16,
        idleSeconds: unstated,
        assumed: 'lifetime 10 idle minutes; 16-token blocks as the documented example of 1,008 of 1,013 tokens divides',
        source: 'platform-docs-public',
        asOf: '2026-08-21',
      },
    ],
  },
  {
    name: 'openrouter',
    title: "OpenRouter: the provider's cache, as long as it stays with that provider",
    examples: ['any'],
    rules: [
      {
        match: /^/,
        minTokens: 1024,
        stepTokens: 1,
        idleSeconds: 600,
        assumed: "smallest prefix 1,024 and whole blocks, in place of the provider's own rules",
        source: 'openrouter.ai/docs prompt-caching (stickiness ends after 10 idle minutes)',
        asOf: '2026-11-30',
      },
    ],
  },
];
