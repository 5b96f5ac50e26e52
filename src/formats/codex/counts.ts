import type { TokenCount, Usage } from '../../session/index.ts';
import { isRecord } from './records.ts';

/** Reports something repaired or left out, by kind and detail, and the tokens that are not billed for it. */
export type Note = (kind: string, detail?: string, tokens?: TokenCount) => void;

/** One TokenUsage object of a rollout: cached and written tokens lie inside input, reasoning inside output. */
export interface Counts {
  readonly input: number;
  readonly cached: number;
  readonly written: number;
  readonly output: number;
  readonly reasoning: number;
  /** As recorded; in snapshots after a compaction it is an estimate of the context and not input + output. */
  readonly total: number;
}

/**
 * Reads one TokenUsage object; undefined if there is none, or if a count that is billed cannot be: a zero in its place would be
 * a bill. A count above `most` cannot be.
 */
export function readCounts(value: unknown, most: number, note: Note): Counts | undefined {
  if (!isRecord(value)) return undefined;
  const read = (name: string) => readCount(value[name], name, most, note);
  const input = read('input_tokens');
  const cached = read('cached_input_tokens');
  const written = read('cache_write_input_tokens');
  const output = read('output_tokens');
  const reasoning = read('reasoning_output_tokens') ?? 0;
  const total = read('total_tokens') ?? 0;
  if (input === undefined || cached === undefined || written === undefined || output === undefined) return undefined;
  return { input, cached, written, output, reasoning, total: total || input + output };
}

/** Input and output: what was billed, unlike `total`. */
export function billed(counts: Counts): number {
  return counts.input + counts.output;
}

/** True if both stand for the same state of a counter. */
export function sameCounts(a: Counts, b: Counts): boolean {
  return a.input === b.input && a.cached === b.cached && a.written === b.written && a.output === b.output;
}

/** What a counter grew by; a field may be negative. */
export function difference(now: Counts, before: Counts): Counts {
  return {
    input: now.input - before.input,
    cached: now.cached - before.cached,
    written: now.written - before.written,
    output: now.output - before.output,
    reasoning: now.reasoning - before.reasoning,
    total: billed(now) - billed(before),
  };
}

/** True if no field is below zero. */
export function isGrowth(counts: Counts): boolean {
  const { input, cached, written, output, reasoning } = counts;
  return Math.min(input, cached, written, output, reasoning) >= 0;
}

/** The exclusive classes. Parts that are larger than the whole are cut to it and counted, so that the prompt stays `input`. */
export function toUsage(counts: Counts, note: Note): Usage {
  const cached = clamp(counts.cached, counts.input, 'cached_input_tokens', note);
  const written = clamp(counts.written, counts.input - cached, 'cache_write_input_tokens', note);
  return {
    fresh: counts.input - cached - written,
    cacheRead: cached,
    cacheWrite5m: written,
    cacheWrite1h: 0,
    output: counts.output,
  };
}

/** A part of a whole: one that is larger is cut to it, and counted. */
export function clamp(part: number, whole: number, name: string, note: Note): number {
  if (part <= whole) return part;
  note('clamped-usage', name);
  return whole;
}

function readCount(value: unknown, name: string, most: number, note: Note): number | undefined {
  if (value === undefined || value === null) return 0;
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !(number >= 0) || number > most) {
    note('bad-number', name);
    return undefined;
  }
  if (typeof value === 'string') note('count-as-text', name);
  return Math.floor(number);
}
