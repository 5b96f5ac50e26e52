import { causeOf, HarnessMemory, isOutsideEvent, lifetimeSeconds } from '../analysis/index.ts';
import { policies } from '../policies/index.ts';
import { cacheModels, planners } from '../providers/index.ts';
import type { PriceBook } from '../providers/provider.ts';
import { type Conditions, nothingLost, replayLane, type Timeline } from '../replay/index.ts';
import type { CacheLoss } from '../results/index.ts';
import type { Session } from '../session/index.ts';
import { predictSession } from './backtest-session.ts';

/** Cache losses that a recording shows and no rule explains. */
export interface RecordedEvents {
  readonly losses: readonly CacheLoss[];
  readonly conditions: Conditions;
}

/**
 * The outside events of a measured session: evictions before the lifetime ended, caches that other traffic drove out. They
 * befell the session whatever its policy, so a replay applies them to every row alike. Undefined where there were none.
 */
export function recordedEvents(session: Session, timeline: Timeline, prices: PriceBook): RecordedEvents | undefined {
  const losses = lossesOf(session, prices);
  if (losses.size === 0) return undefined;
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
        for (let at = 0; at < view.length && (view.ends[at] as number) <= tokens; at += 1) {
          const origin = view.originOf(view.ids[at] as number);
          if (origin !== -1) last = origin;
        }
        lastKept[request] = last;
      },
    },
  });
  return {
    losses: [...losses].map(([index, kept]) => ({ request: index + 1, kept })),
    conditions: { lastKept },
  };
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
