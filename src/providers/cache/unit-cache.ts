import type { Cache, CacheRequest, PositionMap, PromptView, Split, TtlClass } from '../provider.ts';
import { LaneClock } from './clock.ts';
import { FloatColumn } from './columns.ts';
import { LanePath } from './lane-path.ts';

/**
 * A cache of prefix units (DeepSeek, providers.md §4): a request reads the longest unit that its prompt begins with, whole or
 * not at all. Units end where a request's prompt ended, where its reply ended, and where a later prompt was found to part from
 * an earlier one: after A+B and A+C the third request that begins with A reads it.
 */
export class UnitCache implements Cache {
  readonly #lifetimes: Readonly<Record<TtlClass, number>>;
  readonly #path = new LanePath();
  readonly #clock = new LaneClock();
  /** By prefix: when its unit dies. */
  readonly #expiry = new FloatColumn(Number.NEGATIVE_INFINITY);
  #lifetime = 0;

  constructor(lifetimes: Readonly<Record<TtlClass, number>>) {
    this.#lifetimes = lifetimes;
  }

  step(view: PromptView, request: CacheRequest, out: Split): void {
    const common = Math.min(request.common, this.#path.length);
    this.#clock.moveTo(request.time);
    this.#lifetime = this.#lifetimes[request.ttl];
    let read = view.length;
    while (read > request.warm && !this.#isAlive(view.nodes[read - 1] as number)) read -= 1;
    if (read > 0) this.#keep(view.nodes[read - 1] as number);
    const parted = common > 0 && common < Math.min(this.#path.length, view.length);
    if (parted) this.#keep(view.nodes[common - 1] as number);
    this.#path.follow(view, common);
    if (view.length > 0) this.#keep(view.nodes[view.length - 1] as number);
    out.read = read === 0 ? 0 : (view.ends[read - 1] as number);
    out.write5m = 0;
    out.write1h = 0;
    out.fresh = (view.length === 0 ? 0 : (view.ends[view.length - 1] as number)) - out.read;
  }

  replied(view: PromptView): void {
    if (view.length > 0) this.#keep(view.nodes[view.length - 1] as number);
  }

  lose(positions: number): void {
    for (let at = positions; at < this.#path.length; at += 1) {
      this.#expiry.set(this.#path.nodes[at] as number, Number.NEGATIVE_INFINITY);
    }
    this.#path.length = Math.min(this.#path.length, positions);
  }

  cut(view: PromptView, known: number, from: number, moved: PositionMap): void {
    const kept = Math.min(known, this.#path.length);
    if (kept <= from) return;
    for (let at = from; at < kept; at += 1) {
      const dies = this.#expiry.get(this.#path.nodes[at] as number);
      const to = moved(at);
      if (to >= 0 && dies > this.#expiry.get(view.nodes[to] as number))
        this.#expiry.set(view.nodes[to] as number, dies);
    }
    this.#path.follow(view, from, moved(kept - 1) + 1);
  }

  #isAlive(node: number): boolean {
    return this.#expiry.get(node) >= this.#clock.now;
  }

  #keep(node: number): void {
    this.#expiry.set(node, this.#clock.now + this.#lifetime);
  }
}
