import type { PolicyKind } from './policy.ts';

/** The baseline: every request carries the whole conversation. */
export const full: PolicyKind = {
  name: 'full',
  summary: 'Every request carries everything; nothing is ever changed. The baseline.',
  source: 'definition',
  params: {},
  create: () => ({ events: [], on: () => undefined }),
};
