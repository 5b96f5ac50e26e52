import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type PolicySpec, parsePolicies, policies, presets } from '../../src/policies/index.ts';
import type { Plan } from '../../src/policies/plan.ts';
import type { Policy, PolicyEvent } from '../../src/policies/policy.ts';
import type { Session } from '../../src/session/session.ts';
import { estimateTokens } from '../../src/tokens/index.ts';
import { replayCounted } from '../replay/run.ts';
import { sessionOf, sonnet, type TurnShape } from '../sessions.ts';
import { turnShapes } from '../turn-shapes.ts';
import { oddSessions } from './odd-sessions.ts';

const specs = parsePolicies([...policies.names, ...presets.map(({ name }) => name)], policies, presets);

/** A window that long sessions fill, so that compactors have something to do. */
const conditions = {
  limit: 120_000,
  outputReserve: 8_000,
  resolveModel: (name: string) => ({ name, card: sonnet, limits: undefined }),
};

describe.each(specs)('$label', ({ kind, settings }) => {
  const replay = (session: Session, policy: () => Policy = () => kind.create(settings)) =>
    replayCounted(estimateTokens(session), { policy, planner: 'tail', ...conditions });

  test('keeps calls and results together whatever a session looks like', () => {
    fc.assert(
      fc.property(oddSessions, (session) => {
        const { origins } = replay(session);
        const results = new Map(
          session.blocks.flatMap(({ kind, callId }, at) => (kind === 'result' ? [[callId, at]] : [])),
        );
        for (const [request, blocks] of origins.entries()) {
          const present = new Set(blocks);
          const end = session.requests[request]?.at ?? 0;
          for (const [call, { kind: blockKind, callId }] of session.blocks.slice(0, end).entries()) {
            const result = blockKind === 'call' ? results.get(callId) : undefined;
            if (result === undefined || result >= end) continue;
            expect([call, present.has(result)]).toEqual([call, present.has(call)]);
          }
        }
      }),
      { numRuns: 15 },
    );
  });

  test('never summarizes twice without a request between', () => {
    fc.assert(
      fc.property(turnShapes, (turns) => {
        let due = true;
        const spied = watch(kind.create(settings), (event, plan) => {
          if (event === 'post_response') due = true;
          // An edit that did not make the request fit is followed by the overflow.
          if (event === 'overflow' || !plan?.calls?.some(({ purpose }) => purpose === 'summary')) return;
          expect(due).toBe(true);
          due = false;
        });
        replay(sessionOf(tenfold(turns)), () => spied);
      }),
      { numRuns: 8 },
    );
  });

  // What is for one request only has to be done again for the next.
  test.skipIf(Object.values(settings).includes('once'))(
    'touches a block of a long session once or twice, not again and again',
    () => {
      const session = sessionOf(longSession);
      expect(replay(session).edits).toBeLessThanOrEqual(2 * session.blocks.length);
    },
  );
});

describe('a window that holds the whole session is full', () => {
  test.each([
    'elide:recent_turns=9',
    'turn-summary:recent_turns_full=9',
    'mask:keep_turns=9',
    'mask:keep_uses=999',
    'mask:keep_messages=999',
    'mask:keep_tokens=99999999',
    'compact:trigger=99999999',
    'compact:keep_turns=9,trigger=1',
    'drop-window:keep_messages=999',
    'drop-window:keep_tokens=99999999',
    'clear-thinking:keep_turns=9',
    'truncate-ingest:max_tokens=99999999',
    'keepalive',
  ])('%s', (text) => {
    const [spec, full] = parsePolicies([text, 'full'], policies);
    fc.assert(
      fc.property(turnShapes, (turns) => {
        const carried = ({ kind, settings }: PolicySpec) =>
          replayCounted(estimateTokens(sessionOf(turns)), { policy: () => kind.create(settings) }).seen.map(
            ({ ids }) => ids,
          );
        expect(carried(spec as PolicySpec)).toEqual(carried(full as PolicySpec));
      }),
      { numRuns: 20 },
    );
  });
});

/** Results ten times as long, so that what fires at 100,000 tokens fires. */
function tenfold(turns: readonly TurnShape[]): TurnShape[] {
  return turns.map((turn) => ({
    ...turn,
    rounds: turn.rounds.map((round) => ({ ...round, result: round.result * 10 })),
  }));
}

/** Forty turns of ten rounds, each after a pause that no five-minute entry survives. */
const longSession: readonly TurnShape[] = Array.from({ length: 40 }, () => ({
  prompt: 50,
  reply: 40,
  rounds: Array.from({ length: 10 }, () => ({ call: 30, result: 700 })),
  pauseSeconds: 400,
}));

/** The same policy, with somebody who sees what it says; of a pipeline, what its members say. */
function watch(policy: Policy, see: (event: PolicyEvent, plan: Plan | undefined) => void): Policy {
  const members = policy.members?.map((member) => watch(member, see));
  return {
    events: [...new Set([...policy.events, 'post_response' as const])],
    ...(members ? { members } : {}),
    on: (event, state) => {
      const plan = policy.events.includes(event) ? policy.on(event, state) : undefined;
      see(event, plan);
      return plan;
    },
  };
}
