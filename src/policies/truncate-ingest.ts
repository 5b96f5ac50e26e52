import { charsOf, shareOf, stubOf } from './parts/replace.ts';
import type { BlockId, Edit, Plan } from './plan.ts';
import type { PolicyKind, ReadonlyState, Settings } from './policy.ts';

/**
 * Cuts a long tool result to its beginning and end before it is ever sent: nothing is
 * written twice, so there is no rewrite to pay for. `mask` with a preview does the same later, to results once sent whole.
 */
export const truncateIngest: PolicyKind = {
  name: 'truncate-ingest',
  summary: 'A long tool result is cut to its beginning and end before it is first sent, so no cached prefix changes.',
  source: 'OpenAI Codex CLI, mini-swe-agent and others; each preset names its own',
  params: {
    max_chars: {
      type: 'integer',
      default: 10_000,
      min: 0,
      doc: 'results of at least so many characters are cut; 0: any',
    },
    max_tokens: { type: 'integer', default: 0, min: 0, doc: 'and of more than so many tokens' },
    kept_chars: { type: 'integer', default: 10_000, min: 0, doc: 'characters that stay, head and tail together' },
    kept_tokens: { type: 'integer', default: 0, min: 0, doc: 'the same in tokens; 0: kept_chars decides' },
    mark_tokens: { type: 'integer', default: 20, min: 0, doc: 'the note that says what was cut, tokens' },
  },
  create: (settings) => ({ events: ['ingest'], on: (_, state) => truncate(state, settings) }),
};

function truncate(state: ReadonlyState, settings: Settings): Plan | undefined {
  const edits: Edit[] = [];
  for (let id = state.ingestFirst; id < state.ingestEnd; id += 1) {
    const tokens = cutTokens(id, state, settings);
    if (tokens !== undefined) edits.push(stubOf(id, tokens, { sticky: true, reason: 'long tool result cut' }));
  }
  return edits.length > 0 ? { edits } : undefined;
}

/** Tokens of the cut result; undefined where it is short or would not shrink. */
function cutTokens(id: BlockId, state: ReadonlyState, settings: Settings): number | undefined {
  if (state.block(id).kind !== 'result' || state.positionOf(id) === -1) return undefined;
  const tokens = state.tokens(id);
  if (charsOf(id, state) < (settings.max_chars as number) || tokens <= (settings.max_tokens as number))
    return undefined;
  const keptTokens = settings.kept_tokens as number;
  const kept = keptTokens > 0 ? keptTokens : shareOf(id, state, settings.kept_chars as number);
  const cut = kept + (settings.mark_tokens as number);
  return cut < tokens ? cut : undefined;
}
