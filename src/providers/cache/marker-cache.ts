import type { Cache, CacheRequest, PositionMap, PromptView, Split, TtlClass } from '../provider.ts';
import { LaneClock } from './clock.ts';
import { FloatColumn } from './columns.ts';
import { LanePath } from './lane-path.ts';

/** What differs between providers that cache at markers. */
export interface MarkerRules {
  /** Smallest prefix that is written, tokens, counted from the start of the prompt. */
  readonly minPrefixTokens: number;
  /** Markers per request; one more is refused. */
  readonly markers: number;
  /** Blocks before a marker that are searched, going back one at a time; those that the view says are not counted come on top. */
  readonly lookback: number;
  /** Milliseconds that an entry lives after its last use, by what the request asked for. */
  readonly lifetimes: Readonly<Record<TtlClass, number>>;
}

/**
 * A cache with entries at markers only: a marker finds an entry if one stands within its look-back;
 * entries live from the start of the request that wrote or last read them, and reading a longer prefix keeps the shorter ones
 * alive.
 */
export class MarkerCache implements Cache {
  readonly #rules: MarkerRules;
  /** Prefixes of the last request. */
  readonly #path = new LanePath();
  readonly #clock = new LaneClock();
  /** By prefix: when its entry was last written or, once the path has left it, last read; never: no entry. */
  readonly #touched = new FloatColumn(Number.NEGATIVE_INFINITY);
  readonly #lifetime = new FloatColumn(0);
  /**
   * Reads of the current path, newest last: a read up to a position keeps every entry before it alive. Positions fall
   * and times rise along the stack, so that a read costs no walk over the entries.
   */
  #reads: { position: number; time: number }[] = [];

  constructor(rules: MarkerRules) {
    this.#rules = rules;
  }

  step(view: PromptView, request: CacheRequest, out: Split): void {
    if (request.markerCount > this.#rules.markers) {
      throw new Error(`${request.markerCount} markers, at most ${this.#rules.markers}`);
    }
    this.#leave(Math.min(request.common, this.#path.length));
    this.#path.follow(view, Math.min(request.common, this.#path.length));
    this.#clock.moveTo(request.time);
    const hit = this.#findHit(view, request);
    if (hit >= 0) this.#read(view, hit);
    this.#write(view, request, hit, out);
  }

  /** The highest live entry that some marker's look-back reaches, or -1; a warm prefix is an entry that never dies. */
  #findHit(view: PromptView, request: CacheRequest): number {
    for (let marker = request.markerCount - 1; marker >= 0; marker -= 1) {
      const from = request.markers[marker] as number;
      let left = this.#rules.lookback;
      for (let at = from; at >= 0 && left >= 0; at -= 1) {
        if (at === request.warm - 1 || this.#isAlive(view.nodes[at] as number, at)) return at;
        left -= view.blocksAt(at);
      }
    }
    return -1;
  }

