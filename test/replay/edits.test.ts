import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Edit } from '../../src/policies/plan.ts';
import type { Policy, PolicyEvent, ReadonlyState } from '../../src/policies/policy.ts';
import { SessionBuilder } from '../../src/session/builder.ts';
import { sessionOf, size, type TurnShape } from '../sessions.ts';
import { turnShapes } from '../turn-shapes.ts';
import { replaySeen } from './run.ts';

/** Blocks: 0 system, then per turn prompt, call, result, reply. Requests carry 2050, 2580; 2670, 3300; 3390, 4120. */
const threeTurns: TurnShape[] = [500, 600, 700].map((result) => ({
  prompt: 50,
  reply: 40,
  rounds: [{ call: 30, result }],
}));

/** Plans by event and turn, `turn_start 3`. */
function planning(plans: Readonly<Record<string, readonly Edit[]>>): () => Policy {
  const events = [...new Set(Object.keys(plans).map((key) => key.split(' ')[0] as PolicyEvent))];
  return () => ({
    events,
    on: (event, state) => {
      const edits = plans[`${event} ${state.turn}`];
      return edits && (state.round <= 1 || event === 'turn_end') ? { edits } : undefined;
    },
  });
}

const edit = (from: number, to: number, more: Partial<Edit> = {}): Edit => {
  return { from, to, with: [], sticky: true, reason: 'test', ...more };
};
const stub = (of: number, tokens = 10) => [{ kind: 'stub', tokens, of }] as const;

describe('an edit that the provider makes in its cache as well', () => {
  const cut = (more: Partial<Edit> = {}) => planning({ 'turn_start 3': [edit(2, 3, { keepsCache: true, ...more })] });

  test.each(['anthropic', 'ideal'])('%s: the next request reads everything but the deleted tokens', (cache) => {
    const { seen } = replaySeen(sessionOf(threeTurns), { policy: cut(), cache });
    // 3300 tokens were cached, 530 of them are deleted; reply and prompt of 90 are new.
    expect(seen[4]).toMatchObject({ prompt: 2860, read: 2770, write5m: 90, fresh: 0 });
    expect(seen[5]).toMatchObject({ prompt: 3590, read: 2860, write5m: 730 });
  });

  test('without it, what stands behind is written again', () => {
    const { seen } = replaySeen(sessionOf(threeTurns), { policy: planning({ 'turn_start 3': [edit(2, 3)] }) });
    // Read is what the very first request left: system and prompt.
    expect(seen[4]).toMatchObject({ prompt: 2860, read: 2050, write5m: 810 });
  });

  test.each(['tail', 'last-two', 'claude-code'])('also with the markers of %s', (planner) => {
    const { seen } = replaySeen(sessionOf(threeTurns), { policy: cut(), planner });
    expect(seen[4]).toMatchObject({ read: 2770, write5m: 90 });
  });

  test('what is put in place stands in the cache too', () => {
    const { seen } = replaySeen(sessionOf(threeTurns), {
      policy: planning({
        'turn_start 3': [
          edit(3, 3, { keepsCache: true, with: stub(3) }),
          edit(7, 7, { keepsCache: true, with: stub(7, 20) }),
        ],
      }),
    });
    // Results of 500 and 600 became 10 and 20; the second was the last block of what was cached.
    expect(seen[4]).toMatchObject({ prompt: 3390 - 490 - 580, read: 3300 - 490 - 580, write5m: 90 });
  });

  test('brings nothing back to life', () => {
    const turns = threeTurns.map((turn, at) => (at === 2 ? { ...turn, pauseSeconds: 291 } : turn));
    const { seen } = replaySeen(sessionOf(turns), { policy: cut() });
    expect(seen[4]).toMatchObject({ prompt: 2860, read: 0, write5m: 2860 });
  });

  test("cuts the cache of the model that is asked, and no other model's", () => {
    const builder = new SessionBuilder();
    builder.block({ kind: 'system', size: size(2000) });
    for (const model of ['a', 'b', 'b', 'a']) {
      builder.turn();
      builder.block({ kind: 'prompt', size: size(500) });
      builder.request({ model });
      builder.block({ kind: 'reply', size: size(100) });
    }
    const session = builder.build({ id: 's', content: 'sizes', tokenizer: 'model' });
    // Block 1 is the first prompt. It is deleted while b is asked.
    const policy = planning({ 'turn_start 3': [edit(1, 1, { keepsCache: true })] });
    const { seen } = replaySeen(session, { policy, cache: 'ideal' });
    expect(seen.map(({ prompt, read }) => [prompt, read])).toEqual([
      [2500, 0],
      [3100, 0],
      [3200, 2600],
      [3800, 2000],
    ]);
  });

  test.each(['anthropic', 'ideal'])('%s: whatever is deleted, only what is new is ever written', (cache) => {
    fc.assert(
      fc.property(turnShapes, (turns) => {
        const session = sessionOf(turns);
        const policy = (): Policy => ({
          events: ['turn_start'],
          on: (_, state) => ({ edits: deletionsOfLastTurn(state) }),
        });
        const { seen } = replaySeen(session, { policy, cache, ttl: 'never' });
        for (const [index, request] of seen.entries()) {
          expect(request.write5m + request.fresh).toBe(newTokens(session, index));
        }
      }),
      { numRuns: 60 },
    );
  });

  /** Every second call of the turn before, with its result. */
  function deletionsOfLastTurn(state: ReadonlyState): Edit[] {
    if (state.turn < 2) return [];
    const { first, end } = state.turnBlocks(state.turn - 1);
    const edits: Edit[] = [];
    for (let id = first + 1; id + 2 < end; id += 4) {
      if (state.block(id).kind === 'call') edits.push(edit(id, id + 1, { keepsCache: true }));
    }
    return edits;
  }

  function newTokens(session: ReturnType<typeof sessionOf>, index: number): number {
    const from = index === 0 ? 0 : (session.requests[index - 1]?.at ?? 0);
    const blocks = session.blocks.slice(from, session.requests[index]?.at);
    return blocks.reduce((sum, block) => sum + (block.size?.tokens ?? 0), 0);
  }
});

