import { Compactor } from './parts/compactor.ts';
import { tailParams } from './parts/tail.ts';
import { triggerParams } from './parts/trigger.ts';
import type { PolicyKind, Settings } from './policy.ts';

/** What a compaction has and a window that drops does without. */
const withoutSummary: Settings = {
  call: 'none',
  summary_tokens: 0,
  reattach_tokens: 0,
  keep_user_tokens: 0,
  keep_prompts: 0,
  background: 'no',
  previous: 'merge',
  overlap_turns: 0,
  min_progress: 0,
};

/**
 * Drops the oldest history and puts nothing in its place. Without a trigger it slides with
 * every message; with a trigger above what it keeps it moves in steps. `compact` puts a summary there.
 */
export const dropWindow: PolicyKind = {
  name: 'drop-window',
  summary: 'The oldest messages are dropped, calls with their results; only the newest that the settings keep stay.',
  source: 'OpenAI truncation: auto, LangChain and others; each preset names its own',
  params: {
    when: {
      type: 'choice',
      default: 'request',
      choices: ['request', 'turn-start', 'turn-end', 'overflow'],
      doc: 'when it looks',
    },
    on_overflow: {
      type: 'choice',
      default: 'no',
      choices: ['yes', 'no'],
      doc: 'yes: also when a request would not fit the window',
    },
    ...triggerParams,
    keep_first: { type: 'integer', default: 0, min: 0, doc: 'oldest messages that stay for good' },
    ...tailParams,
  },
  usesWindow: true,
  editsInsideTurns: true,
  create: (settings) => new Compactor({ ...settings, ...withoutSummary }),
};
