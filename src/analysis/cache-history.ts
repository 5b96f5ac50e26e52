import type { TtlClass } from '../providers/provider.ts';
import type { Sent } from '../replay/index.ts';
import type { ResentCause } from '../results/index.ts';

/** Ends of the view's positions, tokens. */
type Ends = Readonly<Float64Array>;

/** A stretch of a prompt, in tokens from its start, and why it was not read. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly cause: ResentCause;
  readonly detail?: string;
}

/**
 * What one model's cache was sent so far: enough to say why an unchanged prefix was not read. It decides nothing; the cache
 * model has decided already.
 */
export class CacheHistory {
  /** Positions at which entries end, ascending; only where the provider caches at markers. */
  #entries: number[] = [];
  #lastUse = Number.NaN;
  #ttl: TtlClass = '5m';

  /** Why the tokens from `read` up to the last position that was sent before were not read. */
  causes(sent: Sent, ends: Ends, read: number): Stretch[] {
    const upTo = (positions: number) => (positions === 0 ? 0 : (ends[positions - 1] as number));
    const [known, kept] = [upTo(sent.known), upTo(sent.kept)];
    const lost = stretch(Math.max(read, kept), known, 'lost').map((part) =>
      part.from === 0 ? { ...part, detail: 'from the first token on' } : part,
    );
    if (read >= kept) return lost;
    return [...this.#causesWithin(sent, ends, read, kept), ...lost];
  }

  #causesWithin(sent: Sent, ends: Ends, read: number, kept: number): Stretch[] {
    const { entries, lifetimes } = sent.rules;
    if (sent.request.time - this.#lastUse > lifetimes[this.#ttl]) return stretch(read, kept, 'expired');
    if (read === 0 && kept < entries.minTokens) return stretch(read, kept, 'minimum');
    if (entries.at === 'elsewhere') return stretch(read, kept, 'placement');
    if (entries.at === 'steps')
      return stretch(read, kept, kept - read < entries.stepTokens ? 'rounding' : 'unexplained');
    const last = this.#entries.findLast((position) => position < sent.kept);
    const entry = Math.max(read, last === undefined ? 0 : (ends[last] as number));
    return [...stretch(read, entry, 'look-back'), ...stretch(entry, kept, 'placement')];
  }

  /** Remembers a request or call once it has been explained. */
  follow({ known, kept, request, rules }: Sent, ends: Ends, length: number): void {
    // Without a time, and where clocks run backwards, none has passed.
    if (Number.isNaN(this.#lastUse) || request.time > this.#lastUse) this.#lastUse = request.time;
    this.#ttl = request.ttl;
    if (rules.entries.at !== 'markers') return;
    const placed = [...request.markers.subarray(0, request.markerCount)].filter(
      (at) => at < length && (ends[at] as number) >= rules.entries.minTokens,
    );
    const standing = this.#entries.filter((at) => at < Math.min(known, kept));
    this.#entries = [...new Set([...standing, ...placed])].sort((a, b) => a - b);
  }
}

function stretch(from: number, to: number, cause: ResentCause): Stretch[] {
  return from < to ? [{ from, to, cause }] : [];
}
