import { CtxsimError } from '../errors.ts';
import type { BlockId, Edit, NewBlock } from '../policies/plan.ts';
import type { PromptView } from '../providers/provider.ts';
import { largestCount } from '../session/index.ts';
import { grown } from './grown.ts';
import { PrefixTree } from './prefix-tree.ts';

/** Where the blocks of a view went when the cached sequence was cut with it. */
export interface Moves {
  /** First position that changed; what stands before it stands where it stood. */
  readonly from: number;
  /** For each old position from `from` on, where it is now; a block that is gone is where its replacement ends. */
  readonly to: Int32Array;
  /** Leading positions that caches knew before. */
  readonly cached: number;
}

/** Where an old position is now. */
export function movedTo({ from, to }: Moves, position: number): number {
  return position < from ? position : (to[position - from] as number);
}

/**
 * The ordered blocks that the coming request carries. Appending costs what it appends, an edit costs what lies behind it,
 * and nothing is allocated per block: all columns are flat arrays that grow by doubling.
 */
export class View implements PromptView {
  length = 0;
  ids: Int32Array = new Int32Array(256);
  nodes: Int32Array = new Int32Array(256);
  ends: Float64Array = new Float64Array(256);
  #unchanged = 0;
  #cached = 0;
  #positions: Int32Array;
  /** Tokens of every block: the session's, then those that policies made. */
  #tokens: Int32Array;
  #blockCount: number;
  #madeOf: BlockId[] = [];
  /** By made block: the blocks in whose place it stands, where those are still there in another form. */
  #madeFrom: (number | undefined)[] = [];
  #interned = new Map<string, BlockId>();
  readonly #sessionBlocks: number;
  readonly #tree = new PrefixTree();
  /** By level: what else prefixes are known by, from which position on. */
  readonly #keys: { position: number; key: number }[] = [];

  /** 1 for thinking blocks of the session. */
  readonly #isThinking: Uint8Array;

  constructor(tokens: Int32Array, isThinking: Uint8Array = new Uint8Array(tokens.length)) {
    this.#isThinking = isThinking;
    this.#sessionBlocks = tokens.length;
    this.#blockCount = tokens.length;
    this.#tokens = tokens.slice();
    this.#positions = new Int32Array(tokens.length).fill(-1);
  }

  /** Tokens of the whole view. */
  get tokens(): number {
    return this.length === 0 ? 0 : (this.ends[this.length - 1] as number);
  }

  tokensOf(id: BlockId): number {
    return this.#tokens[id] as number;
  }

