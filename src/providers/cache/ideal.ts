import type { RateCard } from '../prices/rates.ts';
import type { Cache, CacheModel, CacheRequest, PositionMap, PromptView, Split } from '../provider.ts';
import { ttlMilliseconds } from '../provider.ts';
import { LaneClock } from './clock.ts';
import { FloatColumn } from './columns.ts';
import { LanePath } from './lane-path.ts';

/**
 * The cache that loses nothing: every request of the lane leaves its whole prompt behind, block by block, and a later one
 * reads the longest prefix that is still alive. What it does not read it writes, where writes have a price of their own.
 */
export const ideal: CacheModel = {
  name: 'ideal',
  title: 'longest common prefix, whole blocks',
  usesMarkers: false,
  ttls: ['5m', '1h', 'never'],
  create: (card) => new IdealCache(card),
  notes: () => [
    {
      rule: 'prefix',
      value: 'the longest prefix of whole blocks that any request of the lane left behind within the TTL',
      source: 'definition; an upper bound of what a provider can do',
      assumed: true,
    },
  ],
};

class IdealCache implements Cache {
  readonly #chargesWrites: boolean;
  /** Prefixes of the last request. All of them live until `#expiry`. */
  readonly #path = new LanePath();
  #expiry = Number.NEGATIVE_INFINITY;
  readonly #clock = new LaneClock();
  /** When prefixes that the last request no longer had die, by prefix; stamped when they were left. */
  readonly #leftExpiry = new FloatColumn(Number.NEGATIVE_INFINITY);

  constructor(card: RateCard) {
    this.#chargesWrites = card.chargesWrites;
  }

  step(view: PromptView, request: CacheRequest, out: Split): void {
    const common = Math.min(request.common, this.#path.length);
    this.#leave(common);
    this.#clock.moveTo(request.time);
    const alive = this.#clock.now <= this.#expiry ? common : 0;
    let read = Math.min(view.length, Math.max(alive, request.warm));
    while (read < view.length && this.#leftExpiry.get(view.nodes[read] as number) >= this.#clock.now) read += 1;

    this.#path.follow(view, common);
    this.#expiry = this.#clock.now + ttlMilliseconds[request.ttl];

    const total = view.length === 0 ? 0 : (view.ends[view.length - 1] as number);
    out.read = read === 0 ? 0 : (view.ends[read - 1] as number);
    const rest = total - out.read;
    out.fresh = this.#chargesWrites ? 0 : rest;
    out.write1h = this.#chargesWrites && request.ttl === '1h' ? rest : 0;
    out.write5m = this.#chargesWrites && request.ttl !== '1h' ? rest : 0;
  }

  /** Prefixes behind `common` are no longer on the path: when they die is written down. */
  #leave(common: number): void {
    for (let at = common; at < this.#path.length; at += 1) {
      const node = this.#path.nodes[at] as number;
      if (this.#expiry > this.#leftExpiry.get(node)) this.#leftExpiry.set(node, this.#expiry);
    }
    this.#path.length = common;
  }

  cut(view: PromptView, known: number, from: number, moved: PositionMap): void {
    const kept = Math.min(known, this.#path.length);
    this.#leave(kept);
    if (kept > from) this.#path.follow(view, from, moved(kept - 1) + 1);
  }

  lose(positions: number): void {
    for (let at = positions; at < this.#path.length; at += 1) {
      this.#leftExpiry.set(this.#path.nodes[at] as number, Number.NEGATIVE_INFINITY);
    }
    this.#path.length = Math.min(this.#path.length, positions);
  }
}
