import { describe, expect, test } from 'vitest';
import type { ExtraCall, Plan } from '../../src/policies/plan.ts';
import { type Policy, type PolicyEvent, policyEvents, type ReadonlyState } from '../../src/policies/policy.ts';
import { SessionBuilder } from '../../src/session/builder.ts';
import type { Session } from '../../src/session/session.ts';
import { sessionOf, size, type TurnShape } from '../sessions.ts';
import { type RunOptions, replaySeen } from './run.ts';

/** Requests at 0, 10 and, after a pause, at 20 s + pause; they carry 2050, 2580 and 2680 tokens. */
function twoTurns(pauseSeconds = 0): Session {
  const turns: TurnShape[] = [
    { prompt: 50, reply: 40, rounds: [{ call: 30, result: 500 }] },
    { prompt: 60, reply: 40, rounds: [], pauseSeconds },
  ];
  return sessionOf(turns);
}

/** What a policy is asked, in order; `plan` answers. */
function asked(
  session: Session,
  plan: (event: PolicyEvent, state: ReadonlyState) => Plan | undefined = () => undefined,
  options: Partial<RunOptions> = {},
) {
  const log: string[] = [];
  const policy = (): Policy => ({
    events: policyEvents,
    on: (event, state) => {
      log.push(`${event} ${state.turn}.${state.round} at ${state.now / 1000} idle ${state.idle / 1000}`);
      return plan(event, state);
    },
  });
  return { log, ...replaySeen(session, { policy, ...options }) };
}

const ping: ExtraCall = { purpose: 'keepalive', prefix: 'shared', input: 0, output: 1, reason: 'test' };

test('the events of a session, in the order in which they happen', () => {
  expect(asked(twoTurns()).log).toEqual([
    'turn_start 1.0 at 0 idle NaN',
    'ingest 1.0 at 0 idle NaN',
    'pre_request 1.1 at 0 idle NaN',
    'post_response 1.1 at 0 idle NaN',
    'ingest 1.1 at 10 idle 10',
    'pre_request 1.2 at 10 idle 10',
    'post_response 1.2 at 10 idle 10',
    'turn_end 1.2 at 10 idle 10',
    'turn_start 2.0 at 20 idle 10',
    'ingest 2.0 at 20 idle 10',
    'pre_request 2.1 at 20 idle 10',
    'post_response 2.1 at 20 idle 10',
  ]);
});

