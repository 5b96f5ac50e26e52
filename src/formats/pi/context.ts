import {
  type AbandonedRequest,
  type Block,
  type Request,
  type Session,
  SessionBuilder,
  type SessionFacts,
} from '../../session/index.ts';
import type { Entry } from './entries.ts';

/** A block of the context and the line that brought it. */
interface Placed {
  readonly entry: Entry;
  readonly block: number;
}

/** Writes the context into a session, and knows which line brought which block. */
export class ContextWriter {
  readonly #builder = new SessionBuilder();
  readonly #placed: Placed[] = [];
  #abandoned = 0;
  #segmentHasTurn = false;

  get isEmpty(): boolean {
    return this.#builder.blockCount === 0 && this.#builder.requestCount === 0;
  }

  get requestCount(): number {
    return this.#builder.requestCount + this.#abandoned;
  }

  hasCall(callId: string): boolean {
    return this.#builder.hasCall(callId);
  }

  turn(continues: boolean): void {
    this.#builder.turn(continues);
    this.#segmentHasTurn = true;
  }

  append(entry: Entry, block: Block): void {
    this.#placed.push({ entry, block: this.#builder.block(block) });
  }

  /** An answer; without a request, which another file has, its blocks are context and nothing more. */
  answer(entry: Entry, request: Omit<Request, 'at' | 'outputs' | 'turn'> | undefined, blocks: readonly Block[]): void {
    if (request) {
      this.#continueTurn();
      this.#builder.request(request);
    } else this.#builder.endOutput();
    for (const block of blocks) this.append(entry, block);
  }

  abandoned(request: AbandonedRequest): void {
    this.#abandoned += 1;
    this.#builder.abandoned(request);
  }

  /**
   * The context is now the system prompt, the summary, and the lines from the first kept one on. The summary stands before
   * the segment, because what is kept follows it.
   */
  compact(summary: Block, firstKept: Entry | undefined): void {
    const opens = this.isEmpty;
    const at = this.#builder.block(summary);
    if (opens) return;
    const kept = this.#placed.filter((it) => firstKept && it.entry.place >= firstKept.place);
    const system = this.#placed.filter((it) => it.entry.kind === 'system');
    this.#builder.segment('compaction', [
      ...system.map(({ block }) => block),
      at,
      ...kept.filter((it) => it.entry.kind !== 'system').map(({ block }) => block),
    ]);
    this.#segmentHasTurn = false;
  }

  build(facts: SessionFacts): Session {
    return this.#builder.build(facts);
  }

  /** A segment that begins inside a turn goes on with it. */
  #continueTurn(): void {
    if (this.#segmentHasTurn || this.#builder.turnCount === 0) return;
    this.turn(true);
  }
}
