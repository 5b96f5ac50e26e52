import { describe, expect, test } from 'vitest';
import type { Edit, ExtraCall } from '../../src/policies/plan.ts';
import type { Policy, PolicyEvent, ReadonlyState } from '../../src/policies/policy.ts';
import { costOf, mergeLedgers } from '../../src/results/index.ts';
import type { Usage } from '../../src/session/index.ts';
import { sessionOf, sonnet, type TurnShape } from '../sessions.ts';
import { type RunOptions, replaySeen } from './run.ts';

/** Requests carry 2050, 2580 and 2680 tokens, ten seconds apart; the second turn starts after a pause. */
function twoTurns(pauseSeconds = 0) {
  const turns: TurnShape[] = [
    { prompt: 50, reply: 40, rounds: [{ call: 30, result: 500 }] },
    { prompt: 60, reply: 40, rounds: [], pauseSeconds },
  ];
  return sessionOf(turns);
}

/** Makes these calls at the start of turn 2. */
function calling(...calls: Partial<ExtraCall>[]): () => Policy {
  const complete = calls.map((call): ExtraCall => {
    return { purpose: 'summary', prefix: 'fresh', input: 1000, output: 200, reason: 'test', ...call };
  });
  return () => ({
    events: ['turn_start'],
    on: (_, state) => (state.turn === 2 ? { calls: complete } : undefined),
  });
}

const run = (policy: () => Policy, options: Partial<RunOptions> = {}, pauseSeconds = 0) =>
  replaySeen(twoTurns(pauseSeconds), { policy, ...options });

const usage = (more: Partial<Usage>): Usage => {
  return { fresh: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, ...more };
};

describe('a fresh call', () => {
  test('is plain input and output, and changes nothing for the requests', () => {
    const { calls, callCounts, ledger } = run(calling({ prefix: 'fresh' }));
    expect(calls).toEqual([{ card: sonnet, tier: 0, usage: usage({ fresh: 1000, output: 200 }) }]);
    expect(callCounts).toMatchObject({ total: 1, fresh: 1, shared: 0, malformed: 0 });
    expect(ledger).toEqual(run(() => ({ events: [], on: () => undefined })).ledger);
  });

  test('is plain input also where the cache has no markers', () => {
    const { calls } = run(calling({ prefix: 'fresh' }), { cache: 'ideal' });
    expect(calls[0]?.usage).toEqual(usage({ fresh: 1000, output: 200 }));
  });
});

describe('a shared call', () => {
  const shared = { prefix: 'shared', input: 100 } as const;

  test('reads the warm prefix, writes the rest, and what it wrote is read by the next request', () => {
    const { calls, seen } = run(calling(shared));
    // The second request left 2580 tokens; the call carries 2680 and its own 100.
    expect(calls[0]?.usage).toEqual(usage({ cacheRead: 2580, cacheWrite5m: 200, output: 200 }));
    expect(seen[2]).toMatchObject({ prompt: 2680, read: 2680, write5m: 0, fresh: 0 });
  });

  test("with the harness's markers it leaves its entry behind its own question, which no request has", () => {
    const { calls, seen } = run(calling(shared), { planner: 'tail' });
    expect(calls[0]?.usage).toEqual(usage({ cacheRead: 2580, cacheWrite5m: 200, output: 200 }));
    expect(seen[2]).toMatchObject({ read: 2580, write5m: 100 });
  });

  test('is cold after the lifetime, and warms the prefix', () => {
    const { calls, seen } = run(calling(shared), {}, 291);
    expect(calls[0]?.usage).toEqual(usage({ cacheWrite5m: 2780, output: 200 }));
    expect(seen[2]).toMatchObject({ read: 2680, write5m: 0 });
    expect(run(calling(shared), {}, 290).calls[0]?.usage.cacheRead).toBe(2580);
  });

  test('repeated at once it reads all that it wrote before', () => {
    const { calls } = run(calling(shared, shared));
    expect(calls[0]?.usage).toEqual(usage({ cacheRead: 2580 + 2780, cacheWrite5m: 200, output: 400 }));
  });

  test('reads the longest common prefix under an ideal cache', () => {
    const { calls, seen } = run(calling(shared), { cache: 'ideal' });
    expect(calls[0]?.usage).toEqual(usage({ cacheRead: 2580, cacheWrite5m: 200, output: 200 }));
    expect(seen[2]).toMatchObject({ read: 2680, write5m: 0 });
  });

  test('with nothing appended it is the live request', () => {
    const { calls, seen } = run(calling({ ...shared, purpose: 'keepalive', input: 0, output: 1 }));
    expect(calls[0]?.usage).toEqual(usage({ cacheRead: 2580, cacheWrite5m: 100, output: 1 }));
    expect(seen[2]).toMatchObject({ read: 2680, write5m: 0 });
  });

  test('sees the view as it stood before the edits of its plan', () => {
    const drop: Edit = { from: 1, to: 4, with: [{ kind: 'record', tokens: 10 }], sticky: true, reason: 'test' };
    const call: ExtraCall = { ...shared, purpose: 'summary', output: 200, reason: 'test' };
    const { calls, seen } = run(() => ({
      events: ['turn_start'],
      on: (_, state) => (state.turn === 2 ? { calls: [call], edits: [drop] } : undefined),
    }));
    expect(calls[0]?.usage).toEqual(usage({ cacheRead: 2580, cacheWrite5m: 200, output: 200 }));
    // System 2000 is still read; the record and the prompt are new.
    expect(seen[2]).toMatchObject({ prompt: 2070, read: 2000, write5m: 70 });
  });
});

