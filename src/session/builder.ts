import {
  type AbandonedRequest,
  type Block,
  outputKinds,
  type Request,
  type Segment,
  type SegmentReason,
  type Session,
  type Turn,
} from './session.ts';

/** What a reader knows of a session besides its log. */
export type SessionFacts = Omit<Session, 'blocks' | 'turns' | 'requests' | 'segments' | 'abandoned'>;

/**
 * Builds a session in the order in which its context grew. Readers call it once per recorded thing:
 * blocks enter the context, `request` marks a dispatch, and the model's blocks directly behind it are its output.
 */
export class SessionBuilder {
  #blocks: Block[] = [];
  #turns: Turn[] = [];
  #requests: { -readonly [K in keyof Request]: Request[K] }[] = [];
  #segments: Segment[] = [{ reason: 'start', keeps: [], firstBlock: 0, firstRequest: 0, firstTurn: 0 }];
  #abandoned: AbandonedRequest[] = [];
  #byCall = new Map<string, Block>();
  /** How many of the coming blocks may still be output of the last request. */
  #outputsLeft = 0;

  get blockCount(): number {
    return this.#blocks.length;
  }

  get requestCount(): number {
    return this.#requests.length;
  }

  get turnCount(): number {
    return this.#turns.length;
  }

  /** Appends a block and returns its index. A result without tool, action or target takes those of its call. */
  block(block: Block): number {
    const complete = block.kind === 'result' ? this.#withCall(block) : block;
    if (block.kind === 'call' && block.callId !== undefined) this.#byCall.set(block.callId, block);
    const last = this.#requests.at(-1);
    if (this.#outputsLeft > 0 && last && outputKinds.includes(block.kind)) {
      last.outputs += 1;
      this.#outputsLeft -= 1;
    } else this.#outputsLeft = 0;
    return this.#blocks.push(complete) - 1;
  }

  /** Starts a turn at the next block. */
  turn(continues = false): void {
    this.#outputsLeft = 0;
    this.#turns.push(
      continues ? { firstBlock: this.#blocks.length, continues: true } : { firstBlock: this.#blocks.length },
    );
  }

  /** What follows is no output of the last request, although the model produced it: its own request is not kept. */
  endOutput(): void {
    this.#outputsLeft = 0;
  }

  /**
   * A request whose prompt is the context so far; thinking, reply and call blocks that follow at once are its output, or
   * `outputs` of them where not all are.
   */
  request(request: Omit<Request, 'at' | 'outputs' | 'turn'>, outputs = Number.POSITIVE_INFINITY): void {
    this.#outputsLeft = outputs;
    this.#requests.push({ ...request, at: this.#blocks.length, outputs: 0, turn: this.#turns.length - 1 });
  }

  /** A recorded reset: the context is now `keeps` (indexes of earlier blocks, in order) and whatever follows. */
  segment(reason: SegmentReason, keeps: readonly number[], time?: number): void {
    this.#outputsLeft = 0;
    this.#segments.push({
      reason,
      ...(time === undefined ? {} : { time }),
      keeps: [...keeps],
      firstBlock: this.#blocks.length,
      firstRequest: this.#requests.length,
      firstTurn: this.#turns.length,
    });
  }

  abandoned(request: AbandonedRequest): void {
    this.#abandoned.push(request);
  }

  /** True if a call with this id was appended. */
  hasCall(callId: string): boolean {
    return this.#byCall.has(callId);
  }

  build(facts: SessionFacts): Session {
    return {
      ...facts,
      blocks: this.#blocks,
      turns: this.#turns,
      requests: this.#requests,
      segments: this.#segments,
      abandoned: this.#abandoned,
    };
  }

  #withCall(result: Block): Block {
    const call = result.callId === undefined ? undefined : this.#byCall.get(result.callId);
    if (!call) return result;
    const inherited: { -readonly [K in keyof Block]?: Block[K] } = {};
    if (call.tool !== undefined) inherited.tool = call.tool;
    if (call.action !== undefined) inherited.action = call.action;
    if (call.target !== undefined) inherited.target = call.target;
    return { ...inherited, ...result };
  }
}
