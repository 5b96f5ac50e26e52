import type { Findings, TokenCount } from '../session/index.ts';

/** Names under which providers and harnesses count the tokens of one request. */
const inputNames = [
  ...['input_tokens', 'prompt_tokens', 'inputTokens', 'promptTokens', 'promptTokenCount', 'fresh', 'input'],
];
const outputNames = [
  ...['output_tokens', 'completion_tokens', 'outputTokens', 'completionTokens', 'candidatesTokenCount', 'output'],
];
/** Counts that stand beside the input and are no part of it. */
const besideNames = [
  ...['cache_read_input_tokens', 'cache_creation_input_tokens', 'cacheReadInputTokens', 'cacheCreationInputTokens'],
  ...['cacheRead', 'cacheWrite', 'cacheWrite5m', 'cacheWrite1h'],
];

/** A usage stands near the top of its line; what lies deeper, or among more values than this, is somebody's document. */
const deepest = 6;
const mostValues = 2000;

/**
 * The tokens of the first usage in a line that a reader has no use for, wherever in the line it stands; undefined where
 * there is none. A usage is an object with a count of input and one of output.
 */
export function usageWithin(value: unknown): TokenCount | undefined {
  let level: unknown[] = [value];
  let left = mostValues;
  for (let depth = 0; depth < deepest && level.length > 0; depth += 1) {
    const below: unknown[] = [];
    for (const item of level) {
      if (typeof item !== 'object' || item === null) continue;
      const tokens = countsOf(item);
      if (tokens) return tokens;
      for (const child of Object.values(item)) {
        if (left === 0) break;
        left -= 1;
        below.push(child);
      }
    }
    level = below;
  }
  return undefined;
}

/** Counts a line that is passed over although it holds a usage, with its tokens; no bill has them. */
export function noteUnreadUsage(findings: Findings, path: string, line: number, kind: string, value: unknown): void {
  const tokens = usageWithin(value);
  if (tokens && tokens.input + tokens.output > 0)
    findings.add('unread-usage', path, line, kind.slice(0, 64), 1, tokens);
}

function countsOf(object: object): TokenCount | undefined {
  const counts = object as Readonly<Record<string, unknown>>;
  const input = firstCount(counts, inputNames);
  const output = firstCount(counts, outputNames);
  if (input === undefined || output === undefined) return undefined;
  return { input: besideNames.reduce((sum, name) => sum + (countOf(counts[name]) ?? 0), input), output };
}

function firstCount(counts: Readonly<Record<string, unknown>>, names: readonly string[]): number | undefined {
  for (const name of names) {
    const count = countOf(counts[name]);
    if (count !== undefined) return count;
  }
  return undefined;
}

function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
