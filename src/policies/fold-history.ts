import type { BlockId } from './plan.ts';
import type { ReadonlyState } from './policy.ts';

/** How heph estimates tokens: characters by four, the same fitted to the session, or the model's own count. */
export const estimators = ['calibrated', 'chars4', 'tokens'] as const;
export type EstimatorName = (typeof estimators)[number];

/** Estimates tokens as the harness would, which decides when it folds. */
export class Estimator {
  readonly #name: EstimatorName;
  /** Blocks below this number were looked at. */
  #seen: BlockId = 0;
  #quarters = 0;
  #tokens = 0;

  constructor(name: EstimatorName) {
    this.#name = name;
  }

  /** Takes what has entered the context since the last time into the ratio. */
  observe(state: ReadonlyState): void {
    const { end } = state.turnBlocks(state.turn);
    for (let id = Math.max(this.#seen, state.turnBlocks(0).first); id < end; id += 1) {
      const quarters = quartersOf(id, state);
      if (quarters === 0) continue;
      this.#quarters += quarters;
      this.#tokens += state.tokens(id);
    }
    this.#seen = end;
  }

  /** A block of the session; where its characters are not known, its tokens say how many there would be. */
  ofBlock(id: BlockId, state: ReadonlyState): number {
    const quarters = this.#name === 'tokens' ? 0 : quartersOf(id, state);
    return quarters === 0
      ? this.ofTokens(state.tokens(id))
      : this.#name === 'chars4'
        ? quarters
        : quarters * this.#ratio();
  }

  /** Something of which only the tokens are known, such as a stub. */
  ofTokens(tokens: number): number {
    return this.#name === 'chars4' ? Math.ceil(tokens / this.#ratio()) : tokens;
  }

  /** Tokens for each four characters, so far in this session. */
  #ratio(): number {
    return this.#quarters === 0 || this.#tokens === 0 ? 1 : this.#tokens / this.#quarters;
  }
}

function quartersOf(id: BlockId, state: ReadonlyState): number {
  return Math.ceil((state.block(id).size?.chars ?? 0) / 4);
}

/** The finished turns that no record covers, as they will be sent. Indexed by turn; before `folded + 1` there is nothing. */
export interface History {
  /** Position of each turn's first block, the current turn's included. */
  readonly starts: readonly number[];
  /** What the harness estimates for each turn. */
  readonly estimates: readonly number[];
  /** Tokens that each turn is sent with. */
  readonly sent: readonly number[];
  /** Turns behind which no cut may be made: a call of an earlier turn is answered later. */
  readonly isOpen: readonly boolean[];
}

/** Measures the turns behind `folded`; `from` is the position of the record, 0 where there is none. */
export function measureHistory(state: ReadonlyState, estimator: Estimator, folded: number, from: number): History {
  const firsts = Array.from({ length: state.turn + 1 }, (_, turn) => state.turnBlocks(turn).first);
  const { end } = state.turnBlocks(state.turn);
  const starts: number[] = [];
  const estimates: number[] = [];
  const sent: number[] = [];
  let turn = folded;
  for (let at = from; at < state.viewLength && turn < state.turn; at += 1) {
    const id = state.viewAt(at);
    // Blocks that policies made have higher numbers than any that has entered, and belong to the turn that they stand in.
    const isMade = id >= end;
    while (!isMade && turn < state.turn && id >= (firsts[turn + 1] as number)) {
      turn += 1;
      starts[turn] = at;
      estimates[turn] = 0;
      sent[turn] = 0;
    }
    if (turn === folded || turn === state.turn) continue;
    estimates[turn] =
      (estimates[turn] as number) + (isMade ? estimator.ofTokens(state.tokens(id)) : estimator.ofBlock(id, state));
    sent[turn] = (sent[turn] as number) + state.tokens(id);
  }
  return { starts, estimates, sent, isOpen: openTurns(state, folded) };
}

function openTurns(state: ReadonlyState, folded: number): boolean[] {
  const turnOfCall = new Map<string, number>();
  const isOpen: boolean[] = [];
  for (let turn = folded + 1; turn <= state.turn; turn += 1) {
    const { first, end } = state.turnBlocks(turn);
    for (let id = first; id < end; id += 1) {
      const { kind, callId } = state.block(id);
      if (callId === undefined) continue;
      if (kind === 'call') turnOfCall.set(callId, turn);
      const asked = kind === 'result' ? turnOfCall.get(callId) : undefined;
      for (let open = asked ?? turn; open < turn; open += 1) isOpen[open] = true;
    }
  }
  return isOpen;
}
