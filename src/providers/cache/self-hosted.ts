import { CtxsimError } from '../../errors.ts';
import type { CacheModel, RuleNote } from '../provider.ts';
import { ttlClasses } from '../provider.ts';
import { BlockCache } from './block-cache.ts';
import { idleLifetimes } from './lifetimes.ts';
import { PrefixCache } from './prefix-cache.ts';

const vllmBlock = { tokens: 16, source: 'vLLM, docs/design/prefix_caching.md (2026-11-30)' } as const;
const sglangSource = 'SGLang, radix attention (2026-11-30)';

/** Nothing expires by the clock. */
const lifetimes = idleLifetimes(Number.POSITIVE_INFINITY);

/** vLLM's automatic prefix cache with all the room it wants; `vllm:capacity=TOKENS` gives it less. */
export const vllm: CacheModel = vllmOf(Number.POSITIVE_INFINITY);

/** SGLang's radix tree: token by token, with all the room it wants. */
export const sglang: CacheModel = {
  name: 'sglang',
  title: 'SGLang radix cache of one session: the physical bound of reuse',
  examples: ['any'],
  rulesFor: () => ({
    entries: { at: 'steps', minTokens: 0, stepTokens: 1 },
    usesMarkers: false,
    ttls: ttlClasses,
    lifetimes,
    notes: [
      { rule: 'entries', value: 'every prefix, token by token (here: block by block)', source: sglangSource },
      { rule: 'eviction', value: 'none: unlimited room (assumed)', source: sglangSource, assumed: true },
    ],
    create: () => new PrefixCache({ minTokens: 0, stepTokens: 1, lifetimes, chargesWrites: false }),
  }),
};

/**
 * vLLM with room for so many tokens, as `--cache vllm:capacity=TOKENS` asks for; undefined if the text asks for something else.
 * @throws CtxsimError `bad-cache` for a capacity that is none.
 */
export function vllmNamed(text: string): CacheModel | undefined {
  const [name, setting] = text.split(':', 2);
  if (name !== 'vllm' || setting === undefined) return undefined;
  const capacity = /^capacity=(\d+)$/.exec(setting)?.[1];
  if (capacity !== undefined && Number(capacity) >= vllmBlock.tokens) return vllmOf(Number(capacity));
  throw new CtxsimError(
    'bad-cache',
    `--cache ${text}: "${setting}" is no capacity`,
    `Write vllm:capacity=TOKENS, with at least ${vllmBlock.tokens} tokens.`,
  );
}

function vllmOf(capacityTokens: number): CacheModel {
  const isLimited = Number.isFinite(capacityTokens);
  const room: RuleNote = isLimited
    ? { rule: 'eviction', value: `least recently used beyond ${capacityTokens} tokens`, source: vllmBlock.source }
    : { rule: 'eviction', value: 'none: unlimited room (assumed)', source: vllmBlock.source, assumed: true };
  return {
    name: isLimited ? `vllm:capacity=${capacityTokens}` : 'vllm',
    title: 'vLLM block cache of one session: the physical bound of reuse',
    examples: ['any'],
    rulesFor: () => ({
      entries: isLimited
        ? { at: 'elsewhere', minTokens: vllmBlock.tokens }
        : { at: 'steps', minTokens: vllmBlock.tokens, stepTokens: vllmBlock.tokens },
      usesMarkers: false,
      ttls: ttlClasses,
      lifetimes,
      notes: [
        { rule: 'entries', value: `full blocks of ${vllmBlock.tokens} tokens`, source: vllmBlock.source },
        room,
        { rule: 'price of a write', value: 'none', source: vllmBlock.source },
      ],
      create: () => new BlockCache(vllmBlock.tokens, capacityTokens),
    }),
  };
}
