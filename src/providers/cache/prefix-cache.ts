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
  /** Prefixes of the last request. */
  readonly #path = new LanePath();
  readonly #clock = new LaneClock();
  /**
   * By prefix of the path: how long it lives after the last request. It never grows along the path, for who asks for a
   * prompt asks for all that it begins with.
   */
  readonly #lifetime = new FloatColumn(0);
  /** When prefixes that the last request no longer had die, by prefix; stamped when they were left. */
  readonly #leftExpiry = new FloatColumn(Number.NEGATIVE_INFINITY);

  constructor(rules: PrefixRules) {
    this.#rules = rules;
  }

  step(view: PromptView, request: CacheRequest, out: Split): void {
    const common = Math.min(request.common, this.#path.length);
    this.#leave(common);
    const lastUse = this.#clock.now;
    this.#clock.moveTo(request.time);
    const alive = this.#aliveOf(common, this.#clock.now - lastUse);
    let read = Math.min(view.length, Math.max(alive, request.warm));
    while (read < view.length && this.#leftExpiry.get(view.nodes[read] as number) >= this.#clock.now) read += 1;

    this.#path.follow(view, common);
    this.#use(alive, read, this.#rules.lifetimes[request.ttl]);

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

  /** How many of the path's first `common` prefixes live after so many milliseconds. */
  #aliveOf(common: number, idle: number): number {
    let alive = common;
    while (alive > 0 && this.#lifetimeAt(alive - 1) < idle) alive -= 1;
    return alive;
  }

  #lifetimeAt(position: number): number {
    return this.#lifetime.get(this.#path.nodes[position] as number);
  }

  /** What was read lives on for as long as was ever asked for it, the rest for as long as is asked for now. */
  #use(alive: number, read: number, lifetime: number): void {
    for (let at = alive; at < this.#path.length; at += 1) {
      const known = at < read ? this.#lifetimeAt(at) : 0;
      this.#lifetime.set(this.#path.nodes[at] as number, Math.max(known, lifetime));
    }
    for (let at = alive - 1; at >= 0 && this.#lifetimeAt(at) < lifetime; at -= 1)
      this.#lifetime.set(this.#path.nodes[at] as number, lifetime);
  }

  /** Prefixes behind `common` are no longer on the path: when they die is written down. */
  #leave(common: number): void {
    for (let at = common; at < this.#path.length; at += 1) {
      const node = this.#path.nodes[at] as number;
      const expiry = this.#clock.now + this.#lifetime.get(node);
      if (expiry > this.#leftExpiry.get(node)) this.#leftExpiry.set(node, expiry);
    }
    this.#path.length = common;
  }

  cut(view: PromptView, known: number, from: number, moved: PositionMap): void {
    const kept = Math.min(known, this.#path.length);
    this.#leave(kept);
    if (kept <= from) return;
    let next = from;
    for (let at = from; at < kept; at += 1) {
      const lifetime = this.#lifetimeAt(at);
      for (const to = moved(at); next <= to; next += 1) this.#lifetime.set(view.nodes[next] as number, lifetime);
    }
    this.#path.follow(view, from, moved(kept - 1) + 1);
  }

  lose(positions: number): void {
    for (let at = positions; at < this.#path.length; at += 1) {
      this.#leftExpiry.set(this.#path.nodes[at] as number, Number.NEGATIVE_INFINITY);
    }
    this.#path.length = Math.min(this.#path.length, positions);
  }
}
