import { createRegistry } from '../registry.ts';
import { anthropic } from './cache/anthropic.ts';
import { ideal } from './cache/ideal.ts';
import { none } from './cache/none.ts';
import { anchor } from './planners/anchor.ts';
import { claudeCodePlanner } from './planners/claude-code.ts';
import { lastTwo } from './planners/last-two.ts';
import { tail } from './planners/tail.ts';
import type { BreakpointPlanner, CacheModel } from './provider.ts';

export { expectedLoss } from './cache/eviction.ts';
export { loadPriceBook, type PriceBookOptions, tierFor, usdOf } from './prices/index.ts';

/** Every cache model. A new one is one file and two lines here. */
export const cacheModels = createRegistry<CacheModel>('cache model', [anthropic, ideal, none]);

/** Every breakpoint planner. A new one is one file and two lines here. */
export const planners = createRegistry<BreakpointPlanner>('breakpoint planner', [
  anchor,
  tail,
  lastTwo,
  claudeCodePlanner,
]);

/** The cache model of a priced model where the user names none: Anthropic's own, else `ideal`, which is then an assumption. */
export function defaultCacheModel(provider: string): CacheModel {
  return provider === 'anthropic' ? anthropic : ideal;
}

/** The planner of the harness that recorded a session; `tail` is pi's (system part, newest message), and where nobody has looked. */
export function recordedPlanner(agent: string | undefined): BreakpointPlanner {
  return agent === 'claude-code' ? claudeCodePlanner : tail;
}
