import type { Edit, ExtraCall } from '../policies/plan.ts';
import type { RateCard, Split } from '../providers/provider.ts';
import type { ReplayObserver, Sent, Timeline, View } from '../replay/index.ts';
import type { PartName, RequestTrace, Resent, ResentCause } from '../results/index.ts';
import { addUsage, type Usage, zeroUsage } from '../session/index.ts';
import { CacheHistory } from './cache-history.ts';
import { ChangeLog } from './change-log.ts';

/** Tokens at one tier of one price card. */
interface TierUsage {
  readonly card: RateCard;
  readonly tier: number;
  readonly usage: Usage;
}

/** What a part of a bill took, as a replay counts it. */
export interface CountedPart {
  readonly name: PartName;
  /** Requests or calls. */
  times: number;
  readonly tiers: Map<string, TierUsage>;
}

/** A request of a trace, before its rates are looked up. */
export type CountedRequest = Omit<RequestTrace, 'line'> & TierUsage;

/** Tokens from one place of a prompt to another that were not read, and what they are part of. */
interface Unread {
  readonly name: PartName;
  readonly from: number;
  readonly to: number;
}

/**
 * Watches a replay and divides its bill: output, what was sent for the first time, what was read, and what was sent again, by
 * cause. Every token of every request falls into exactly one part, so the parts add up to the bill.
 */
export class BillAttribution implements ReplayObserver {
  readonly parts = new Map<string, CountedPart>();
  readonly requests: CountedRequest[] = [];
  /** Tokens of the largest prompt. */
  peakPrompt = 0;
  #isTooLong = false;
  readonly #timeline: Timeline;
  readonly #keepsRequests: boolean;
  readonly #caches = new Map<number, CacheHistory>();
  readonly #changes: ChangeLog;

  /** `keepsRequests`: also remembers each request by itself. */
  constructor(timeline: Timeline, keepsRequests: boolean) {
    this.#timeline = timeline;
    this.#keepsRequests = keepsRequests;
    this.#changes = new ChangeLog(timeline.session);
  }

  onSegment(): void {
    this.#changes.enterSegment();
  }

  onEdits(view: View, edits: readonly Edit[]): void {
    this.#changes.edited(view, edits);
  }

  onTooLong(): void {
    this.#isTooLong = true;
  }

  onRequest(view: View, unchanged: number, split: Split, request: number, tier: number, sent: Sent): void {
    const { cards, requests } = this.#timeline;
    const card = cards[requests.card[request] as number] as RateCard;
    const output = requests.output[request] as number;
    const unread = this.#unread(view, unchanged, split, sent, this.#newCache(request));
    this.peakPrompt = Math.max(this.peakPrompt, view.tokens);
    this.#count(unread, card, tier, split, output);
    if (this.#keepsRequests)
      this.requests.push(this.#trace(request, { card, tier, usage: usageOf(split, output) }, unread, split));
    this.#cacheOf(sent.model).follow(sent, view.ends, view.length);
    this.#changes.sent(view, unchanged);
    this.#isTooLong = false;
  }

  onCall(call: ExtraCall, card: RateCard, tier: number, split: Split, view: View, sent?: Sent): void {
    this.#add({ kind: 'calls', detail: call.purpose }, { card, tier, usage: usageOf(split, call.output) }, 1);
    if (sent) this.#cacheOf(sent.model).follow(sent, view.ends, view.length);
  }

  /** What of a prompt was not read, front to back: what stood there before, what another cache was sent, what changed or is new. */
  #unread(view: View, unchanged: number, split: Split, sent: Sent, newCache: ResentCause): Unread[] {
    const upTo = (positions: number) => (positions === 0 ? 0 : (view.ends[positions - 1] as number));
    const read = split.read + sent.expectedLoss;
    const resent = (from: number, to: number, name: Omit<PartName, 'kind'>): Unread[] =>
      from < to ? [{ name: { kind: 'resent', ...name }, from, to }] : [];
    const standing = Math.max(unchanged, sent.known);
    return [
      ...resent(split.read, read, { cause: 'expected-loss' }),
      ...this.#cacheOf(sent.model)
        .causes(sent, view.ends, read)
        .flatMap(({ from, to, ...name }) => resent(from, to, name)),
      ...resent(Math.max(read, upTo(sent.known)), upTo(standing), { cause: newCache }),
      ...this.#changed(view, standing, read),
    ];
  }

  /** Why a request's cache was not sent what the request before carried: another model's, or entries under other settings. */
  #newCache(request: number): ResentCause {
    const { model, settings } = this.#timeline.requests;
    if (model[request] !== model[request - 1]) return 'model';
    return settings?.[request] !== settings?.[request - 1] ? 'settings' : 'unexplained';
  }

