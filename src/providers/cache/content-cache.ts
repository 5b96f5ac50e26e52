import type { Cache, CacheFees, CacheRequest, PromptView, Split } from '../provider.ts';
import { LaneClock } from './clock.ts';

/** What a client that keeps cached contents goes by. */
export interface ContentRules {
  /** Smallest content, tokens. */
  readonly minTokens: number;
  /** Milliseconds that a content lives from its creation; a read does not prolong it. */
  readonly lifetime: number;
  /** The client makes a new content once more than this share of the prompt stands behind the old one. */
  readonly tailShare: number;
}

/**
 * Contents that the client creates, names in its requests and deletes (Gemini's explicit caching, providers.md §3). The client
 * here keeps one content a lane. It makes a new one before a request that the old one does not serve: none is alive, the prompt
 * no longer begins with it, or too much stands behind it. The new one ends at the first marker behind which little enough
 * stands, else at the last marker, and the old one is deleted.
 */
export class ContentCache implements Cache {
  readonly fees: CacheFees = { created: 0, tokenMilliseconds: 0 };
  readonly #rules: ContentRules;
  readonly #clock = new LaneClock();
  /** The content: the prefix that it is, or -1 for none that can be read, and how long that is. */
  #node = -1;
  #length = 0;
  #tokens = 0;
  #expiry = Number.NEGATIVE_INFINITY;

  constructor(rules: ContentRules) {
    this.#rules = rules;
  }

  step(view: PromptView, request: CacheRequest, out: Split): void {
    this.fees.created = 0;
    this.fees.tokenMilliseconds = 0;
    this.#clock.moveTo(request.time);
    const total = view.length === 0 ? 0 : (view.ends[view.length - 1] as number);
    const most = total * this.#rules.tailShare;
    if (!this.#serves(view)) this.#delete();
    if (total - this.#tokens > most) this.#create(view, this.#placeOf(view, request, total - most));
    const warm = request.warm === 0 ? 0 : (view.ends[request.warm - 1] as number);
    out.read = Math.max(this.#tokens, warm);
    out.write5m = 0;
    out.write1h = 0;
    out.fresh = total - out.read;
  }

  #serves(view: PromptView): boolean {
    return (
      this.#length > 0 &&
      this.#length <= view.length &&
      view.nodes[this.#length - 1] === this.#node &&
      this.#clock.now <= this.#expiry
    );
  }

  /** The first marker with so many tokens up to it, else the last; -1 without any. */
  #placeOf(view: PromptView, { markers, markerCount }: CacheRequest, least: number): number {
    for (let marker = 0; marker < markerCount; marker += 1) {
      const at = markers[marker] as number;
      if ((view.ends[at] as number) >= least) return at;
    }
    return markerCount === 0 ? -1 : (markers[markerCount - 1] as number);
  }

  /** Storage is billed for the whole lifetime here, and what is left of it is taken back when the content is deleted. */
  #create(view: PromptView, place: number): void {
    const tokens = place < 0 ? 0 : (view.ends[place] as number);
    if (tokens < this.#rules.minTokens || place < this.#length) return;
    this.#delete();
    this.#node = view.nodes[place] as number;
    this.#length = place + 1;
    this.#tokens = tokens;
    this.#expiry = this.#clock.now + this.#rules.lifetime;
    this.fees.created = tokens;
    this.fees.tokenMilliseconds += tokens * this.#rules.lifetime;
  }

  #delete(): void {
    this.fees.tokenMilliseconds -= this.#tokens * Math.max(0, this.#expiry - this.#clock.now);
    this.#node = -1;
    this.#length = 0;
    this.#tokens = 0;
    this.#expiry = Number.NEGATIVE_INFINITY;
  }

  /** A content that was lost is billed until the client finds out, at the next request. */
  lose(positions: number): void {
    if (positions < this.#length) this.#node = -1;
  }

  /** A content cannot be edited: a prompt that no longer begins with it does without. */
  cut(): void {}
}
