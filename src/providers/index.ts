import { createRegistry } from '../registry.ts';
import type { Session } from '../session/index.ts';
import { anthropic, bedrock, vertex } from './cache/anthropic.ts';
import { automaticCaches } from './cache/automatic.ts';
import { deepseek } from './cache/deepseek.ts';
import { geminiExplicit } from './cache/gemini-explicit.ts';
import { ideal } from './cache/ideal.ts';
import { markerCaches } from './cache/marker-providers.ts';
import { none } from './cache/none.ts';
import { openai } from './cache/openai.ts';
import { sglang, vllm, vllmNamed } from './cache/self-hosted.ts';
import { anchor } from './planners/anchor.ts';
import { auto } from './planners/auto.ts';
import { claudeCodeOf, claudeCodePlanner, earlyClaudeCode } from './planners/claude-code.ts';
import { copilot } from './planners/copilot.ts';
import { lastTwo } from './planners/last-two.ts';
import { opencode } from './planners/opencode.ts';
import { tail } from './planners/tail.ts';
import { hostOf } from './prices/index.ts';
import type { BreakpointPlanner, CachedModel, CacheModel } from './provider.ts';

export { expectedLoss } from './cache/eviction.ts';
export {
  changedModels,
  type FrozenCards,
  hostOf,
  loadPriceBook,
  type PriceBookOptions,
  servicesOf,
  tierFor,
  usdOf,
  withFrozenCards,
  withService,
} from './prices/index.ts';
export { checkCache } from './rules.ts';

/** Every cache model. A new one is one file and two lines here. */
export const cacheModels = createRegistry<CacheModel>('cache model', [
  anthropic,
  bedrock,
  vertex,
  openai,
  deepseek,
  ...automaticCaches,
  geminiExplicit,
  ...markerCaches,
  vllm,
  sglang,
  ideal,
  none,
]);

/** Every breakpoint planner. A new one is one file and two lines here. */
export const planners = createRegistry<BreakpointPlanner>('breakpoint planner', [
  anchor,
  tail,
  lastTwo,
  claudeCodePlanner,
  earlyClaudeCode,
  copilot,
  opencode,
  auto,
]);

/**
 * The cache model that a user names, with its settings if it has any.
 * @throws CtxsimError `unknown-name`, or `bad-cache` for a setting that is none.
 */
export function cacheModelNamed(text: string): CacheModel {
  return vllmNamed(text) ?? cacheModels.get(text);
}

/**
 * The cache model of a priced model where the user names none: that of the host which the recorded id names, where it has one
 * for the provider's models, else the provider's own, else `ideal`, which is then an assumption.
 */
export function defaultCacheModel({ provider }: Pick<CachedModel, 'provider'>, id?: string): CacheModel {
  const host = id === undefined ? undefined : hostOf(id)?.name;
  const held = cacheModels.all.filter(({ providers }) => providers?.includes(provider));
  return held.find(({ name }) => name === host) ?? held[0] ?? ideal;
}

/**
 * The planner of the harness that recorded a session; `tail` where nobody has looked, and for pi, whose markers stand at the
 * system part and the newest message.
 */
export function recordedPlanner({ agent, agentVersion }: Pick<Session, 'agent' | 'agentVersion'>): BreakpointPlanner {
  return agent === 'claude-code' ? claudeCodeOf(agentVersion) : tail;
}
