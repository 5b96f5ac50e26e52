import type { Policy } from '../../src/policies/policy.ts';
import { cacheModels, planners } from '../../src/providers/index.ts';
import type { RateCard } from '../../src/providers/prices/rates.ts';
import type { Split, TtlClass } from '../../src/providers/provider.ts';
import type { Conditions } from '../../src/replay/conditions.ts';
import { type ReplayObserver, together } from '../../src/replay/observer.ts';
import { type LaneReplay, replayLane } from '../../src/replay/replay.ts';
import { type LaneModel, layOut, type Timeline } from '../../src/replay/timeline.ts';
import type { View } from '../../src/replay/view.ts';
import type { Session } from '../../src/session/session.ts';
import { estimateTokens, stripsThinking, type TokenAccount } from '../../src/tokens/index.ts';
import { sonnet } from '../sessions.ts';

export interface SeenRequest extends Split {
  readonly ids: readonly number[];
  readonly tokens: readonly number[];
  readonly prompt: number;
}

export interface RunOptions {
  readonly policy: () => Policy;
  readonly cache?: string;
  readonly planner?: string;
  readonly ttl?: TtlClass | 'recorded';
  readonly card?: RateCard;
  /** A window that the user asked for, and one that the model is known to have. */
  readonly window?: number;
  readonly limit?: number;
  readonly outputReserve?: number;
  /** Replaces the recorded models. */
  readonly model?: string | undefined;
  /** Models that only calls name. */
  readonly resolveModel?: (id: string) => LaneModel;
  /** Watches the replay too. */
  readonly observe?: (timeline: Timeline) => ReplayObserver;
  readonly conditions?: Conditions;
  readonly expectedLoss?: (provider: string, idleMilliseconds: number) => number;
}

/** Replays a session and records what every request carried and how it was split. */
export function replaySeen(session: Session, options: RunOptions): Seen {
  return replayCounted(estimateTokens(session), options);
}

type Seen = LaneReplay & {
  readonly seen: readonly SeenRequest[];
  /** Per request, the block of the session that each entry of the prompt is or stands for; -1 for none. */
  readonly origins: readonly (readonly number[])[];
};

/** The same for a session that was counted already. */
export function replayCounted(account: TokenAccount, options: RunOptions): Seen {
  const card = options.card ?? sonnet;
  const ttl = options.ttl ?? '5m';
  const timeline = layOut(account, {
    ttl,
    model: options.model,
    conditions: options.conditions,
    resolve: (model) => ({
      name: model ?? card.model,
      card,
      limits: options.limit === undefined ? undefined : { window: options.limit, source: 'test' },
      stripsThinking: stripsThinking(model ?? card.model),
    }),
  });
  const seen: SeenRequest[] = [];
  const origins: number[][] = [];
  const watch: ReplayObserver = {
    onRequest(view: View, _unchanged: number, split: Split) {
      const ids = [...view.ids.subarray(0, view.length)];
      origins.push(ids.map((id) => view.originOf(id)));
      seen.push({ ...split, ids, tokens: ids.map((id) => view.tokensOf(id)), prompt: view.tokens });
    },
  };
  const result = replayLane(timeline, {
    createPolicy: options.policy,
    cacheModelOf: () => cacheModels.get(options.cache ?? 'anthropic'),
    planner: planners.get(options.planner ?? 'anchor'),
    ttl,
    ...(options.resolveModel ? { resolveModel: options.resolveModel } : {}),
    window: options.window,
    outputReserve: options.outputReserve ?? 0,
    expectedLoss: options.expectedLoss,
    observer: options.observe ? together([options.observe(timeline), watch]) : watch,
  });
  return { ...result, seen, origins };
}
