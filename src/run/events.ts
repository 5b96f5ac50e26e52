import { causeOf, HarnessMemory, isOutsideEvent, lifetimeSeconds } from '../analysis/index.ts';
import { policies } from '../policies/index.ts';
import { cacheModels, planners } from '../providers/index.ts';
import type { PriceBook } from '../providers/provider.ts';
import { type Conditions, nothingLost, replayLane, type Timeline } from '../replay/index.ts';
import type { CacheLoss } from '../results/index.ts';
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
  /** Losses that no rule explains. */
  readonly losses: readonly CacheLoss[];
  /** The system part began warm: other sessions had it in the cache. */
  readonly isWarm: boolean;
  readonly conditions: Conditions;
}

/**
 * The outside events of a measured session: evictions before the lifetime ended, caches that other traffic drove out, and a
 * system part that other sessions kept warm. They befell the session whatever its policy, so a replay applies them to every
 * row alike.
 */
export function recordedEvents(session: Session, timeline: Timeline, prices: PriceBook): RecordedEvents {
  const losses = lossesOf(session, prices);
  const warm = warmTokens(session);
  const isWarm = warm.some((tokens) => tokens > 0);
  if (losses.size === 0) return { losses: [], isWarm, conditions: { warm } };
  const lastKept = new Int32Array(session.requests.length).fill(nothingLost);
  // What was left is known in tokens of the recorded prompt; policies need to know up to which block.
  replayLane(timeline, {
    createPolicy: () => policies.get('recorded').create({}),
    cacheModelOf: () => cacheModels.get('none'),
    planner: planners.get('tail'),
    ttl: 'recorded',
    outputReserve: 0,
    observer: {
      onRequest(view, _unchanged, _split, request) {
        const tokens = losses.get(request);
        if (tokens === undefined) return;
        let last = -1;
        for (let at = 0; at < view.length && (view.ends[at] as number) <= tokens * sameEntry; at += 1) {
          const origin = view.originOf(view.ids[at] as number);
          if (origin !== -1) last = origin;
        }
        lastKept[request] = last;
      },
    },
  });
  return {
    losses: [...losses].map(([index, kept]) => ({ request: index + 1, kept })),
    isWarm,
    conditions: { lastKept, warm },
  };
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