describe('the end of an entry', () => {
  const deadlines = (session: Session, plan?: Parameters<typeof asked>[1], options?: Partial<RunOptions>) =>
    asked(session, plan, options).log.filter((line) => line.startsWith('idle_deadline'));

  test('is asked for once in a pause that outlives it, at the moment itself', () => {
    // The last request was at 10 s, the next one is at 620 s.
    expect(deadlines(twoTurns(600))).toEqual(['idle_deadline 1.2 at 310 idle 300']);
    expect(asked(twoTurns(600)).log.at(-4)).toBe('turn_start 2.0 at 620 idle 610');
  });

  test('is not asked for while the entry lives, nor where it never dies or nobody knows the time', () => {
    expect(deadlines(twoTurns(290))).toEqual([]);
    expect(deadlines(twoTurns(291))).toHaveLength(1);
    expect(deadlines(twoTurns(4000), undefined, { ttl: '1h' })).toEqual(['idle_deadline 1.2 at 3610 idle 3600']);
    expect(deadlines(twoTurns(4000), undefined, { ttl: 'never' })).toEqual([]);
    expect(
      deadlines(
        sessionOf(
          [
            { prompt: 1, reply: 1, rounds: [] },
            { prompt: 1, reply: 1, rounds: [] },
          ],
          { times: false },
        ),
      ),
    ).toEqual([]);
  });

  test('a call at that moment reads the warm prefix and keeps it, as long as it is repeated', () => {
    const { seen, calls, callCounts } = asked(twoTurns(600), (event) =>
      event === 'idle_deadline' ? { calls: [ping] } : undefined,
    );
    // At 310 s and at 610 s; the request at 620 s finds it warm. The first one writes the reply of 40 tokens too.
    expect(callCounts.total).toBe(2);
    expect(calls[0]?.usage).toMatchObject({ cacheRead: 2580 + 2620, cacheWrite5m: 40, output: 2 });
    expect(seen[2]).toMatchObject({ prompt: 2680, read: 2620, write5m: 60 });
  });

  test('a call once only wins one lifetime', () => {
    let calls = 0;
    const { seen, callCounts } = asked(twoTurns(600), (event) => {
      if (event !== 'idle_deadline') return undefined;
      calls += 1;
      return calls === 1 ? { calls: [ping] } : undefined;
    });
    expect(callCounts.total).toBe(1);
    expect(seen[2]).toMatchObject({ read: 0, write5m: 2680 });
  });

  test('a fresh call keeps nothing alive', () => {
    const { callCounts } = asked(twoTurns(4000), (event) =>
      event === 'idle_deadline' ? { calls: [{ ...ping, prefix: 'fresh', input: 5 }] } : undefined,
    );
    expect(callCounts.total).toBe(1);
  });

  test('a pause before a recorded reset belongs to what stood before it', () => {
    const builder = new SessionBuilder();
    builder.block({ kind: 'system', size: size(2000) });
    builder.turn();
    builder.block({ kind: 'prompt', size: size(50) });
    builder.request({ time: 0 });
    builder.block({ kind: 'reply', size: size(40) });
    builder.segment('clear', [0]);
    builder.turn();
    builder.block({ kind: 'prompt', size: size(60) });
    builder.request({ time: 400_000 });
    const session = builder.build({ id: 's', content: 'sizes', tokenizer: 'model', model: 'claude-sonnet-4-5' });
    const { log, calls, seen } = asked(session, (event) => (event === 'idle_deadline' ? { calls: [ping] } : undefined));
    expect(log.filter((line) => line.startsWith('idle'))).toEqual(['idle_deadline 1.1 at 300 idle 300']);
    expect(calls[0]?.usage).toMatchObject({ cacheRead: 2050, cacheWrite5m: 40 });
    expect(seen[1]).toMatchObject({ prompt: 2060, read: 2000 });
  });
});

test('a turn ends at the time of its last request: a call then is warm, whatever pause follows', () => {
  const { calls } = asked(twoTurns(4000), (event) => (event === 'turn_end' ? { calls: [ping] } : undefined));
  expect(calls[0]?.usage).toMatchObject({ cacheRead: 2580, cacheWrite5m: 40 });
});

test('overflow is asked for once per request that is too large, and what still is too large cannot be sent', () => {
  const { log, unsendable } = asked(twoTurns(), undefined, { window: 2600 });
  expect(log.filter((line) => line.startsWith('overflow'))).toEqual(['overflow 2.1 at 20 idle 10']);
  expect(unsendable).toBe(1);
  const drop = { from: 4, to: 4, with: [], sticky: true, reason: 'test' };
  const small = (event: PolicyEvent) =>
    event === 'overflow' ? { edits: [{ ...drop, from: 1, to: 1 }, drop] } : undefined;
  // 2680 − 50 − 40 = 2590.
  expect(asked(twoTurns(), small, { window: 2600 }).unsendable).toBe(0);
});

test('a change of model is told before the turn starts, with the new window', () => {
  const builder = new SessionBuilder();
  for (const model of ['a', 'a', 'b']) {
    builder.turn();
    builder.block({ kind: 'prompt', size: size(50) });
    builder.request({ model });
  }
  const { log } = asked(builder.build({ id: 's', content: 'sizes', tokenizer: 'model' }));
  const events = log.map((line) => line.split(' at ')[0]);
  expect(events.filter((line) => line?.startsWith('model_switch'))).toEqual(['model_switch 2.1']);
  expect(events.indexOf('turn_start 3.0')).toBe(events.indexOf('model_switch 2.1') + 1);
});
