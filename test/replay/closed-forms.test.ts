import { describe, expect, test } from 'vitest';
import { elide } from '../../src/policies/elide.ts';
import { full } from '../../src/policies/full.ts';
import type { Policy } from '../../src/policies/policy.ts';
import type { RateCard } from '../../src/providers/provider.ts';
import { type Session, SessionBuilder } from '../../src/session/index.ts';
import { sessionOf, size, sonnet } from '../sessions.ts';
import { replaySeen, type SeenRequest } from './run.ts';

/** A price list in units of the input price. */
function priced(read: number, write: number): RateCard {
  const rates = { fresh: 1, cacheRead: read, cacheWrite5m: write, cacheWrite1h: write, output: 0 };
  return { ...sonnet, tiers: [{ abovePromptTokens: 0, rates }] };
}

/** What the requests cost, under an ideal cache that never expires. */
function costs(session: Session, policy: () => Policy, read: number, write: number): number[] {
  const { seen } = replaySeen(session, { policy, cache: 'ideal', card: priced(read, write), ttl: 'never' });
  return seen.map((request: SeenRequest) => request.read * read + request.write5m * write + request.fresh);
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Read and write prices with the factor (w − r) ÷ r that cases §5 states for them. */
const prices = [
  [0.25, 1.0, 3],
  [0.1, 1.0, 9],
  [0.1, 1.25, 11.5],
  [0.1, 2.0, 19],
  [0.05, 1.25, 24],
  [0.025, 1.25, 49],
] as const;

describe('window R pays in turn t iff n·(t−1−R) > ((w−r)/r)·(R + x·(R+1))', () => {
  const settings = { min_elide_chars: 0, min_elide_tokens: 0, stub_tokens: 1, terse_success: 'off' };

  /** Turns alike of `requests` requests; a turn's results have 1000 tokens a round, its calls x times that. */
  function uniform(turns: number, requests: number, x: number): Session {
    const rounds = Array.from({ length: requests - 1 }, () => ({ call: x * 1000, result: 1000 }));
    const session = sessionOf(Array.from({ length: turns }, () => ({ prompt: 1, reply: 1, rounds })));
    // The closed form knows no stubs: they get one token.
    const blocks = session.blocks.map((block) =>
      block.kind === 'result' ? { ...block, size: size(1000, { stub: 1 }) } : block,
    );
    return { ...session, blocks };
  }

  test('its sign agrees with the exact replay in more than 98 % of uniform cases', () => {
    let cases = 0;
    let agreed = 0;
    for (const [read, write, factor] of prices) {
      for (const requests of [4, 8, 16]) {
        for (const x of [0.1, 0.6, 1]) {
          for (const recentTurns of [0, 1, 2, 4]) {
            for (const turn of [3, 6, 9].filter((t) => t >= recentTurns + 2)) {
              const session = uniform(turn, requests, x);
              const inTurn = (policy: () => Policy) =>
                sum(
                  costs(session, policy, read, write).filter((_, index) => session.requests[index]?.turn === turn - 1),
                );
              const elided = inTurn(() => elide.create({ ...settings, recent_turns: recentTurns }));
              const pays = elided < inTurn(() => full.create({}));
              // n rounds bring n results: of a turn's requests, the last brings none.
              const formula = requests * (turn - 1 - recentTurns) > factor * (recentTurns + x * (recentTurns + 1));
              cases += 1;
              agreed += pays === formula ? 1 : 0;
            }
          }
        }
      }
    }
    expect(cases).toBeGreaterThan(400);
    expect(agreed / cases).toBeGreaterThan(0.98);
  });
});

describe('an edit of S tokens with L behind it pays after N requests iff N·r·S > (w−r)·L', () => {
  const removed = 6000;

  /** System, a block of S tokens, L tokens behind it; then requests that bring one token each. */
  function session(behind: number, requests: number): Session {
    const builder = new SessionBuilder();
    builder.block({ kind: 'system', size: size(2000) });
    builder.turn();
    builder.block({ kind: 'prompt', size: size(removed) });
    builder.block({ kind: 'meta', size: size(behind) });
    for (let request = 0; request <= requests; request += 1) {
      builder.request({ time: request * 1000 });
      builder.block({ kind: 'reply', size: size(1) });
      builder.block({ kind: 'meta', size: size(1) });
    }
    return builder.build({ id: 's', content: 'sizes', tokenizer: 'model', model: 'claude-sonnet-4-5' });
  }

  /** Drops the block before the second request. */
  const dropOnce = (): Policy => {
    let requests = 0;
    return {
      events: ['pre_request'],
      on: () => {
        requests += 1;
        return requests === 2 ? { edits: [{ from: 1, to: 1, with: [], sticky: true, reason: 'test' }] } : undefined;
      },
    };
  };

  test.each(prices)('read %d, write %d: the factor is %d', (read, write, factor) => {
    expect((write - read) / read).toBeCloseTo(factor, 10);
    for (const behind of [500, 3000, 12_000]) {
      for (const requests of [1, 3, 10, 40, 150]) {
        const lane = session(behind, requests);
        const edited = sum(costs(lane, dropOnce, read, write));
        const kept = sum(costs(lane, () => full.create({}), read, write));
        // What stands behind the cut: L, and the reply and note of the first request (the note is new, and written anyway).
        const rewritten = behind;
        const gain = requests * read * removed - (write - read) * rewritten;
        if (Math.abs(gain) > 2 * write) expect([behind, requests, edited < kept]).toEqual([behind, requests, gain > 0]);
      }
    }
  });

  test('with a cold cache it pays at once', () => {
    const lane = session(12_000, 1);
    const cold = { ...lane, requests: lane.requests.map((request, index) => ({ ...request, time: index * 1e7 })) };
    const [edited, kept] = [dropOnce, () => full.create({})].map((policy) =>
      sum(
        replaySeen(cold, { policy, cache: 'ideal', card: priced(0.1, 1.25), ttl: '5m' }).seen.map(
          (r) => r.read * 0.1 + r.write5m * 1.25,
        ),
      ),
    ) as [number, number];
    expect(edited).toBeLessThan(kept);
  });
});
