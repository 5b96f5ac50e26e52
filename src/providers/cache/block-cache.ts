import type { Cache, CacheRequest, PositionMap, PromptView, Split } from '../provider.ts';

/** More blocks than any prompt has: a billion tokens in blocks of 16 are 2^26. */
const mostBlocks = 2 ** 26;

/**
 * A self-hosted server's cache of full blocks (vLLM, providers.md §5): a block is known by its tokens and everything before
 * them, only full ones are kept, and when there is no room the least recently used goes, of one prompt the last first.
 */
export class BlockCache implements Cache {
  readonly #blockTokens: number;
  readonly #capacityBlocks: number;
  /** Blocks in the order of their last use, by the prefix that they end in and their number. */
  readonly #blocks = new Map<number, true>();

  /** @param capacityTokens tokens that the server can keep; Infinity for no limit. */
  constructor(blockTokens: number, capacityTokens: number) {
    this.#blockTokens = blockTokens;
    this.#capacityBlocks = Math.floor(capacityTokens / blockTokens);
  }

  step(view: PromptView, request: CacheRequest, out: Split): void {
    const keys = this.#keysOf(view);
    let hits = 0;
    while (hits < keys.length && this.#blocks.has(keys[hits] as number)) hits += 1;
    const warm = request.warm === 0 ? 0 : Math.floor((view.ends[request.warm - 1] as number) / this.#blockTokens);
    const total = view.length === 0 ? 0 : (view.ends[view.length - 1] as number);
    out.read = Math.max(hits, warm) * this.#blockTokens;
    out.write5m = 0;
    out.write1h = 0;
    out.fresh = total - out.read;
    // Used last to first, so that of one prompt the first blocks are the youngest.
    for (let at = keys.length - 1; at >= 0; at -= 1) {
      const key = keys[at] as number;
      this.#blocks.delete(key);
      this.#blocks.set(key, true);
    }
    for (const key of this.#blocks.keys()) {
      if (this.#blocks.size <= this.#capacityBlocks) break;
      this.#blocks.delete(key);
    }
  }

  /** The full blocks of a prompt: each is named by the prefix in which its last token lies, and its number. */
  #keysOf(view: PromptView): number[] {
    const keys: number[] = [];
    let at = 0;
    for (let end = this.#blockTokens; at < view.length; end += this.#blockTokens) {
      while (at < view.length && (view.ends[at] as number) < end) at += 1;
      if (at < view.length) keys.push((view.nodes[at] as number) * mostBlocks + keys.length);
    }
    return keys;
  }

  /** Nothing but room decides what such a server keeps. */
  lose(): void {}

  /** A server of one's own has no edits of cached sequences: what changed is computed anew. */
  cut(_view: PromptView, _known: number, _from: number, _moved: PositionMap): void {}
}
