import type { BlockId } from '../plan.ts';
import type { ReadonlyState } from '../policy.ts';

/** Length of the part of the view that came before the first prompt, blocks; policies never touch it. */
export function openingLength(state: ReadonlyState): number {
  const { first } = state.turnBlocks(1);
  let length = 0;
  for (; length < state.viewLength; length += 1) {
    const origin = state.originOf(state.viewAt(length));
    if (origin === -1 || origin >= first) break;
  }
  return length;
}

/** Tokens of the coming request behind its opening. */
export function historyTokens(state: ReadonlyState): number {
  let tokens = state.nextPrompt;
  const end = openingLength(state);
  for (let at = 0; at < end; at += 1) tokens -= state.tokens(state.viewAt(at));
  return tokens;
}

/** Where a block stands, or what came after it, if the block itself is gone; the view's end for a block that is yet to come. */
export function positionFrom(state: ReadonlyState, id: BlockId): number {
  let position = state.viewLength;
  while (position > 0 && state.originOf(state.viewAt(position - 1)) >= id) position -= 1;
  return position;
}

/** Calls of the opening that have no result in it. */
export function unansweredInOpening(state: ReadonlyState): Set<string> {
  const calls = new Set<string>();
  const end = openingLength(state);
  for (let at = 0; at < end; at += 1) {
    const { kind, callId } = state.block(state.originOf(state.viewAt(at)));
    if (callId === undefined) continue;
    if (kind === 'call') calls.add(callId);
    else calls.delete(callId);
  }
  return calls;
}

/** Position behind the opening and every result that answers a call of it: what stands before stays, or a pair would be parted. */
export function behindOpeningAnswers(state: ReadonlyState): number {
  const calls = unansweredInOpening(state);
  let position = openingLength(state);
  if (calls.size === 0) return position;
  for (let at = position; at < state.viewLength; at += 1) {
    const origin = state.originOf(state.viewAt(at));
    const { callId } = origin === -1 ? {} : state.block(origin);
    if (callId !== undefined && calls.has(callId)) position = at + 1;
  }
  return position;
}
