import type { BlockId } from '../plan.ts';
import type { ReadonlyState } from '../policy.ts';

/** Tags and the three headings of a summary, tokens [choice]: `<earlier_conversation_summary>` … and its closing tag. */
const frameTokens = 30;
/** What each line adds to its text: a dash and a newline, tokens [choice]. */
const lineTokens = 2;
/** Changed files that are listed; the rest is one line `+k more`. */
const mostFiles = 50;
/** `+k more`, tokens [choice]. */
const moreTokens = 5;
/** Characters of a token, to make tokens of a cap in characters. */
const charsPerToken = 4;
/** Sizes where none were kept: 200 and 300 characters at four a token, and a path of 40 characters. */
const longest = { excerpt200: 50, excerpt300: 75, target: 10 } as const;

/**
 * Tokens of a summary assembled by rule from turns `first … last`: each prompt cut to 200 characters,
 * the final text reply of each turn cut to 300, and the files that were edited or written, each once, at most 50;
 * cut to so many characters, at four a token, where a cap is given.
 */
export function ruleSummaryTokens(state: ReadonlyState, first: number, last: number, mostChars: number): number {
  const tokens = wholeTokens(state, first, last);
  return mostChars > 0 ? Math.min(tokens, Math.ceil(mostChars / charsPerToken)) : tokens;
}

function wholeTokens(state: ReadonlyState, first: number, last: number): number {
  let tokens = frameTokens;
  const files = new Map<string, number>();
  for (let turn = first; turn <= last; turn += 1) tokens += turnTokens(state, turn, files);
  const listed = [...files.values()].slice(0, mostFiles);
  for (const file of listed) tokens += file + lineTokens;
  return files.size > mostFiles ? tokens + moreTokens : tokens;
}

function turnTokens(state: ReadonlyState, turn: number, files: Map<string, number>): number {
  const { first, end } = state.turnBlocks(turn);
  let prompts = 0;
  let conclusion = 0;
  for (let id = first; id < end; id += 1) {
    const { kind, action, target } = state.block(id);
    if (kind === 'prompt') prompts += lineOf(state, id, 'excerpt200');
    else if (kind === 'reply') conclusion = lineOf(state, id, 'excerpt300');
    else if (kind === 'call' && target !== undefined && (action === 'edit' || action === 'write') && !files.has(target))
      files.set(target, sizeOf(state, id, 'target'));
  }
  return prompts + conclusion;
}

function lineOf(state: ReadonlyState, id: BlockId, name: keyof typeof longest): number {
  return sizeOf(state, id, name) + lineTokens;
}

function sizeOf(state: ReadonlyState, id: BlockId, name: keyof typeof longest): number {
  return state.derivedTokens(id, name) ?? Math.min(longest[name], state.tokens(id));
}
