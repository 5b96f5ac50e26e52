import fc from 'fast-check';
import { policies } from '../../src/policies/index.ts';
import type { PolicyKind, Schedule, Settings } from '../../src/policies/policy.ts';
import { cacheModels, planners } from '../../src/providers/index.ts';
import type { RateCard, TtlClass } from '../../src/providers/provider.ts';
import { type Conditions, type LaneReplay, layOut, replayLane } from '../../src/replay/index.ts';
import type { Session } from '../../src/session/index.ts';
import { estimateTokens } from '../../src/tokens/index.ts';
import { type Round, sonnet, type TurnShape } from '../sessions.ts';

const kind = policies.get('optimum') as PolicyKind & { createScheduled: NonNullable<PolicyKind['createScheduled']> };
/** 300 characters are 100 tokens in these sessions. */
export const elisionSettings = { min_elide_chars: 300, min_elide_tokens: 60, stub_tokens: 15 };

/** Where the requests of a search go. */
export interface Setup {
  readonly cache: string;
  readonly planner: string;
  readonly ttl: TtlClass;
}

/** Prompts of more than 9,000 tokens at twice the price. */
export const tiered: RateCard = {
  ...sonnet,
  tiers: [
    ...sonnet.tiers,
    { abovePromptTokens: 9000, rates: { fresh: 6, cacheRead: 0.6, cacheWrite5m: 7.5, cacheWrite1h: 12, output: 22.5 } },
  ],
};

/** What befalls a search besides its setup. */
export interface Circumstances {
  readonly card?: RateCard;
  readonly conditions?: Conditions;
  /** Requests that ask for the one-hour lifetime. */
  readonly longTtl?: Uint8Array;
  readonly settings?: Settings;
}

/** What a search of schedules is given. */
export function scheduledSearch(
  session: Session,
  { cache, planner, ttl }: Setup,
  { card = sonnet, conditions, longTtl, settings = elisionSettings }: Circumstances = {},
) {
  const timeline = layOut(estimateTokens(session), {
    ttl,
    conditions,
    resolve: (model) => ({ name: model ?? card.model, card, limits: undefined }),
  });
  const options = {
    cacheModelOf: () => cacheModels.get(cache),
    planner: planners.get(planner),
    ttl,
    outputReserve: 0,
  };
  const requests = { ...timeline.requests, longTtl: longTtl ?? timeline.requests.longTtl };
  return {
    timeline: { ...timeline, requests },
    options,
    createPolicy: (acts: Schedule) => kind.createScheduled(settings, acts),
  };
}

export type Search = ReturnType<typeof scheduledSearch>;

export const replayOf = ({ timeline, options, createPolicy }: Search, acts: readonly (readonly number[])[]) =>
  replayLane(timeline, { ...options, createPolicy: (segment) => createPolicy(acts[segment] ?? []) });

/** US dollars of a replay. */
export function usdOf({ ledger }: LaneReplay): number {
  return (
    ledger.reduce((sum, { card, tier, usage }) => {
      const rates = card.tiers[tier]?.rates;
      if (!rates) throw new Error('no rates');
      return sum + Object.entries(rates).reduce((all, [key, rate]) => all + usage[key as keyof typeof usage] * rate, 0);
    }, 0) / 1e6
  );
}

const rounds = (maxLength: number): fc.Arbitrary<Round[]> =>
  fc.array(
    fc.record({ call: fc.integer({ min: 1, max: 200 }), result: fc.constantFrom(20, 90, 110, 300, 900, 2500, 6000) }),
    { maxLength },
  );

/** Pauses around both lifetimes; now and then a turn longer than the look-back. */
export const shapes = (minLength: number, maxLength: number, longest = 13): fc.Arbitrary<TurnShape[]> =>
  fc.array(
    fc.record({
      prompt: fc.integer({ min: 1, max: 400 }),
      reply: fc.integer({ min: 1, max: 400 }),
      pauseSeconds: fc.constantFrom(0, 20, 250, 290, 300, 400, 3000, 4000),
      rounds: fc.oneof({ weight: 6, arbitrary: rounds(3) }, { weight: 1, arbitrary: rounds(longest) }),
    }),
    { minLength, maxLength },
  );

export const setups: fc.Arbitrary<Setup> = fc.record({
  cache: fc.constantFrom('anthropic', 'anthropic', 'ideal', 'none'),
  planner: fc.constantFrom('anchor', 'anchor', 'tail', 'last-two', 'claude-code'),
  ttl: fc.constantFrom<TtlClass>('5m', '1h', 'never'),
});
export const systems = fc.constantFrom(0, 300, 2000, 8000);
