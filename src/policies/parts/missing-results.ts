import type { BlockId, Edit } from '../plan.ts';
import type { ReadonlyState } from '../policy.ts';

/** Finds calls that nothing answered, when the request is due that should have carried their results. */
export class MissingResults {
  readonly #open = new Map<string, BlockId>();
  #seen: BlockId = 0;

  /** The calls of earlier responses that have no result among what has come, each once. To be asked at `ingest`. */
  take(state: ReadonlyState): BlockId[] {
    this.#read(Math.max(this.#seen, state.turnBlocks(1).first), state.ingestFirst, state);
    for (let id = state.ingestFirst; id < state.ingestEnd; id += 1) this.#answer(id, state);
    const missing = [...this.#open.values()];
    this.#open.clear();
    this.#read(state.ingestFirst, state.ingestEnd, state);
    this.#seen = state.ingestEnd;
    return missing;
  }

  #read(first: BlockId, end: BlockId, state: ReadonlyState): void {
    for (let id = first; id < end; id += 1) {
      const { kind, callId } = state.block(id);
      if (kind === 'call' && callId !== undefined) this.#open.set(callId, id);
      else this.#answer(id, state);
    }
  }

  #answer(id: BlockId, state: ReadonlyState): void {
    const { kind, callId } = state.block(id);
    if (kind === 'result' && callId !== undefined) this.#open.delete(callId);
  }
}

/** Puts a placeholder of so many tokens behind a call; undefined where the call is no longer in the view. */
export function placeholderBehind(call: BlockId, tokens: number, state: ReadonlyState): Edit | undefined {
  let at = state.viewLength - 1;
  while (at >= 0 && state.originOf(state.viewAt(at)) !== call) at -= 1;
  if (at < 0) return undefined;
  const id = state.viewAt(at);
  return {
    from: id,
    to: id,
    with: [
      { kind: 'call', tokens: state.tokens(id), of: call },
      { kind: 'stub', tokens, of: call },
    ],
    sticky: true,
    reason: 'call without a result gets a placeholder',
  };
}
