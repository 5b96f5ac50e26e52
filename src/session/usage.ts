/**
 * Tokens of one or more requests in exclusive classes: they add up and nothing is counted twice.
 * prompt = fresh + cacheRead + cacheWrite5m + cacheWrite1h. All counts are tokens, finite integers >= 0.
 */
export interface Usage {
  /** Input tokens billed at the plain input rate. */
  readonly fresh: number;
  /** Input tokens read from the prompt cache. */
  readonly cacheRead: number;
  /** Input tokens written to the cache with the 5-minute lifetime (also writes whose lifetime is unknown). */
  readonly cacheWrite5m: number;
  /** Input tokens written to the cache with the 1-hour lifetime. */
  readonly cacheWrite1h: number;
  /** Output tokens, reasoning included. */
  readonly output: number;
}

/** No prompt, and no count of any kind, has more tokens than this; counts are laid out as 32-bit integers, and a larger one is a fault of its source. */
export const largestCount = 2 ** 31 - 1;

/** More output in one response is a fault of the recording: the largest limit of any model is 384,000 (limits, 2026-11-30). */
export const largestOutput = 1_000_000;

export const usageClasses = ['fresh', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h', 'output'] as const;
export type UsageClass = (typeof usageClasses)[number];

export const zeroUsage: Usage = { fresh: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0 };

/** Input tokens of a usage: everything but the output. */
export function promptTokens(usage: Usage): number {
  return usage.fresh + usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h;
}

/** False for a usage that no single request can have, even if each of its counts alone could be one. */
export function isPossible(usage: Usage): boolean {
  return promptTokens(usage) <= largestCount && usage.output <= largestOutput;
}

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    fresh: a.fresh + b.fresh,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite5m: a.cacheWrite5m + b.cacheWrite5m,
    cacheWrite1h: a.cacheWrite1h + b.cacheWrite1h,
    output: a.output + b.output,
  };
}
