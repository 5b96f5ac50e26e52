import type { BlockId } from '../policies/plan.ts';
import type { ReadonlyState } from '../policies/policy.ts';
import type { Split } from '../providers/provider.ts';
import type { Block, DerivedName, Usage } from '../session/index.ts';
import type { LaneModel, LaneSegment, Timeline } from './timeline.ts';
import { View } from './view.ts';

/** Where a replay stands: the view, the turn, the clock. Policies see it through `ReadonlyState`; the loop moves it on. */
export class LaneState implements ReadonlyState {
  turn = 0;
  round = 0;
  ingestFirst = 0;
  ingestEnd = 0;
  lastUsage: Usage | undefined;
  window = Number.POSITIVE_INFINITY;
  now = Number.NaN;
  idle = Number.NaN;
  /** The latest start of a request so far: clocks that run backwards move nothing. */
  latest = Number.NaN;
  ratios = { read: 1, write: 1 };
  /** The request whose recorded edits are due now; -1 for none. */
  editsDue = -1;
  readonly outputReserve: number;
  readonly view: View;
  readonly #timeline: Timeline;
  #segment: LaneSegment;
  /** Blocks below this number have entered the context. */
  #appended = 0;
  #thinking: BlockId[] = [];
  #settled = 0;
  #requestTime = Number.NaN;

  constructor(timeline: Timeline, outputReserve: number) {
    const first = timeline.segments[0];
    if (!first) throw new Error('a session has at least one segment');
    this.#timeline = timeline;
    this.#segment = first;
    this.outputReserve = outputReserve;
    this.view = new View(timeline.tokens);
  }

  enterSegment(segment: LaneSegment): void {
    this.#segment = segment;
    this.turn = 0;
    this.round = 0;
    this.lastUsage = undefined;
    this.view.reset(segment.keeps);
    this.editsDue = segment.firstRequest;
    this.#thinking = segment.keeps.filter((id) => this.#timeline.isThinking[id] === 1);
    this.#appended = segment.firstBlock;
    const firstAt = this.#timeline.requests.at[segment.firstRequest] ?? segment.endBlock;
    this.#appendTo(Math.min(firstAt, segment.turnStarts[1] ?? segment.endBlock));
  }

  /** On to a request's start. */
  moveTo(time: number): void {
    this.#stand(time);
    this.#requestTime = time;
    if (!(time <= this.latest)) this.latest = Number.isNaN(time) ? this.latest : time;
  }

  /** A moment in the pause after a request. */
  pauseUntil(time: number): void {
    this.#stand(time);
  }

  #stand(time: number): void {
    this.idle = time - this.#requestTime;
    this.now = time;
  }

  append(turn: number, at: BlockId): void {
    if (turn !== this.turn) {
      this.turn = turn;
      this.round = 0;
    }
    this.ingestFirst = this.#appended;
    this.#appendTo(at);
    this.ingestEnd = at;
  }

  /** What the model answered to a request enters the context. */
  appendReply(request: number): void {
    const { at, outputs } = this.#timeline.session.requests[request] as { at: number; outputs: number };
    const next = this.#timeline.requests.at[request + 1];
    this.#appendTo(Math.min(at + outputs, next ?? at + outputs, this.#segment.endBlock));
  }

  /** Thinking of finished turns that is still in the view: before the current turn, or, once that is over, all of it. */
  takeThinking(turnIsOver: boolean): BlockId[] {
    const before = turnIsOver ? Number.POSITIVE_INFINITY : (this.#segment.turnStarts[this.turn] ?? 0);
    const taken = this.#thinking.filter((id) => id < before && this.view.positionOf(id) !== -1);
    this.#thinking = this.#thinking.filter((id) => id >= before);
    return taken;
  }

  /** What stands in the view now is what the last request carried, and the reply to it. */
  settle(request: number): void {
    this.#settled = this.view.length;
    // What a segment's first request finds changed stands in a view that the reset has yet to make.
    this.editsDue = request + 1 < this.#segment.endRequest ? request + 1 : -1;
  }

  /** An edit that stays, from a position on: what the last request used is out of date if it touches that. */
  edited(from: number): void {
    if (from < this.#settled) this.lastUsage = undefined;
  }

  sent(split: Split, output: number): void {
    const { fresh, read: cacheRead, write5m: cacheWrite5m, write1h: cacheWrite1h } = split;
    this.lastUsage = { fresh, cacheRead, cacheWrite5m, cacheWrite1h, output };
  }

  useModel({ card, limits }: LaneModel, window: number | undefined): void {
    this.window = window ?? limits?.window ?? Number.POSITIVE_INFINITY;
    const rates = card.tiers[0]?.rates;
    // A model without a price has no ratios either; policies go on with those of the model before.
    if (rates && rates.fresh > 0)
      this.ratios = { read: rates.cacheRead / rates.fresh, write: rates.cacheWrite5m / rates.fresh };
  }

  /** Last position of the system and tools blocks that the view begins with; -1 if it begins with none. */
  systemEnd(): number {
    let end = -1;
    while (end + 1 < this.view.length && isSystem(this.block(this.viewAt(end + 1)))) end += 1;
    return end;
  }

  turnBlocks(turn: number): { first: BlockId; end: BlockId } {
    const { turnStarts } = this.#segment;
    const first = turnStarts[turn] ?? this.#appended;
    return { first, end: Math.min(turnStarts[turn + 1] ?? this.#appended, this.#appended) };
  }

  block(id: BlockId): Block {
    const block = this.#timeline.session.blocks[id];
    if (!block || id >= this.#appended) throw new Error(`block ${id} has not entered the context`);
    return block;
  }

  tokens(id: BlockId): number {
    return this.view.tokensOf(id);
  }

  derivedTokens(id: BlockId, name: DerivedName): number | undefined {
    const counted = this.block(id).size?.derived?.[name];
    return counted === undefined ? undefined : this.modelTokens(counted);
  }

  modelTokens(counted: number): number {
    return Math.round(counted * this.#timeline.scale);
  }

  recordedEdits() {
    return this.#timeline.edits.filter(({ request }) => request === this.editsDue);
  }

  get viewLength(): number {
    return this.view.length;
  }

  get nextPrompt(): number {
    return this.view.tokens;
  }

  viewAt(position: number): BlockId {
    return this.view.ids[position] as BlockId;
  }

  positionOf(id: BlockId): number {
    return this.view.positionOf(id);
  }

  originOf(id: BlockId): BlockId {
    return this.view.originOf(id);
  }

  #appendTo(end: BlockId): void {
    if (end <= this.#appended) return;
    this.view.append(this.#appended, end);
    const { isThinking } = this.#timeline;
    for (let id = this.#appended; id < end; id += 1) if (isThinking[id] === 1) this.#thinking.push(id);
    this.#appended = end;
  }
}

function isSystem({ kind }: Block): boolean {
  return kind === 'system' || kind === 'tools';
}
