import type { PolicyKind, Settings } from '../../src/policies/policy.ts';

/** A policy with its defaults but for what is given. */
export function make(kind: PolicyKind, given: Settings = {}) {
  const defaults = Object.fromEntries(Object.entries(kind.params).map(([key, param]) => [key, param.default]));
  for (const key of Object.keys(given)) if (!(key in defaults)) throw new Error(`${kind.name} has no ${key}`);
  return () => kind.create({ ...defaults, ...given });
}
