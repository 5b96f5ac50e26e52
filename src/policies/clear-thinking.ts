import type { Edit, Plan } from './plan.ts';
import type { Policy, PolicyKind, ReadonlyState, Settings } from './policy.ts';

/**
 * Drops the thinking of older turns at each turn start (Anthropic's clear_thinking). Where the provider strips it by
 * itself nothing is left to drop, and the row is the same as `full`.
 */
export const clearThinking: PolicyKind = {
  name: 'clear-thinking',
  summary: "At each turn start, thinking older than the last keep_turns finished turns is dropped (Anthropic's edit).",
  source: 'platform.claude.com, context editing page (2026-08-21)',
  params: {
    keep_turns: { type: 'integer', default: 1, min: 0, doc: 'finished turns whose thinking stays' },
  },
  create: (settings) => createClearThinking(settings),
};

function createClearThinking(settings: Settings): Policy {
  const keepTurns = settings.keep_turns as number;
  let cleared = 0;
  return {
    events: ['turn_start'],
    on: (_, state): Plan | undefined => {
      const edits: Edit[] = [];
      for (; cleared < state.turn - 1 - keepTurns; cleared += 1) edits.push(...thinkingOf(cleared + 1, state));
      return edits.length > 0 ? { edits } : undefined;
    },
  };
}

function thinkingOf(turn: number, state: ReadonlyState): Edit[] {
  const edits: Edit[] = [];
  const { first, end } = state.turnBlocks(turn);
  for (let id = first; id < end; id += 1) {
    if (state.block(id).kind !== 'thinking' || state.positionOf(id) === -1) continue;
    edits.push({ from: id, to: id, with: [], sticky: true, reason: 'thinking of an earlier turn' });
  }
  return edits;
}
