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
  ratios = { read: 1, write: 1 };
  readonly outputReserve: number;
  readonly view: View;
  readonly #timeline: Timeline;
  #segment: LaneSegment;
  /** Blocks below this number have entered the context. */
  #appended = 0;
  #request = 0;

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
    this.#appended = segment.firstBlock;
    const firstAt = this.#timeline.requests.at[segment.firstRequest] ?? segment.endBlock;
    this.#appendTo(Math.min(firstAt, segment.turnStarts[1] ?? segment.endBlock));
  }

  moveTo(request: number, time: number): void {
    this.#request = request;
    this.idle = time - this.now;
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

  /** The reply enters the context before the next request asks for it. */
  appendReply(end: BlockId): void {
    this.#appendTo(end);
  }

  sent(split: Split, output: number): void {
    const { fresh, read: cacheRead, write5m: cacheWrite5m, write1h: cacheWrite1h } = split;
    this.lastUsage = { fresh, cacheRead, cacheWrite5m, cacheWrite1h, output };
  }

  useModel({ card, limits }: LaneModel, window: number | undefined): void {
    this.window = window ?? limits?.window ?? Number.POSITIVE_INFINITY;
    const rates = card.tiers[0]?.rates;
    if (rates) this.ratios = { read: rates.cacheRead / rates.fresh, write: rates.cacheWrite5m / rates.fresh };
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
    return counted === undefined ? undefined : Math.round(counted * this.#timeline.scale);
  }

  recordedEdits() {
    return this.#timeline.edits.filter(({ request }) => request === this.#request);
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

  #appendTo(end: BlockId): void {
    if (end <= this.#appended) return;
    this.view.append(this.#appended, end);
    this.#appended = end;
  }
}

function isSystem({ kind }: Block): boolean {
  return kind === 'system' || kind === 'tools';
}
