import type { CacheModel } from '../provider.ts';
import { ttlClasses, ttlMilliseconds } from '../provider.ts';

/** No prompt cache: every token of every request is fresh. */
export const none: CacheModel = {
  name: 'none',
  title: 'no prompt cache',
  examples: ['any'],
  rulesFor: () => ({
    entries: { at: 'elsewhere', minTokens: 0 },
    usesMarkers: false,
    ttls: ttlClasses,
    lifetimes: ttlMilliseconds,
    notes: [{ rule: 'cache', value: 'none: every input token is fresh', source: 'definition' }],
    create: () => ({
      lose() {},
      cut() {},
      step(view, _request, out) {
        out.read = 0;
        out.write5m = 0;
        out.write1h = 0;
        out.fresh = view.length === 0 ? 0 : (view.ends[view.length - 1] as number);
      },
    }),
  }),
};
