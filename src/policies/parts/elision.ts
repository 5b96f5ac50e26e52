import type { BlockId, Edit } from '../plan.ts';
import type { ParamSpec, ReadonlyState, Settings } from '../policy.ts';

/** Which results become stubs, and of what size. */
export const elisionParams = {
  min_elide_chars: { type: 'integer', default: 300, min: 0, doc: 'results of at most this many characters stay' },
  min_elide_tokens: {
    type: 'integer',
    default: 60,
    min: 0,
    doc: 'the same in tokens, for results of which no stub size was kept',
  },
  stub_tokens: { type: 'integer', default: 15, min: 1, doc: 'stub size where none was kept, tokens' },
} as const satisfies Record<string, ParamSpec>;

/** Cuts those of the blocks `first … end - 1` to stubs that are whole results and long enough. */
export function elisionsOf(first: BlockId, end: BlockId, state: ReadonlyState, settings: Settings): Edit[] {
  const edits: Edit[] = [];
  for (let id = first; id < end; id += 1) {
    const tokens = stubFor(id, state, settings);
    if (tokens !== undefined) edits.push(elision(id, tokens, 'result of an earlier turn elided'));
  }
  return edits;
}

/** Puts a stub of `tokens` in the place of a result, for good. */
export function elision(id: BlockId, tokens: number, reason: string): Edit {
  return { from: id, to: id, with: [{ kind: 'stub', tokens, of: id }], sticky: true, reason };
}

/** By turn, the last block before its first request: what stands up to there is never touched once that turn is oldest. */
export class PromptEnds {
  readonly #ends: BlockId[] = [];

  /** At a turn's start. */
  note(state: ReadonlyState): void {
    this.#ends[state.turn] = state.viewAt(state.viewLength - 1);
  }

  /** The stable boundary while the results from turn `oldestWhole` on are whole. */
  stableFrom(oldestWhole: number): BlockId | undefined {
    return this.#ends.find((end, turn) => turn >= oldestWhole && end !== undefined);
  }
}

/** Tokens of the stub if the block is a result that may be stubbed and is long enough, else undefined. */
function stubFor(id: BlockId, state: ReadonlyState, settings: Settings): number | undefined {
  const block = state.block(id);
  if (block.kind !== 'result' || state.positionOf(id) === -1) return undefined;
  // The user's own words, and skills, which must stay in the conversation to count as active.
  if (block.action === 'ask' || block.action === 'skill') return undefined;
  const kept = state.derivedTokens(id, 'stub');
  const tokens = kept ?? (settings.stub_tokens as number);
  const long =
    kept === undefined
      ? state.tokens(id) > (settings.min_elide_tokens as number)
      : ((block.size?.chars ?? 0) > (settings.min_elide_chars as number) || (block.images ?? 0) > 0) &&
        state.tokens(id) > 2 * tokens;
  return long ? tokens : undefined;
}