  #isAlive(node: number, position: number): boolean {
    const lifetime = this.#lifetime.get(node);
    return lifetime !== 0 && this.#clock.now - this.#lastTouch(node, position) <= lifetime;
  }

  #lastTouch(node: number, position: number): number {
    const touched = this.#touched.get(node);
    for (let at = this.#reads.length - 1; at >= 0; at -= 1) {
      const read = this.#reads[at] as { position: number; time: number };
      if (read.position >= position) return Math.max(touched, read.time);
    }
    return touched;
  }

  /** A hit keeps every live entry up to it alive; one that had died in the meantime stays dead. */
  #read(view: PromptView, position: number): void {
    const last = this.#reads.at(-1);
    const isRecent = last !== undefined && this.#clock.now - last.time <= this.#rules.lifetimes['5m'];
    for (let at = isRecent ? last.position + 1 : 0; at <= position; at += 1) {
      const node = view.nodes[at] as number;
      if (this.#lifetime.get(node) !== 0 && !this.#isAlive(node, at)) this.#lifetime.set(node, 0);
    }
    while (this.#reads.length > 0 && (this.#reads.at(-1) as { position: number }).position <= position)
      this.#reads.pop();
    this.#reads.push({ position, time: this.#clock.now });
  }

  /** Bills the request (mixed TTL): read to A, one hour to B, five minutes to C, the rest is plain input. */
  #write(view: PromptView, request: CacheRequest, hit: number, out: Split): void {
    const total = view.length === 0 ? 0 : (view.ends[view.length - 1] as number);
    const read = hit < 0 ? 0 : (view.ends[hit] as number);
    let longEnd = read;
    let end = read;
    for (let marker = 0; marker < request.markerCount; marker += 1) {
      const at = request.markers[marker] as number;
      const upTo = view.ends[at] as number;
      if (upTo < this.#rules.minPrefixTokens) continue;
      const long = marker < request.longMarkers;
      this.#enter(view.nodes[at] as number, at, request.ttl === 'never' ? 'never' : long ? '1h' : '5m');
      if (at <= hit) continue;
      if (long) longEnd = upTo;
      end = upTo;
    }
    out.read = read;
    out.write1h = longEnd - read;
    out.write5m = end - longEnd;
    out.fresh = total - end;
  }

  /** Every marker leaves one entry; one that is still alive keeps the lifetime that it was written with. */
  #enter(node: number, position: number, ttl: TtlClass): void {
    const lifetime = this.#isAlive(node, position) ? this.#lifetime.get(node) : this.#rules.lifetimes[ttl];
    this.#touched.set(node, this.#clock.now);
    this.#lifetime.set(node, lifetime);
  }

  lose(positions: number): void {
    const kept = Math.min(this.#path.length, positions);
    for (let at = kept; at < this.#path.length; at += 1) this.#lifetime.set(this.#path.nodes[at] as number, 0);
    if (kept < this.#path.length) this.#cutReads(kept);
    this.#path.length = kept;
  }

  cut(view: PromptView, known: number, from: number, moved: PositionMap): void {
    const kept = Math.min(known, this.#path.length);
    this.#leave(kept);
    if (kept <= from) return;
    for (let at = from; at < kept; at += 1) {
      const lifetime = this.#lifetime.get(this.#path.nodes[at] as number);
      const to = moved(at);
      if (lifetime === 0 || to < 0) continue;
      const [old, node] = [this.#path.nodes[at] as number, view.nodes[to] as number];
      // Two entries may come to end at one place: the one that lives longer is the one that counts.
      this.#touched.set(node, Math.max(this.#touched.get(node), this.#touched.get(old)));
      this.#lifetime.set(node, Math.max(this.#lifetime.get(node), lifetime));
    }
    this.#path.follow(view, from, moved(kept - 1) + 1);
    this.#reads = this.#reads
      .map(({ position, time }) => ({ position: position < from ? position : moved(position), time }))
      .filter(({ position }) => position >= 0);
  }

  /** Entries behind `common` are no longer on the path: their last read is written down, and the reads are cut. */
  #leave(common: number): void {
    for (let at = common; at < this.#path.length; at += 1) {
      const node = this.#path.nodes[at] as number;
      if (this.#lifetime.get(node) !== 0) this.#touched.set(node, this.#lastTouch(node, at));
    }
    if (common < this.#path.length) this.#cutReads(common);
    this.#path.length = common;
  }

  /** A read that went beyond the path's new end still kept alive what is left of it. */
  #cutReads(common: number): void {
    const newest = this.#reads.findLast((read) => read.position >= common);
    const shorter = this.#reads.filter((read) => read.position < common);
    const cut = { position: common - 1, time: newest?.time ?? 0 };
    const isCovered = shorter[0] !== undefined && shorter[0].position >= cut.position;
    this.#reads = newest && common > 0 && !isCovered ? [cut, ...shorter] : shorter;
  }
}
