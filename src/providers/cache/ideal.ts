import type { CacheModel } from '../provider.ts';
import { ttlClasses, ttlMilliseconds } from '../provider.ts';
import { PrefixCache } from './prefix-cache.ts';

/** The cache that loses nothing: the longest prefix of whole blocks that any request of the lane left behind. */
export const ideal: CacheModel = {
  name: 'ideal',
  title: 'longest common prefix, whole blocks',
  examples: ['any'],
  rulesFor: ({ chargesWrites }) => ({
    entries: { at: 'steps', minTokens: 0, stepTokens: 1 },
    usesMarkers: false,
    ttls: ttlClasses,
    lifetimes: ttlMilliseconds,
    notes: [
      {
        rule: 'entries',
        value:
          'the longest prefix of whole blocks that any request left behind within the lifetime asked for, five minutes where none is (assumed)',
        source: 'definition',
        assumed: true,
      },
    ],
    create: () => new PrefixCache({ minTokens: 0, stepTokens: 1, lifetimes: ttlMilliseconds, chargesWrites }),
  }),
};
