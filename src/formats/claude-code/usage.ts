import type { Usage } from '../../session/index.ts';
import { isPossible, largestCount, largestOutput } from '../../session/index.ts';
import { besideOf, explainPasses } from './passes.ts';
import { field, type JsonObject, objectField, objectsOf, textField } from './records.ts';

/** Counts something odd about a usage: its kind and what exactly. */
export type Odd = (kind: string, detail?: string) => void;

/** Values of `inference_geo` that cost what the list says (seen in recorded sessions). */
const usualPlaces = ['', 'global', 'not_available'];

/** Counts as recorded; 0 where the transcript has none. `write` is the total, of which the two others are the known lifetimes. */
export interface RawUsage {
  readonly input: number;
  readonly output: number;
  readonly read: number;
  readonly write: number;
  readonly write5m: number;
  readonly write1h: number;
  readonly thinking: number;
  readonly searches: number;
  readonly speed: string | undefined;
  readonly tier: string | undefined;
  readonly geo: string | undefined;
  readonly iterations: readonly Iteration[];
}

/** One provider-side pass of a response; other kinds than `message` are billed beside the response's own usage. */
export interface Iteration {
  readonly kind: string;
  readonly model: string | undefined;
  readonly usage: RawUsage;
}

export function parseUsage(usage: JsonObject, odd: Odd): RawUsage {
  const count = (object: JsonObject | undefined, key: string) => parseCount(field(object, key), key, odd);
  const split = objectField(usage, 'cache_creation');
  const write5m = count(split, 'ephemeral_5m_input_tokens') ?? 0;
  const write1h = count(split, 'ephemeral_1h_input_tokens') ?? 0;
  const input = count(usage, 'input_tokens') ?? 0;
  const read = count(usage, 'cache_read_input_tokens');
  // Some compatible endpoints report reads under the name, and with the inclusive meaning, of another protocol.
  const included = read === undefined ? (count(usage, 'cached_tokens') ?? 0) : 0;
  return {
    input: included <= input ? input - included : input,
    output: count(usage, 'output_tokens') ?? 0,
    read: read ?? included,
    write: count(usage, 'cache_creation_input_tokens') ?? write5m + write1h,
    write5m,
    write1h,
    thinking: count(objectField(usage, 'output_tokens_details'), 'thinking_tokens') ?? 0,
    searches: count(objectField(usage, 'server_tool_use'), 'web_search_requests') ?? 0,
    speed: textField(usage, 'speed'),
    tier: textField(usage, 'service_tier'),
    geo: textField(usage, 'inference_geo'),
    iterations: objectsOf(field(usage, 'iterations')).map((iteration) => ({
      kind: textField(iteration, 'type') ?? 'message',
      model: textField(iteration, 'model'),
      usage: parseUsage({ ...iteration, iterations: undefined }, odd),
    })),
  };
}

function parseCount(value: unknown, key: string, odd: Odd): number | undefined {
  if (value === undefined || value === null) return undefined;
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  const most = key === 'output_tokens' ? largestOutput : largestCount;
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < 0 || number > most) {
    odd('bad-count', key);
    return undefined;
  }
  if (typeof value === 'string') odd('count-as-text', key);
  return number;
}

/** Usage of a response whose lines each carry a copy: the largest of each count, the split of the copy that has the most. */
export function mergeUsage(a: RawUsage | undefined, b: RawUsage): RawUsage {
  if (!a) return b;
  const split = b.write5m + b.write1h > a.write5m + a.write1h ? b : a;
  return {
    input: Math.max(a.input, b.input),
    output: Math.max(a.output, b.output),
    read: Math.max(a.read, b.read),
    write: Math.max(a.write, b.write),
    write5m: split.write5m,
    write1h: split.write1h,
    thinking: Math.max(a.thinking, b.thinking),
    searches: Math.max(a.searches, b.searches),
    speed: a.speed ?? b.speed,
    tier: a.tier ?? b.tier,
    geo: a.geo ?? b.geo,
    iterations: b.iterations.length >= a.iterations.length && b.output >= a.output ? b.iterations : a.iterations,
  };
}

/**
 * What a response cost. Of several passes the last one carried the context that the next request builds on: it is the
 * request, with the output of all; the input of the others was billed beside it.
 */
export interface Settled {
  readonly usage: Usage;
  readonly extras: readonly { readonly model: string | undefined; readonly usage: Usage }[];
}

/** Turns recorded counts into exclusive classes; undefined where nothing was counted, or what cannot be. */
export function settleUsage(raw: RawUsage, odd: Odd): Settled | undefined {
  const passes = explainPasses(raw);
  if (!passes && raw.iterations.length > 1) odd('iterations-mismatch');
  if (raw.input + raw.read + raw.write + raw.output === 0) return undefined;
  if (raw.speed !== undefined && raw.speed !== 'standard') odd('speed', raw.speed);
  if (raw.tier !== undefined && raw.tier !== 'standard') odd('service-tier', raw.tier);
  if (raw.geo !== undefined && !usualPlaces.includes(raw.geo)) odd('inference-geo', raw.geo);
  if (raw.searches > 0) odd('web-search-fee');
  const { request, earlier, beside } = passes ?? { request: raw, earlier: [], beside: besideOf(raw) };
  const settled = {
    usage: exclusive(request, odd),
    extras: [
      ...earlier.map(({ model, usage }) => ({ model, usage: exclusive({ ...usage, output: 0 }, odd) })),
      ...beside.map(({ model, usage }) => ({ model, usage: exclusive(usage, odd) })),
    ],
  };
  if ([settled, ...settled.extras].every(({ usage }) => isPossible(usage))) return settled;
  odd('impossible-usage');
  return undefined;
}

function exclusive(raw: RawUsage, odd: Odd): Usage {
  const split = raw.write5m + raw.write1h;
  if (split === 0 && raw.write > 0) odd('write-ttl-unknown');
  else if (split !== raw.write) odd('write-split-mismatch');
  return {
    fresh: raw.input,
    cacheRead: raw.read,
    cacheWrite5m: raw.write5m + Math.max(0, raw.write - split),
    cacheWrite1h: raw.write1h,
    output: raw.output,
  };
}
