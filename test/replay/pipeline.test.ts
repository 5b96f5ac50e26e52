import { describe, expect, test } from 'vitest';
import { elide } from '../../src/policies/elide.ts';
import { full } from '../../src/policies/full.ts';
import { pipeline } from '../../src/policies/pipeline.ts';
import type { Policy, PolicyEvent } from '../../src/policies/policy.ts';
import { SessionBuilder } from '../../src/session/builder.ts';
import { sessionOf, size, type TurnShape } from '../sessions.ts';
import { replaySeen } from './run.ts';

/** Blocks: 0 system, then per turn prompt, call, result, reply. Requests carry 2050, 2580; 2670, 3300; 3390, 4120. */
const threeTurns: TurnShape[] = [500, 600, 700].map((result) => ({
  prompt: 50,
  reply: 40,
  rounds: [{ call: 30, result }],
}));

const eliding = (recentTurns = 0) =>
  elide.create({
    recent_turns: recentTurns,
    min_elide_chars: 300,
    min_elide_tokens: 60,
    stub_tokens: 15,
    terse_success: 'off',
  });

/** Replaces the first turn, whatever of it is in the view, with 7 tokens at the start of turn 3. */
function squashing(seen: number[] = []): Policy {
  return {
    events: ['turn_start'],
    on: (_, state) => {
      seen.push(state.nextPrompt);
      if (state.turn !== 3) return undefined;
      const edit = { from: 1, to: 4, with: [{ kind: 'record', tokens: 7 }], sticky: true, reason: 'test' } as const;
      return { edits: [edit] };
    },
  };
}

describe('a pipeline', () => {
  test('shows each member the view that the ones before it left', () => {
    const behind: number[] = [];
    const before: number[] = [];
    replaySeen(sessionOf(threeTurns), { policy: () => pipeline([eliding(), squashing(behind)]) });
    replaySeen(sessionOf(threeTurns), { policy: () => pipeline([squashing(before), eliding()]) });
    // Elision has made stubs of 10 tokens from results of 500 and, a turn later, 600.
    expect(behind).toEqual([2050, 2670 - 490, 3390 - 490 - 590]);
    expect(before).toEqual([2050, 2670, 3390 - 490]);
  });

  test('sends what all members made of the view', () => {
    const { seen } = replaySeen(sessionOf(threeTurns), { policy: () => pipeline([eliding(), squashing()]) });
    expect(seen[4]?.tokens).toEqual([2000, 7, 50, 30, 10, 40, 50]);
  });

  test('asks a member only for the events that it wants, in the order of the members', () => {
    const log: string[] = [];
    const member = (name: string, ...events: PolicyEvent[]): Policy => ({
      events,
      on: (event) => {
        log.push(`${name} ${event}`);
        return undefined;
      },
    });
    const policy = () =>
      pipeline([
        member('a', 'turn_start'),
        pipeline([member('b', 'pre_request', 'turn_start')]),
        member('c', 'ingest'),
      ]);
    replaySeen(sessionOf([{ prompt: 50, reply: 40, rounds: [] }]), { policy });
    expect(log).toEqual(['a turn_start', 'b turn_start', 'c ingest', 'b pre_request']);
  });

  test('of one member, or with one that does nothing, is that member', () => {
    const alone = replaySeen(sessionOf(threeTurns), { policy: () => eliding(1) });
    expect(replaySeen(sessionOf(threeTurns), { policy: () => pipeline([eliding(1)]) })).toEqual(alone);
    expect(replaySeen(sessionOf(threeTurns), { policy: () => pipeline([full.create({}), eliding(1)]) })).toEqual(alone);
  });

  test('is stable up to the earliest boundary that a member names', () => {
    const builder = new SessionBuilder();
    builder.block({ kind: 'system', size: size(2000) });
    builder.turn();
    builder.block({ kind: 'prompt', size: size(50) });
    builder.request({});
    // More blocks at once than a look-back reaches: blocks 2 … 61, calls of 30 and results of 50 tokens by turns.
    for (let call = 0; call < 30; call += 1) {
      builder.block({ kind: 'call', callId: `c${call}`, size: size(30) });
      builder.block({ kind: 'result', callId: `c${call}`, size: size(50) });
    }
    builder.request({});
    builder.turn();
    builder.block({ kind: 'prompt', size: size(60) });
    builder.request({});
    const session = builder.build({ id: 's', content: 'sizes', tokenizer: 'model', model: 'claude-sonnet-4-5' });
    const naming = (block: number): Policy => ({
      events: ['pre_request'],
      on: (_, state) => (state.viewLength > block ? { stable: block } : undefined),
    });
    const cutting: Policy = {
      events: ['turn_start'],
      on: (_, state) => {
        const edit = { from: 14, to: 23, with: [], sticky: true, reason: 'test' } as const;
        return state.turn === 2 ? { edits: [edit] } : undefined;
      },
    };
    const read = (...members: Policy[]) => replaySeen(session, { policy: () => pipeline(members) }).seen[2]?.read;
    expect(read(cutting)).toBe(2000);
    // Five pairs of 80 tokens behind system and prompt, or one.
    expect(read(naming(11), cutting)).toBe(2050 + 5 * 80);
    expect(read(naming(11), naming(3), cutting)).toBe(2050 + 80);
    expect(read(naming(3), cutting, naming(11))).toBe(2050 + 80);
  });
});
