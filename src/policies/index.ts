import { createRegistry } from '../registry.ts';
import { clearThinking } from './clear-thinking.ts';
import { compact } from './compact.ts';
import { dropWindow } from './drop-window.ts';
import { elide } from './elide.ts';
import { fold } from './fold.ts';
import { full } from './full.ts';
import { keepalive } from './keepalive.ts';
import { mask } from './mask.ts';
import { optimum } from './optimum.ts';
import type { PolicyKind } from './policy.ts';
import { recorded } from './recorded.ts';
import { truncateIngest } from './truncate-ingest.ts';
import { turnSummary } from './turn-summary.ts';

export { type Candidate, candidates } from './candidates.ts';
export { definePolicy, type PolicyDefinition } from './define-policy.ts';
export { isPolicyFile, splitChain } from './policy-text.ts';
export { presets } from './presets.ts';
export { type PolicySpec, parsePolicies } from './spec.ts';
export { describeParam } from './values.ts';

/** Every policy family. A new one is one file and two lines here. */
export const policies = createRegistry<PolicyKind>('policy', [
  full,
  recorded,
  elide,
  fold,
  turnSummary,
  mask,
  compact,
  dropWindow,
  truncateIngest,
  clearThinking,
  keepalive,
  optimum,
]);