  blocksAt(position: number): number {
    const id = this.ids[position] as number;
    return id < this.#sessionBlocks
      ? 1 - (this.#isThinking[id] as number)
      : (this.#madeFrom[id - this.#sessionBlocks] ?? 1);
  }

  positionOf(id: BlockId): number {
    return this.#positions[id] ?? -1;
  }

  /** The session block that a block stands for: itself, or what a stub was made of; -1 if it stands for none. */
  originOf(id: BlockId): BlockId {
    return id < this.#sessionBlocks ? id : (this.#madeOf[id - this.#sessionBlocks] as number);
  }

  /** Appends the session's blocks `first … end - 1`. */
  append(first: BlockId, end: BlockId): void {
    this.#reserve(this.length + end - first);
    for (let id = first; id < end; id += 1) this.#push(id);
  }

  /** Replaces the whole view, keeping the identity of whatever prefix it shares with the old one. */
  reset(ids: readonly BlockId[]): void {
    let same = 0;
    while (same < ids.length && same < this.length && this.ids[same] === ids[same]) same += 1;
    this.#truncate(same);
    this.#reserve(ids.length);
    for (let at = same; at < ids.length; at += 1) this.#push(ids[at] as BlockId);
  }

  /** Applies the edits of one plan in one pass; returns what stood from the first changed position on. */
  apply(edits: readonly Edit[]): { from: number; before: Int32Array } {
    const splices = edits
      .map((edit) => ({
        from: this.#require(edit.from),
        to: this.#require(edit.to),
        with: edit.with,
        isOpaque: edit.opaque === true,
      }))
      .sort((a, b) => a.from - b.from);
    const from = splices[0]?.from ?? this.length;
    const before = this.ids.slice(from, this.length);
    this.#truncate(from);
    let at = from;
    for (const splice of splices) {
      if (splice.from < at || splice.to < splice.from) throw new Error('edits of one plan overlap or run backwards');
      this.#pushAll(before, at - from, splice.from - from);
      this.#reserve(this.length + splice.with.length);
      for (const block of splice.with) {
        const id = this.#identify(block);
        if (splice.isOpaque) this.#madeFrom[id - this.#sessionBlocks] = splice.to - splice.from + 1;
        this.#push(id);
      }
      at = splice.to + 1;
    }
    this.#pushAll(before, at - from, before.length);
    return { from, before };
  }

  /** Applies edits that are made in the cache too: what was cached and is still there stays cached. */
  cut(edits: readonly Edit[]): Moves {
    const cached = this.#cached;
    const removed = edits
      .map((edit) => ({ from: this.#require(edit.from), to: this.#require(edit.to), grows: edit.with.length }))
      .sort((a, b) => a.from - b.from);
    const { from, before } = this.apply(edits);
    const to = new Int32Array(before.length);
    let shift = 0;
    let next = 0;
    for (let at = from; at < from + before.length; at += 1) {
      const cut = removed[next];
      const isGone = cut !== undefined && at >= cut.from;
      to[at - from] = isGone ? cut.from + shift + cut.grows - 1 : at + shift;
      if (isGone && at === cut.to) {
        shift += cut.grows - (cut.to - cut.from + 1);
        next += 1;
      }
    }
    const moves = { from, to, cached };
    this.#cached = cached === 0 ? 0 : movedTo(moves, cached - 1) + 1;
    return moves;
  }

  /** Puts back what `apply` returned: the end of an edit that was for one request only. */
  restore({ from, before }: { from: number; before: Int32Array }): void {
    this.#truncate(from);
    this.#pushAll(before, 0, before.length);
  }

  /** Leading positions that have not changed since this was last called. */
  takeUnchanged(): number {
    const unchanged = this.#unchanged;
    this.#unchanged = this.length;
    return unchanged;
  }

  /** Leading positions that a cache still knows: unchanged, or changed in the cache alike, since `takeCached` was last called. */
  peekCached(): number {
    return this.#cached;
  }

  /** The same, and starts over. */
  takeCached(): number {
    const cached = this.#cached;
    this.#cached = this.length;
    return cached;
  }

  /**
   * Prefixes that reach beyond `position` are only equal under the same key: 0 for none, else a negative number. One position
   * and one key a level. Costs what lies behind the position, where something changed.
   */
  know(level: number, position: number, key: number): void {
    const known = this.#keys[level] ?? { position: 0, key: 0 };
    this.#keys[level] = known;
    if (known.key === key && (key === 0 || known.position === position)) return;
    const from = Math.min(known.key === 0 ? position : known.position, key === 0 ? known.position : position);
    known.position = position;
    known.key = key;
    for (let at = from; at < this.length; at += 1) this.nodes[at] = this.#nodeAt(at);
    if (from < this.#cached) this.#cached = from;
  }

  /** Appends a block that no transcript has, until `dropLast`; the same sort and size is the same block. */
  appendMade(sort: string, tokens: number): void {
    this.#reserve(this.length + 1);
    this.#push(this.#identify({ kind: 'meta', tokens }, `${sort}:${tokens}`));
  }

  /** Takes the last block away. */
  dropLast(): void {
    this.#truncate(this.length - 1);
  }

  /** A made block gets a new identity; the same stub of the same block keeps the one it had. */
  #identify(
    block: NewBlock,
    key = block.of === undefined ? undefined : `${block.of}:${block.kind}:${block.tokens}`,
  ): BlockId {
    const known = key === undefined ? undefined : this.#interned.get(key);
    if (known !== undefined) return known;
    if (!Number.isSafeInteger(block.tokens) || block.tokens < 0 || block.tokens > largestCount) {
      throw new CtxsimError(
        'bad-size',
        `a policy puts in a block of ${block.tokens} tokens`,
        `A block has between 0 and ${largestCount} tokens: lower the setting that sizes it.`,
      );
    }
    const id = this.#blockCount++;
    if (id >= this.#tokens.length) {
      this.#tokens = grown(this.#tokens, id + 1);
      this.#positions = grown(this.#positions, id + 1, -1);
    }
    this.#tokens[id] = block.tokens;
    this.#madeOf[id - this.#sessionBlocks] = block.of ?? -1;
    if (key !== undefined) this.#interned.set(key, id);
    return id;
  }

  #pushAll(ids: Int32Array, from: number, to: number): void {
    this.#reserve(this.length + to - from);
    for (let at = from; at < to; at += 1) this.#push(ids[at] as BlockId);
  }

  #push(id: BlockId): void {
    const at = this.length++;
    this.ids[at] = id;
    this.nodes[at] = this.#nodeAt(at);
    this.ends[at] = (at === 0 ? 0 : (this.ends[at - 1] as number)) + (this.#tokens[id] as number);
    this.#positions[id] = at;
  }

  #nodeAt(at: number): number {
    let parent = at === 0 ? 0 : (this.nodes[at - 1] as number);
    for (let level = 0; level < this.#keys.length; level += 1) {
      const { position, key } = this.#keys[level] as { position: number; key: number };
      if (position === at && key !== 0) parent = this.#tree.child(parent, key);
    }
    return this.#tree.child(parent, this.ids[at] as number);
  }

  #truncate(length: number): void {
    for (let at = length; at < this.length; at += 1) this.#positions[this.ids[at] as BlockId] = -1;
    this.length = length;
    if (length < this.#unchanged) this.#unchanged = length;
    if (length < this.#cached) this.#cached = length;
  }

  #require(id: BlockId): number {
    const position = this.positionOf(id);
    if (position === -1) throw new Error(`block ${id} is not in the view`);
    return position;
  }

  #reserve(length: number): void {
    if (length <= this.ids.length) return;
    this.ids = grown(this.ids, length);
    this.nodes = grown(this.nodes, length);
    this.ends = grown(this.ends, length);
  }
}
