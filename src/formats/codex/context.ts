import {
  type AbandonedRequest,
  type Block,
  type Request,
  type Session,
  SessionBuilder,
  type SessionFacts,
} from '../../session/index.ts';
import type { Item } from './items.ts';
import type { Response } from './response.ts';
import type { UserItem } from './turns.ts';
import { View } from './view.ts';

/** A request as a reader knows it; the builder knows its place. */
export type NewRequest = Omit<Request, 'at' | 'outputs' | 'turn'>;

/** Writes the context into a session: blocks, turns, and the two resets that Codex knows. */
export class ContextWriter {
  readonly #builder = new SessionBuilder();
  readonly #view = new View();
  readonly #human: ReadonlySet<UserItem>;
  /** What the prompts say: a history that a compaction kept repeats them as items of their own. */
  readonly #said: ReadonlySet<string>;
  #segmentHasTurn = false;
  #abandoned = 0;

  constructor(human: ReadonlySet<UserItem>) {
    this.#human = human;
    this.#said = new Set([...human].map(({ text }) => text));
  }

  /** Requests of this file's own, those outside the conversation included. */
  get requestCount(): number {
    return this.#builder.requestCount + this.#abandoned;
  }

  abandoned(request: AbandonedRequest): void {
    this.#abandoned += 1;
    this.#builder.abandoned(request);
  }

  append(block: Block): void {
    this.#view.append(this.#builder.block(block), block.kind);
  }

  isPrompt(item: Item): boolean {
    return item.user !== undefined && this.#human.has(item.user);
  }

  /** Writes a response in the order in which the provider saw it. Without a request its blocks are context and nothing more. */
  respond(response: Response, request: NewRequest | undefined, reasoning: number): void {
    for (const item of response.inputs) this.#input(item);
    if (request) {
      this.continueTurn();
      this.#builder.request(request);
    }
    for (const block of response.outputBlocks(reasoning)) this.append(block);
    for (const item of response.after) this.#input(item);
  }

  /** The context is now this list behind the instructions. Its prompts are old ones: they begin no turn. */
  replace(items: readonly Item[]): void {
    this.#reset('compaction', this.#view.keepKinds('system', 'tools'));
    const isPrompt = ({ user }: Item) => user && (!user.injected || this.#said.has(user.text));
    for (const item of items) this.append(isPrompt(item) ? { ...item.block, kind: 'prompt' } : item.block);
  }

  /** The context is now the instructions, what the user said, and a summary. */
  summarize(message: string): void {
    this.#reset('compaction', this.#view.keepKinds('system', 'tools', 'prompt'));
    this.append({ kind: 'summary', text: message });
  }

  rewind(turns: number): void {
    this.#reset('rewind', this.#view.dropTurns(turns));
  }

  /** A segment that begins inside a turn goes on with it. */
  continueTurn(): void {
    if (this.#segmentHasTurn || this.#builder.turnCount === 0) return;
    this.#builder.turn(true);
    this.#segmentHasTurn = true;
  }

  build(facts: SessionFacts): Session {
    return this.#builder.build(facts);
  }

  #input(item: Item): void {
    const isPrompt = this.isPrompt(item);
    if (isPrompt) this.#builder.turn();
    this.#segmentHasTurn ||= isPrompt;
    this.append(isPrompt ? { ...item.block, kind: 'prompt' } : item.block);
  }

  #reset(reason: 'compaction' | 'rewind', keeps: readonly number[]): void {
    this.#builder.segment(reason, keeps);
    this.#segmentHasTurn = false;
  }
}
