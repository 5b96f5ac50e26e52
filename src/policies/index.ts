import { createRegistry } from '../registry.ts';
import { elide } from './elide.ts';
import { fold } from './fold.ts';
import { full } from './full.ts';
import type { PolicyKind } from './policy.ts';
import { recorded } from './recorded.ts';

export { presets } from './presets.ts';
export { type PolicySpec, parsePolicies } from './spec.ts';
export { describeParam } from './values.ts';

/** Every policy family. A new one is one file and two lines here. */
export const policies = createRegistry<PolicyKind>('policy', [full, recorded, elide, fold]);
