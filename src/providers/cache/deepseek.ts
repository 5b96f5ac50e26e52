import type { CacheModel } from '../provider.ts';
import { idleLifetimes } from './lifetimes.ts';
import { PrefixCache } from './prefix-cache.ts';
import { UnitCache } from './unit-cache.ts';

/** Models before the sliding-window attention: units of 64 tokens. */
const oldModels = /^deepseek-(chat|reasoner|r1|v3)/;

const units = { source: 'api-docs.deepseek.com, kv_cache page', asOf: '2026-10-27' } as const;
const old = { stepTokens: 64, source: 'api-docs.deepseek.com, context caching (V3)', asOf: '2025-12-01' } as const;

/** Published as hours to days; assumed here: a day. */
const lifetimes = idleLifetimes(86_400);

/** DeepSeek's disk cache (providers.md §4): prefix units that a prompt matches whole or not at all; for V3 steps of 64 tokens. */
export const deepseek: CacheModel = {
  name: 'deepseek',
  title: 'DeepSeek disk cache, by generation of model',
  providers: ['deepseek'],
  examples: ['deepseek-v4-pro', 'deepseek-chat'],
  rulesFor: ({ model, chargesWrites }) => {
    const isOld = oldModels.test(model);
    const { source, asOf } = isOld ? old : units;
    const from = `${source} (${asOf})`;
    const { stepTokens } = old;
    return {
      entries: isOld ? { at: 'steps', minTokens: stepTokens, stepTokens } : { at: 'elsewhere', minTokens: 0 },
      usesMarkers: false,
      ttls: ['never'],
      lifetimes,
      notes: [
        isOld
          ? { rule: 'entries', value: `units of ${stepTokens} tokens`, source: from }
          : {
              rule: 'entries',
              value:
                'prefix units: ends of prompts, ends of replies, detected common prefixes; a unit is read whole or not at all',
              source: from,
            },
        {
          rule: 'not modelled',
          value: 'units at a fixed interval, whose size is not published',
          source: from,
          assumed: true,
        },
        {
          rule: 'lifetime',
          value: 'hours to days, best effort (assumed: a day after the last use)',
          source: from,
          assumed: true,
        },
      ],
      create: () =>
        isOld
          ? new PrefixCache({ minTokens: stepTokens, stepTokens, lifetimes, chargesWrites })
          : new UnitCache(lifetimes),
    };
  },
};
