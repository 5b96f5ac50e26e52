import type { BlockId, Edit } from '../plan.ts';
import type { ParamSpec, ReadonlyState, Settings } from '../policy.ts';

/** What stands in place of a result. */
export const replaceParams = {
  replacement: {
    type: 'choice',
    default: 'placeholder',
    choices: ['placeholder', 'line', 'preview'],
    doc: 'a constant text; a line that names tool, target and size; or the beginning and end of the result',
  },
  stub_tokens: {
    type: 'integer',
    default: 8,
    min: 0,
    doc: 'size of the constant text, of the mark in a preview, and of a line whose size was not kept, tokens',
  },
  preview_chars: { type: 'integer', default: 500, min: 0, doc: 'characters of a result that a preview keeps' },
  min_chars: { type: 'integer', default: 0, min: 0, doc: 'results of at most so many characters stay' },
  min_tokens: { type: 'integer', default: 0, min: 0, doc: 'results of at most so many tokens stay' },
} as const satisfies Record<string, ParamSpec>;

/** Tokens of what replaces a result; undefined where it stays: too short, or it would not shrink. */
export function replacementTokens(id: BlockId, state: ReadonlyState, settings: Settings): number | undefined {
  const tokens = state.tokens(id);
  if (tokens <= (settings.min_tokens as number)) return undefined;
  if (charsOf(id, state) <= (settings.min_chars as number) && !state.block(id).images) return undefined;
  const put = putTokens(id, state, settings);
  return put < tokens ? put : undefined;
}

function putTokens(id: BlockId, state: ReadonlyState, settings: Settings): number {
  const constant = settings.stub_tokens as number;
  if (settings.replacement === 'line') return state.derivedTokens(id, 'stub') ?? constant;
  if (settings.replacement === 'preview') return constant + shareOf(id, state, settings.preview_chars as number);
  return constant;
}

/** Tokens of so many characters of a block, at the block's own tokens per character. */
export function shareOf(id: BlockId, state: ReadonlyState, chars: number): number {
  const all = charsOf(id, state);
  const tokens = state.tokens(id);
  return all <= chars ? tokens : Math.round((tokens * chars) / all);
}

/** Characters of a block; where a log has counted only tokens, four for each. */
export function charsOf(id: BlockId, state: ReadonlyState): number {
  return state.block(id).size?.chars || state.tokens(id) * 4;
}

/** Puts a stub of `tokens` in the place of a block. */
export function stubOf(id: BlockId, tokens: number, options: Pick<Edit, 'sticky' | 'reason' | 'keepsCache'>): Edit {
  return { from: id, to: id, with: [{ kind: 'stub', tokens, of: id }], ...options };
}
