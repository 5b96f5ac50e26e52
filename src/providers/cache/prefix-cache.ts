import type { Cache, CacheRequest, PositionMap, PromptView, Split, TtlClass } from '../provider.ts';
import { LaneClock } from './clock.ts';
import { FloatColumn } from './columns.ts';
import { LanePath } from './lane-path.ts';

/** What differs between providers that cache every prefix by themselves. */
export interface PrefixRules {
  /** Nothing shorter is read, tokens. */
  readonly minTokens: number;
  /** What is read is cut to a multiple of so many tokens. */
  readonly stepTokens: number;
  /** Milliseconds that a prompt lives after its last use, by what the request asked for. */
  readonly lifetimes: Readonly<Record<TtlClass, number>>;
  /** True where writes have a price of their own. */
  readonly chargesWrites: boolean;
}

/**
 * A cache that keeps every prompt whole, block by block: a later request reads the longest prefix that is still alive, as far
 * as the rules report it. What it does not read it writes, where writes have a price of their own.
 */
export class PrefixCache implements Cache {
  readonly #rules: PrefixRules;
  /** Prefixes of the last request. All of them live until `#expiry`. */
  readonly #path = new LanePath();
  #expiry = Number.NEGATIVE_INFINITY;
  readonly #clock = new LaneClock();
  /** When prefixes that the last request no longer had die, by prefix; stamped when they were left. */
  readonly #leftExpiry = new FloatColumn(Number.NEGATIVE_INFINITY);

  constructor(rules: PrefixRules) {
    this.#rules = rules;
  }

  step(view: PromptView, request: CacheRequest, out: Split): void {
    const common = Math.min(request.common, this.#path.length);
    this.#leave(common);
    this.#clock.moveTo(request.time);
    const alive = this.#clock.now <= this.#expiry ? common : 0;
    let read = Math.min(view.length, Math.max(alive, request.warm));
    while (read < view.length && this.#leftExpiry.get(view.nodes[read] as number) >= this.#clock.now) read += 1;

    this.#path.follow(view, common);
    this.#expiry = this.#clock.now + this.#rules.lifetimes[request.ttl];

    const total = view.length === 0 ? 0 : (view.ends[view.length - 1] as number);
    out.read = this.#reported(read === 0 ? 0 : (view.ends[read - 1] as number));
    const rest = total - out.read;
    const { chargesWrites } = this.#rules;
    out.fresh = chargesWrites ? 0 : rest;
    out.write1h = chargesWrites && request.ttl === '1h' ? rest : 0;
    out.write5m = chargesWrites && request.ttl !== '1h' ? rest : 0;
  }

  #reported(tokens: number): number {
    const { minTokens, stepTokens } = this.#rules;
    const whole = tokens - (tokens % stepTokens);
    return whole < minTokens ? 0 : whole;
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