  /** From the first position that differs from the request before: new blocks, and those that an edit moved or made. */
  #changed(view: View, first: number, read: number): Unread[] {
    const unread: Unread[] = [];
    const cause = this.#changes.cause();
    let from = Math.max(read, first === 0 ? 0 : (view.ends[first - 1] as number));
    for (let at = first; at < view.length; at += 1) {
      const to = view.ends[at] as number;
      if (to <= from) continue;
      unread.push({ name: this.#changes.isNew(view, view.ids[at] as number) ? { kind: 'new' } : cause, from, to });
      from = to;
    }
    return unread;
  }

  #count(unread: readonly Unread[], card: RateCard, tier: number, split: Split, output: number): void {
    this.#add({ kind: 'read' }, { card, tier, usage: { ...zeroUsage, cacheRead: split.read } }, 1);
    this.#add({ kind: 'output' }, { card, tier, usage: { ...zeroUsage, output } }, 1);
    const counted = new Set<string>();
    for (const { name, from, to } of unread) {
      const key = keyOf(name);
      this.#add(name, { card, tier, usage: billedAs(split, from, to) }, counted.has(key) ? 0 : 1);
      counted.add(key);
    }
  }

  #add(name: PartName, { card, tier, usage }: TierUsage, times: number): void {
    const key = keyOf(name);
    const part = this.parts.get(key) ?? { name, times: 0, tiers: new Map<string, TierUsage>() };
    this.parts.set(key, part);
    part.times += times;
    const at = `${card.id}#${tier}`;
    const before = part.tiers.get(at);
    part.tiers.set(at, { card, tier, usage: before ? addUsage(before.usage, usage) : usage });
  }

  #trace(index: number, billed: TierUsage, unread: readonly Unread[], split: Split): CountedRequest {
    const { session, models, requests } = this.#timeline;
    const request = session.requests[index];
    const edit = this.#changes.edit();
    return {
      ...billed,
      request: index + 1,
      turn: (request?.turn ?? -1) + 1,
      ...(request?.time === undefined ? {} : { time: request.time }),
      model: models[requests.model[index] as number]?.name ?? '',
      newTokens: unread.reduce((sum, { name, from, to }) => sum + (name.kind === 'new' ? to - from : 0), 0),
      resent: resentOf(unread, split),
      ...(edit ? { edit } : {}),
      ...(this.#isTooLong ? { isTooLong: true as const } : {}),
    };
  }

  #cacheOf(model: number): CacheHistory {
    const history = this.#caches.get(model) ?? new CacheHistory();
    this.#caches.set(model, history);
    return history;
  }
}

function resentOf(unread: readonly Unread[], split: Split): Resent[] {
  const byName = new Map<string, Resent>();
  for (const { name, from, to } of unread) {
    if (name.kind !== 'resent' || name.cause === undefined) continue;
    const { cause, detail } = name;
    const before = byName.get(keyOf(name));
    byName.set(keyOf(name), {
      cause,
      ...(detail === undefined ? {} : { detail }),
      tokens: (before?.tokens ?? 0) + to - from,
      usage: addUsage(before?.usage ?? zeroUsage, billedAs(split, from, to)),
    });
  }
  return [...byName.values()];
}

/** A prompt is billed front to back: read, one-hour writes, five-minute writes, fresh. */
function billedAs(split: Split, from: number, to: number): Usage {
  const longFrom = split.read;
  const shortFrom = longFrom + split.write1h;
  const freshFrom = shortFrom + split.write5m;
  const within = (start: number, end: number) => Math.max(0, Math.min(to, end) - Math.max(from, start));
  return {
    fresh: within(freshFrom, Number.POSITIVE_INFINITY),
    cacheRead: 0,
    cacheWrite5m: within(shortFrom, freshFrom),
    cacheWrite1h: within(longFrom, shortFrom),
    output: 0,
  };
}

function usageOf(split: Split, output: number): Usage {
  const { read: cacheRead, write5m: cacheWrite5m, write1h: cacheWrite1h, fresh } = split;
  return { fresh, cacheRead, cacheWrite5m, cacheWrite1h, output };
}

/** Parts with equal keys are one part. */
function keyOf({ kind, cause, detail }: PartName): string {
  return [kind, cause ?? '', detail ?? ''].join('\n');
}