describe('edits for one request only', () => {
  const passing = { sticky: false, with: stub(3) } as const;

  test('the next request carries the old blocks again', () => {
    const { seen } = replaySeen(sessionOf(threeTurns), {
      policy: planning({ 'pre_request 2': [edit(3, 3, passing)] }),
    });
    expect(seen.map(({ prompt }) => prompt)).toEqual([2050, 2580, 2670 - 490, 3300, 3390, 4120]);
  });

  test('asked for after a reply, they wait for the next request and lose nothing that comes in between', () => {
    const { seen } = replaySeen(sessionOf(threeTurns), { policy: planning({ 'turn_end 1': [edit(3, 3, passing)] }) });
    expect(seen.map(({ prompt }) => prompt)).toEqual([2050, 2580, 2670 - 490, 3300, 3390, 4120]);
    expect(seen[2]?.tokens).toEqual([2000, 50, 30, 10, 40, 50]);
  });

  test('an edit that stays holds although something passed over it', () => {
    const policy = planning({
      'turn_start 2': [edit(3, 3, passing)],
      'pre_request 2': [edit(2, 4, { with: [{ kind: 'record', tokens: 7 }] })],
    });
    const { seen } = replaySeen(sessionOf(threeTurns), { policy });
    expect(seen[2]?.tokens).toEqual([2000, 50, 7, 50]);
    expect(seen[3]?.tokens).toEqual([2000, 50, 7, 50, 30, 600]);
  });

  test('they hold for their request although something else is changed for good', () => {
    const policy = planning({
      'turn_start 3': [edit(7, 7, { sticky: false, with: stub(7) })],
      'pre_request 3': [edit(3, 3, { with: stub(3) })],
    });
    const { seen } = replaySeen(sessionOf(threeTurns), { policy });
    expect(seen[4]?.tokens).toEqual([2000, 50, 30, 10, 40, 50, 30, 10, 40, 50]);
    expect(seen[5]?.tokens).toEqual([2000, 50, 30, 10, 40, 50, 30, 600, 40, 50, 30, 700]);
  });

  test('an edit for good may name a stub that is only passing', () => {
    const policy = (): Policy => ({
      events: ['turn_start', 'pre_request'],
      on: (event, state) => {
        if (state.turn !== 2 || state.round > 1) return undefined;
        if (event === 'turn_start') return { edits: [edit(3, 3, passing)] };
        return { edits: [edit(2, state.viewAt(3), { with: [{ kind: 'record', tokens: 7 }] })] };
      },
    });
    const { seen } = replaySeen(sessionOf(threeTurns), { policy });
    expect(seen[2]?.tokens).toEqual([2000, 50, 7, 40, 50]);
  });

  test('an overflow edit is applied under what passes', () => {
    // The third request of 2670 − 490 = 2180 tokens is above 2100; dropping the reply of turn 1 and prompt makes it fit.
    const policy = planning({
      'pre_request 2': [edit(3, 3, passing)],
      'overflow 2': [edit(4, 4), edit(1, 1)],
    });
    const { seen, unsendable } = replaySeen(sessionOf(threeTurns.slice(0, 2)), { policy, window: 2100 });
    expect(seen[2]?.tokens).toEqual([2000, 30, 10, 50]);
    expect(seen[3]?.tokens).toEqual([2000, 30, 500, 50, 30, 600]);
    expect(unsendable).toBe(2);
  });
});
