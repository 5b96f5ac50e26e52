import { isPossible, largestCount, largestOutput, promptTokens, type Usage } from '../../session/index.ts';
import { isRecord, type JsonRecord } from './records.ts';

/** Counts something odd about a usage: its kind and what exactly. */
export type Odd = (kind: string, detail?: string) => void;

/** What an answer was billed, and the part of its output that is reasoning, tokens. */
export interface Counted {
  readonly usage: Usage;
  readonly reasoning: number;
}

/**
 * The usage of an answer: pi's classes are exclusive already, and of the written tokens it names those that live for an hour.
 * Undefined where nothing was counted, or where a count cannot be: a zero in its place would be a bill.
 */
export function readUsage(value: unknown, odd: Odd): Counted | undefined {
  if (!isRecord(value)) return undefined;
  const count = (name: string) => readCount(value, name, odd);
  const [fresh, cacheRead, output] = [count('input'), count('cacheRead'), count('output')];
  const [written, long] = [count('cacheWrite'), count('cacheWrite1h')];
  if (fresh === undefined || cacheRead === undefined || output === undefined) return undefined;
  if (written === undefined || long === undefined) return undefined;
  const usage = { fresh, cacheRead, cacheWrite5m: written - long, cacheWrite1h: long, output };
  if (long > written || !isPossible(usage)) {
    odd('impossible-usage');
    return undefined;
  }
  // A prompt of no tokens was never sent: the zeros stand for what pi had not been told.
  if (promptTokens(usage) === 0) return undefined;
  if (written > 0 && (value.cacheWrite1h ?? undefined) === undefined) odd('write-ttl-unknown');
  if (!addsUp(value, usage)) odd('usage-mismatch', 'totalTokens');
  // Not billed apart: one that cannot be is left out, and the bill stands.
  const reasoning = count('reasoning') ?? 0;
  return { usage, reasoning: reasoning <= output ? reasoning : 0 };
}

function addsUp({ totalTokens }: JsonRecord, usage: Usage): boolean {
  return typeof totalTokens !== 'number' || totalTokens === 0 || totalTokens === promptTokens(usage) + usage.output;
}

function readCount(usage: JsonRecord, name: string, odd: Odd): number | undefined {
  const value = usage[name];
  if (value === undefined || value === null) return 0;
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  const most = name === 'output' ? largestOutput : largestCount;
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 && number <= most) return number;
  odd('bad-count', name);
  return undefined;
}
