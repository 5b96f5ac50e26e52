/** How many tokens a model's tokenizer makes of a text for each o200k_base token, before anything is fitted. */
export interface TokenizerGeneration {
  readonly name: string;
  /** Models of the generation, by canonical id. */
  readonly match: RegExp;
  /** Model tokens per o200k_base token. */
  readonly factor: number;
  /** What such an estimate is off by, as a share of what prompts grow by: median over recorded sessions; unset where none are known. */
  readonly residual?: number;
  readonly source: string;
  readonly asOf: string;
}

/** First match wins. Prior factors of providers.md §8: published ratios, to be fitted per session where usage is recorded. */
export const tokenizerGenerations: readonly TokenizerGeneration[] = [
  {
    name: 'claude-4.7+',
    match: /(opus-4-[78]|(opus|sonnet|haiku|fable|mythos)-5|mythos)/,
    factor: 1.53,
    residual: 0.28, // 19 public sessions, 2026-11-30
    source: 'published ratio to o200k_base for Opus 4.7 and later (flat)',
    asOf: '2026-08-11',
  },
  {
    name: 'claude-4.6-and-earlier',
    match: /claude/,
    factor: 1.18,
    residual: 0.15, // 32 public sessions, 2026-11-30
    source: 'published ratio to o200k_base for Claude up to 4.6 (flat)',
    asOf: '2026-08-11',
  },
  {
    name: 'o200k',
    match: /^(gpt-|o\d|codex)/,
    factor: 1,
    residual: 0.04, // 27 public sessions, 2026-11-30
    source: 'OpenAI models since GPT-4o use o200k_base itself',
    asOf: '2026-11-30',
  },
  {
    name: 'other',
    match: /^/,
    factor: 1,
    source: 'no published ratio: o200k_base as it is (assumed)',
    asOf: '2026-11-30',
  },
];

/** Never undefined: the last generation matches every name. */
export function tokenizerGeneration(model: string): TokenizerGeneration {
  const id = model.toLowerCase().replaceAll('.', '-');
  return tokenizerGenerations.find((generation) => generation.match.test(id)) as TokenizerGeneration;
}
