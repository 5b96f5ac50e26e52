import { causeOf, HarnessMemory, isEdited, isOutsideEvent, lifetimeSeconds } from '../analysis/index.ts';
import { policies } from '../policies/index.ts';
import { recordedPlanner } from '../providers/index.ts';
import type { CacheModel, PriceBook, Split } from '../providers/provider.ts';
import { type Conditions, type LaneModel, nothingLost, replayLane, type Timeline, type View } from '../replay/index.ts';
import type { CacheEvent } from '../results/index.ts';
import { modelOf, promptTokens, type Session } from '../session/index.ts';
import { predictSession } from './backtest-session.ts';

/** An entry that ends within 2 % of what was read is the one that was read: the system part changes by a few tokens at times. */
const sameEntry = 1.02;

/**
 * Tokens of the system part, as a recording shows it: what the first request read from other sessions; else the least that was
 * ever read, if that is a part of the first prompt. 0 where nothing shows it.
 */
export function recordedSystemTokens({ requests }: Session): number {
  const first = requests[0]?.usage;
  if (!first || first.cacheRead > 0) return first?.cacheRead ?? 0;
  const reads = requests.flatMap(({ usage }) => (usage && usage.cacheRead > 0 ? [usage.cacheRead] : []));
  const least = Math.min(...reads);
  return least < promptTokens(first) ? least : 0;
}

/** What befell a recorded session's cache from outside. */
export interface RecordedEvents {
  /** Losses that no rule explains, and hits that none does. */
  readonly events: readonly CacheEvent[];
  /** The system part began warm: other sessions had it in the cache. */
  readonly isWarm: boolean;
  readonly conditions: Conditions;
}

/** How the recorded requests reached the cache. */
export interface RecordedLane {
  /** Laid out under the recorded lifetimes. */
  readonly timeline: Timeline;
  readonly prices: PriceBook;
  cacheModelOf(model: LaneModel): CacheModel;
}

/**
 * The outside events of a measured session: evictions before the lifetime ended, caches that other traffic drove out, entries
 * that lived longer or reached further than the rules say, and a system part that other sessions kept warm. They befell the
 * session whatever its policy, so a replay applies them to every row alike.
 */
export function recordedEvents(session: Session, lane: RecordedLane): RecordedEvents {
  const warm = warmTokens(session);
  const isWarm = warm.some((tokens) => tokens > 0);
  const losses = lossesOf(session, lane.prices);
  const lost = losses.size === 0 ? {} : { lastKept: lastBlocks(session, lane, losses, nothingLost) };
  const hits = hitsOf(session, lane, { warm, ...lost }, losses);
  const found = hits.size === 0 ? {} : { lastRead: lastBlocks(session, lane, hits, -1) };
  return {
    events: [
      ...[...losses].map(([index, kept]) => ({ request: index + 1, kept })),
      ...[...hits].map(([index, kept]) => ({ request: index + 1, kept, isHit: true as const })),
    ].sort((a, b) => a.request - b.request),
    isWarm,
    conditions: { warm, ...lost, ...found },
  };
}

/** What was read is known in tokens of the recorded prompt; policies need to know up to which block. */
function lastBlocks(
  session: Session,
  lane: RecordedLane,
  read: ReadonlyMap<number, number>,
  otherwise: number,
): Int32Array {
  const last = new Int32Array(session.requests.length).fill(otherwise);
  replayRecorded(session, lane, (view, request) => {
    const tokens = read.get(request);
    if (tokens === undefined) return;
    last[request] = -1;
    for (let at = 0; at < view.length && (view.ends[at] as number) <= tokens * sameEntry; at += 1) {
      const origin = view.originOf(view.ids[at] as number);
      if (origin !== -1) last[request] = origin;
    }
  });
  return last;
}

/** By request, the tokens that were read where the rules, all else being as recorded, say that clearly less was cached. */
function hitsOf(
  session: Session,
  lane: RecordedLane,
  conditions: Conditions,
  losses: ReadonlyMap<number, number>,
): Map<number, number> {
  const hits = new Map<number, number>();
  if (session.requests.filter(({ usage }) => usage).length < 2) return hits;
  replayRecorded(session, { ...lane, timeline: { ...lane.timeline, conditions } }, (view, request, split) => {
    // A first request reads what others sent; what is left after a change of the past is a matter of how the harness made it.
    if (request === 0 || losses.has(request) || isEdited(session, request)) return;
    const read = session.requests[request]?.usage?.cacheRead ?? 0;
    // Less is a matter of where an entry ends.
    if (read - split.read > (sameEntry - 1) * view.tokens) hits.set(request, read);
  });
  return hits;
}

/** Replays what the harness sent, under its own markers. */
function replayRecorded(
  session: Session,
  { timeline, cacheModelOf }: RecordedLane,
  onRequest: (view: View, request: number, split: Split) => void,
): void {
  replayLane(timeline, {
    createPolicy: () => policies.get('recorded').create({}),
    cacheModelOf,
    planner: recordedPlanner(session),
    ttl: 'recorded',
    outputReserve: 0,
    observer: { onRequest: (view, _unchanged, split, request) => onRequest(view, request, split) },
  });
}

/**
 * By request, the tokens of the system part that others kept in the cache: what the first request read, wherever the recording
 * shows that it was read again, and where it shows nothing.
 */
function warmTokens(session: Session): Float64Array {
  const first = session.requests[0];
  const system = first?.usage?.cacheRead ?? 0;
  return Float64Array.from(session.requests, (request) => {
    const isSameModel = modelOf(session, request) === (first && modelOf(session, first));
    const read = request.usage?.cacheRead ?? system;
    return isSameModel && read * sameEntry >= system ? system : 0;
  });
}

/** By request, how many tokens were still read where a loss has no rule behind it. */
function lossesOf(session: Session, prices: PriceBook): Map<number, number> {
  const losses = new Map<number, number>();
  if (session.requests.filter(({ usage }) => usage).length < 2) return losses;
  const foretold = new HarnessMemory().foretell(session);
  const predicted = predictSession(session, foretold, prices);
  session.requests.forEach(({ usage }, index) => {
    const guess = predicted[index];
    if (index === 0 || !usage || !guess) return;
    const cause = causeOf(session, index, guess, lifetimeSeconds(foretold, index));
    if (isOutsideEvent(cause, guess, usage)) losses.set(index, usage.cacheRead);
  });
  return losses;
}