test('a server call is billed as a shared one, on a line of its own', () => {
  const { calls, callCounts } = run(calling({ prefix: 'server', input: 100 }));
  expect(calls[0]?.usage).toEqual(usage({ cacheRead: 2580, cacheWrite5m: 200, output: 200 }));
  expect(callCounts).toMatchObject({ total: 1, server: 1, shared: 0 });
});

test('calls of which nothing came are billed and counted', () => {
  const { calls, callCounts } = run(calling({ outcome: 'malformed' }, { outcome: 'oversized' }));
  expect(calls[0]?.usage).toEqual(usage({ fresh: 2000, output: 400 }));
  expect(callCounts).toMatchObject({ total: 2, fresh: 2, malformed: 1, oversized: 1, stale: 0 });
});

describe('another model', () => {
  const rates = { fresh: 1, cacheRead: 0.1, cacheWrite5m: 1.25, cacheWrite1h: 2, output: 5 };
  const dear = { fresh: 2, cacheRead: 0.2, cacheWrite5m: 2.5, cacheWrite1h: 4, output: 10 };
  const card = {
    ...sonnet,
    id: 'small@test',
    tiers: [
      { abovePromptTokens: 0, rates },
      { abovePromptTokens: 1000, rates: dear },
    ],
  };
  const resolveModel = (name: string) => ({ name, card, limits: undefined });

  test('has its own rates, and the tier of the whole prompt', () => {
    const policy = calling({ model: 'small', input: 1000 }, { model: 'small', input: 1001 }, { model: 'main' });
    expect(run(policy, { resolveModel }).calls).toEqual([
      { card, tier: 0, usage: usage({ fresh: 1000, output: 200 }) },
      { card, tier: 1, usage: usage({ fresh: 1001, output: 200 }) },
      { card: sonnet, tier: 0, usage: usage({ fresh: 1000, output: 200 }) },
    ]);
  });

  test('has a cache of its own, which has seen nothing', () => {
    const shared = { prefix: 'shared', input: 100, model: 'small' } as const;
    const { calls, seen } = run(calling(shared), { resolveModel });
    expect(calls[0]?.usage).toEqual(usage({ cacheWrite5m: 2780, output: 200 }));
    expect(seen[2]).toMatchObject({ read: 2580, write5m: 100 });
  });
});

test('what calls cost is a part of the whole, whatever the order in which ledgers are merged', () => {
  const line = (key: string, fresh: number) => ({
    key,
    rates: { fresh: 3, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 15 },
    usage: usage({ fresh, output: 10 }),
  });
  const [a, b, c] = [[line('x', 1)], [line('x', 2), line('y', 3)], [line('y', 4)]];
  const calls = mergeLedgers([a as never, b as never]);
  expect(mergeLedgers([mergeLedgers([a as never, b as never]), c as never])).toEqual(
    mergeLedgers([c as never, mergeLedgers([b as never, a as never])]),
  );
  const cost = costOf(mergeLedgers([calls, c as never]), calls);
  expect(cost.total).toBeCloseTo((3 * 10 + 15 * 40) / 1e6, 15);
  expect(cost.summarizer).toBeCloseTo((3 * 6 + 15 * 30) / 1e6, 15);
});

describe('the usage that a trigger sees', () => {
  /** What `lastUsage` was at each event, as prompt tokens. */
  function watched(plan: (event: PolicyEvent, state: ReadonlyState) => ReturnType<Policy['on']>) {
    const seen: (number | undefined)[] = [];
    const policy = (): Policy => ({
      events: ['turn_start', 'pre_request'],
      on: (event, state) => {
        const last = state.lastUsage;
        if (event === 'pre_request') seen.push(last && last.fresh + last.cacheRead + last.cacheWrite5m);
        return plan(event, state);
      },
    });
    run(policy);
    return seen;
  }

  test('is that of the last request, never of a call', () => {
    const { calls = [] } = calling({ prefix: 'shared' })().on('turn_start', { turn: 2 } as ReadonlyState) ?? {};
    expect(watched((event) => (event === 'turn_start' ? { calls } : undefined))).toEqual([undefined, 2050, 2580]);
  });

  test('is gone once an edit changed what it was measured on, until the next request', () => {
    const edit = { from: 3, to: 3, with: [{ kind: 'stub', tokens: 10, of: 3 }], sticky: true, reason: 'test' } as const;
    const onSecond = (event: PolicyEvent, state: ReadonlyState) =>
      event === 'turn_start' && state.turn === 2 ? { edits: [edit] } : undefined;
    expect(watched(onSecond)).toEqual([undefined, 2050, undefined]);
  });

  test('stays where only something new was changed', () => {
    // Block 5 is the prompt of turn 2, which no request has carried.
    const edit = {
      from: 5,
      to: 5,
      with: [{ kind: 'prompt', tokens: 5, of: 5 }],
      sticky: true,
      reason: 'test',
    } as const;
    const onSecond = (event: PolicyEvent, state: ReadonlyState) =>
      event === 'turn_start' && state.turn === 2 ? { edits: [edit] } : undefined;
    expect(watched(onSecond)).toEqual([undefined, 2050, 2580]);
  });
});
