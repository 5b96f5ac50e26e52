import { callParams } from './parts/calls.ts';
import { Compactor } from './parts/compactor.ts';
import { tailParams } from './parts/tail.ts';
import { triggerParams } from './parts/trigger.ts';
import type { PolicyKind } from './policy.ts';

/**
 * Replaces the older part of the history by a summary that a model call writes.
 * `fold` is heph's own, with its record and its budget; `turn-summary` writes its summary by rule and needs no call.
 */
export const compact: PolicyKind = {
  name: 'compact',
  summary:
    'Once a level is reached, the older part of the history gives way to a summary written by a billed model call; a tail stays.',
  source: 'Claude Code, OpenAI Codex CLI and others; each preset names its own',
  params: {
    when: {
      type: 'choice',
      default: 'request',
      choices: ['request', 'turn-start', 'turn-end', 'response', 'step', 'idle', 'overflow'],
      doc: 'when it looks; step: after a turn and between the requests of one; idle: in a pause, before the cache entry expires',
    },
    on_overflow: {
      type: 'choice',
      default: 'yes',
      choices: ['yes', 'no'],
      doc: 'yes: also when a request would not fit the window',
    },
    ...triggerParams,
    keep_first: { type: 'integer', default: 0, min: 0, doc: 'oldest messages that stay for good' },
    ...tailParams,
    keep_user_tokens: { type: 'integer', default: 0, min: 0, doc: "tokens of the user's own messages that stay" },
    keep_prompts: { type: 'integer', default: 0, min: 0, doc: "newest of the user's own messages that stay whole" },
    ...callParams,
    reattach_tokens: { type: 'integer', default: 0, min: 0, doc: 'files and notes that are read again, tokens' },
    background: {
      type: 'choice',
      default: 'no',
      choices: ['no', 'yes'],
      doc: 'yes: the summary is written beside the conversation and takes effect one request later',
    },
    previous: {
      type: 'choice',
      default: 'merge',
      choices: ['merge', 'stay'],
      doc: 'an earlier summary goes into the new one, or stays in front of it',
    },
    overlap_turns: {
      type: 'integer',
      default: 0,
      min: 0,
      doc: 'turns of the stretch before that a call reads once more',
    },
    min_progress: {
      type: 'number',
      default: 0.1,
      min: 0,
      max: 1,
      doc: 'share of the request that must go, else it is left alone',
    },
  },
  usesWindow: true,
  editsInsideTurns: true,
  needsFor: (settings) => (settings.when === 'idle' ? ['times'] : []),
  create: (settings) => new Compactor(settings),
};
