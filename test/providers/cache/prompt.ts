import { cacheModelNamed } from '../../../src/providers/index.ts';
import type { RateCard } from '../../../src/providers/prices/rates.ts';
import type { Cache, PromptView, Split, TtlClass } from '../../../src/providers/provider.ts';
import { PrefixTree } from '../../../src/replay/prefix-tree.ts';
import { sonnet } from '../../sessions.ts';

/** A block of a prompt written down by hand: its name and its tokens. */
export type Part = readonly [name: string, tokens: number];

export interface Sent {
  readonly time?: number;
  readonly ttl?: TtlClass;
  readonly markers?: readonly number[];
  readonly longMarkers?: number;
  readonly warm?: number;
}

/** A cache under test: send prompts as lists of named blocks, see how each is split. */
export class Prompter {
  readonly #tree = new PrefixTree();
  readonly #names = new Map<string, number>();
  readonly #cache: Cache;
  #previous: readonly Part[] = [];

  constructor(cache: string | Cache, card: RateCard = sonnet, date?: string) {
    const time = date === undefined ? undefined : Date.parse(date);
    this.#cache = typeof cache === 'string' ? cacheModelNamed(cache).rulesFor(card, time).create() : cache;
  }

  /** What the last prompt cost besides its tokens. */
  get fees() {
    return { ...this.#cache.fees };
  }

  /** Sends a prompt; times are in seconds. */
  send(
    parts: readonly Part[],
    { time = Number.NaN, ttl = '5m', markers = [], longMarkers, warm = 0 }: Sent = {},
  ): Split {
    let common = 0;
    while (common < parts.length && parts[common]?.[0] === this.#previous[common]?.[0]) common += 1;
    this.#previous = parts;
    const out: Split = { read: -1, write5m: -1, write1h: -1, fresh: -1 };
    const request = {
      common,
      time: time * 1000,
      ttl,
      warm,
      markers: Int32Array.from(markers),
      markerCount: markers.length,
      longMarkers: longMarkers ?? (ttl === '1h' ? markers.length : 0),
    };
    this.#cache.step(this.#viewOf(parts), request, out);
    return out;
  }

  /** The reply to the last prompt joins it. */
  reply(...parts: readonly Part[]): void {
    this.#cache.replied?.(this.#viewOf([...this.#previous, ...parts]));
  }

  #viewOf(parts: readonly Part[]): PromptView {
    let node = 0;
    let end = 0;
    const nodes: number[] = [];
    const ends: number[] = [];
    for (const [name, tokens] of parts) {
      const id = this.#names.get(name) ?? this.#names.size;
      this.#names.set(name, id);
      node = this.#tree.child(node, id);
      end += tokens;
      nodes.push(node);
      ends.push(end);
    }
    return {
      length: parts.length,
      nodes: Int32Array.from(nodes),
      ends: Float64Array.from(ends),
      // Parts that are called thinking are passed over.
      blocksAt: (position) => (parts[position]?.[0].startsWith('thinking') ? 0 : 1),
    };
  }
}

/** Blocks `from … to` (inclusive) of 100 tokens each, named by their number. */
export function blocks(from: number, to: number, tokens = 100): Part[] {
  return Array.from({ length: to - from + 1 }, (_, index) => [`b${from + index}`, tokens]);
}
