import type { CacheModel } from '../provider.ts';

/** No prompt cache: every token of every request is fresh. */
export const none: CacheModel = {
  name: 'none',
  title: 'no prompt cache',
  usesMarkers: false,
  ttls: ['5m', '1h', 'never'],
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
  notes: () => [{ rule: 'cache', value: 'none: every input token is fresh', source: 'definition' }],
};
