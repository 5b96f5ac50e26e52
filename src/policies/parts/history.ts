import type { BlockId } from '../plan.ts';
import type { ReadonlyState } from '../policy.ts';
import { unansweredInOpening } from './opening.ts';

/** One message as providers count them: a prompt, what one response said and called, or the results that answer it. */
export interface Message {
  readonly kind: 'prompt' | 'answer' | 'results';
  /** Its first block. */
  readonly id: BlockId;
  readonly turn: number;
  /** Prompts, replies, calls and results before it. */
  readonly eventsBefore: number;
  readonly resultsBefore: number;
  /** Events in it. */
  events: number;
  /** False where a cut in front of it would part a call from its result. */
  isSafeCut: boolean;
}

/** What has come since the opening context, read once as it comes: turn 0 belongs to the opening and is never edited. */
export class History {
  readonly messages: Message[] = [];
  readonly results: BlockId[] = [];
  readonly prompts: BlockId[] = [];
  /** First result of each round. */
  readonly rounds: BlockId[] = [];
  events = 0;
  /** Messages up to this one answer calls of the opening, and must stay as long as that does. */
  answersOpening = 0;
  readonly #callOf = new Map<BlockId, BlockId>();
  readonly #calls = new Map<string, { readonly id: BlockId; readonly message: number }>();
  #open = new Set<string>();
  #turn = 1;
  #seen = 0;
  #isClosed = false;
  /** Calls of the opening that had no result when the first turn began. */
  #openingCalls: Set<string> | undefined;

  /** Takes in the blocks that have entered the context since the last call. */
  read(state: ReadonlyState): void {
    for (; this.#turn <= state.turn; this.#turn += 1) {
      const { first, end } = state.turnBlocks(this.#turn);
      this.#seen = Math.max(this.#seen, first);
      for (; this.#seen < end; this.#seen += 1) this.#take(this.#seen, state, this.#seen === first);
      if (this.#turn === state.turn) return;
    }
  }

  /** What comes next belongs to a message of its own, because what came so far is about to go. */
  closeMessage(): void {
    this.#isClosed = true;
  }

  /** The call that a result answers, where it is known. */
  callOf(result: BlockId): BlockId | undefined {
    return this.#callOf.get(result);
  }

  /** True while the last response waits for results: what it said may not be removed. */
  get awaitsResults(): boolean {
    return this.#open.size > 0;
  }

  #take(id: BlockId, state: ReadonlyState, startsTurn: boolean): void {
    this.#openingCalls ??= unansweredInOpening(state);
    const { kind, callId } = state.block(id);
    const side =
      kind === 'thinking' || kind === 'reply' || kind === 'call' ? 'answer' : kind === 'result' ? kind : 'prompt';
    if (startsTurn || this.#isClosed || this.#isNewMessage(side))
      this.#startMessage(id, side === 'result' ? 'results' : side);
    if (kind === 'prompt') this.prompts.push(id);
    if (kind === 'call' && callId !== undefined) {
      this.#calls.set(callId, { id, message: this.messages.length - 1 });
      this.#open.add(callId);
    }
    if (kind === 'result') this.#takeResult(id, callId);
    if (kind === 'prompt' || kind === 'reply' || kind === 'call' || kind === 'result') this.#countEvent();
  }

  #countEvent(): void {
    this.events += 1;
    const message = this.messages.at(-1);
    if (message) message.events += 1;
  }

  #takeResult(id: BlockId, callId: string | undefined): void {
    this.results.push(id);
    if (callId !== undefined && this.#openingCalls?.has(callId)) this.answersOpening = this.messages.length;
    const call = callId === undefined ? undefined : this.#calls.get(callId);
    if (callId === undefined || !call) return;
    this.#callOf.set(id, call.id);
    this.#open.delete(callId);
    for (let at = call.message + 1; at < this.messages.length; at += 1)
      (this.messages[at] as Message).isSafeCut = false;
  }

  /** What a harness slips in beside results belongs to their message. */
  #isNewMessage(side: 'answer' | 'result' | 'prompt'): boolean {
    const last = this.messages.at(-1)?.kind;
    if (side === 'answer') return last !== 'answer';
    return side === 'result' ? last !== 'results' : last !== 'results' && last !== 'prompt';
  }

  #startMessage(id: BlockId, kind: Message['kind']): void {
    if (kind === 'answer') this.#open = new Set();
    if (kind === 'results') this.rounds.push(id);
    this.#isClosed = false;
    const before = { eventsBefore: this.events, resultsBefore: this.results.length };
    this.messages.push({ kind, id, turn: this.#turn, ...before, events: 0, isSafeCut: kind !== 'results' });
  }
}
