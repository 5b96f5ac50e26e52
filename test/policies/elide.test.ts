import { describe, expect, test } from 'vitest';
import { elide } from '../../src/policies/elide.ts';
import type { Settings } from '../../src/policies/policy.ts';
import { SessionBuilder } from '../../src/session/builder.ts';
import type { Block } from '../../src/session/session.ts';
import { replaySeen } from '../replay/run.ts';
import { sessionOf, size, type TurnShape } from '../sessions.ts';

const defaults = { recent_turns: 0, min_elide_chars: 300, min_elide_tokens: 60, stub_tokens: 15, terse_success: 'off' };

function policy(settings: Settings = {}) {
  return () => elide.create({ ...defaults, ...settings });
}

/** Three turns of one round each: results of 500, 600 and 700 tokens. */
const threeTurns: TurnShape[] = [500, 600, 700].map((result) => ({
  prompt: 50,
  reply: 40,
  rounds: [{ call: 30, result }],
}));

/** Tokens of the last request: system, then per turn prompt, call, result and reply. */
function lastRequest(settings: Settings): readonly number[] {
  return replaySeen(sessionOf(threeTurns), { policy: policy(settings) }).seen.at(-1)?.tokens ?? [];
}

describe('the window', () => {
  test('0: every finished turn is stubbed, the current one is whole', () => {
    expect(lastRequest({})).toEqual([2000, 50, 30, 10, 40, 50, 30, 10, 40, 50, 30, 700]);
  });

  test('1: the newest finished turn stays whole', () => {
    expect(lastRequest({ recent_turns: 1 })).toEqual([2000, 50, 30, 10, 40, 50, 30, 600, 40, 50, 30, 700]);
  });

  test('2: nothing is old enough', () => {
    expect(lastRequest({ recent_turns: 2 })).toEqual([2000, 50, 30, 500, 40, 50, 30, 600, 40, 50, 30, 700]);
  });

  test('changes happen at a turn start and nowhere else', () => {
    const { seen } = replaySeen(sessionOf(threeTurns), { policy: policy() });
    for (const [before, after] of [
      [0, 1],
      [2, 3],
      [4, 5],
    ] as const) {
      const earlier = seen[before]?.ids ?? [];
      expect(seen[after]?.ids.slice(0, earlier.length)).toEqual(earlier);
    }
    expect(seen[2]?.tokens.slice(0, 4)).toEqual([2000, 50, 30, 10]);
  });

  test('a stub is the same block in every later request', () => {
    const { seen } = replaySeen(sessionOf(threeTurns), { policy: policy() });
    expect(new Set(seen.slice(2).map(({ ids }) => ids[3])).size).toBe(1);
  });
});

/** The last request's blocks after one turn with this result, and another prompt. */
function afterElision(result: Omit<Block, 'kind' | 'callId'>, settings: Settings = {}): number {
  const builder = new SessionBuilder();
  builder.turn();
  builder.block({ kind: 'prompt', size: size(50) });
  builder.request({});
  builder.block({ kind: 'call', callId: 'c', tool: 'Bash', action: 'exec', size: size(30) });
  builder.block({ kind: 'result', callId: 'c', ...result });
  builder.request({});
  builder.block({ kind: 'reply', size: size(40) });
  builder.turn();
  builder.block({ kind: 'prompt', size: size(50) });
  builder.request({});
  const session = builder.build({ id: 's', content: 'sizes', tokenizer: 'model', model: 'claude-sonnet-4-5' });
  return replaySeen(session, { policy: policy(settings) }).seen.at(-1)?.tokens[2] ?? -1;
}

describe('what is never stubbed', () => {
  test('short results: at most 300 characters, or not more than twice the stub', () => {
    expect(afterElision({ size: { chars: 300, lines: 3, tokens: 100, derived: { stub: 10 } } })).toBe(100);
    expect(afterElision({ size: { chars: 301, lines: 3, tokens: 100, derived: { stub: 10 } } })).toBe(10);
    expect(afterElision({ size: { chars: 301, lines: 3, tokens: 20, derived: { stub: 10 } } })).toBe(20);
    expect(afterElision({ size: { chars: 301, lines: 3, tokens: 21, derived: { stub: 10 } } })).toBe(10);
  });

  test("the user's answers and activated skills", () => {
    expect(afterElision({ action: 'ask', size: size(500, { stub: 10 }) })).toBe(500);
    expect(afterElision({ action: 'skill', size: size(500, { stub: 10 }) })).toBe(500);
  });

  test('errors, todo lists and images are', () => {
    expect(afterElision({ isError: true, size: size(500, { stub: 12 }) })).toBe(12);
    expect(afterElision({ action: 'todo', size: size(500, { stub: 10 }) })).toBe(10);
    expect(afterElision({ images: 1, size: { chars: 0, lines: 0, tokens: 0, derived: { stub: 8 } } })).toBe(8);
  });

  test('where no stub size was kept, tokens decide and the stub has the configured size', () => {
    expect(afterElision({ size: size(60) })).toBe(60);
    expect(afterElision({ size: size(61) })).toBe(15);
    expect(afterElision({ size: size(61) }, { stub_tokens: 20, min_elide_tokens: 100 })).toBe(61);
    expect(afterElision({ size: size(101) }, { stub_tokens: 20, min_elide_tokens: 100 })).toBe(20);
  });
});

describe('terse_success', () => {
  const shape: TurnShape[] = [
    {
      prompt: 50,
      reply: 40,
      rounds: [
        { call: 30, result: 500, action: 'exec', exitCode: 0 },
        { call: 30, result: 500, action: 'exec', exitCode: 1 },
        { call: 30, result: 500, action: 'view' },
        { call: 30, result: 90, action: 'exec', exitCode: 0 },
      ],
    },
  ];

  test('long output of a successful command is terse from its first appearance; nothing else is', () => {
    const { seen } = replaySeen(sessionOf(shape), { policy: policy({ terse_success: 'on' }) });
    expect(seen.at(-1)?.tokens).toEqual([2000, 50, 30, 8, 30, 500, 30, 500, 30, 90]);
    expect(seen[1]?.tokens).toEqual([2000, 50, 30, 8]);
  });

  test('it is free: the first appearance costs no rewrite', () => {
    const { seen } = replaySeen(sessionOf(shape), { policy: policy({ terse_success: 'on' }) });
    expect(seen[1]).toMatchObject({ read: 2050, write5m: 38, fresh: 0 });
  });

  test('a result that an interrupted turn left is new and old at once: it is a stub', () => {
    const builder = new SessionBuilder();
    builder.turn();
    builder.block({ kind: 'prompt', size: size(50) });
    builder.request({});
    builder.block({ kind: 'call', callId: 'c', tool: 'Bash', action: 'exec', size: size(30) });
    builder.block({ kind: 'result', callId: 'c', exitCode: 0, size: size(500, { stub: 10, terse: 8 }) });
    builder.turn();
    builder.block({ kind: 'prompt', size: size(60) });
    builder.request({});
    const session = builder.build({ id: 's', content: 'sizes', tokenizer: 'model', model: 'claude-sonnet-4-5' });
    const { seen } = replaySeen(session, { policy: policy({ terse_success: 'on' }) });
    expect(seen[1]?.tokens).toEqual([50, 30, 10, 60]);
  });

  test('off by default', () => {
    const { edits } = replaySeen(sessionOf(shape), { policy: policy() });
    expect(edits).toBe(0);
  });
});

test('a turn without a request does not lose the stable boundary', () => {
  const builder = new SessionBuilder();
  builder.block({ kind: 'system', size: size(2000) });
  for (let turn = 0; turn < 8; turn += 1) {
    builder.turn();
    builder.block({ kind: 'prompt', size: size(50) });
    if (turn % 2 === 1) continue;
    for (let round = 0; round < 15; round += 1) {
      builder.request({});
      builder.block({ kind: 'call', callId: `c${turn}.${round}`, tool: 'Read', action: 'view', size: size(30) });
      builder.block({ kind: 'result', callId: `c${turn}.${round}`, size: size(500, { stub: 10 }) });
    }
  }
  const session = builder.build({ id: 's', content: 'sizes', tokenizer: 'model', model: 'claude-sonnet-4-5' });
  const { seen } = replaySeen(session, { policy: policy({ recent_turns: 1 }) });
  // Turns 2, 4 and 6 have no request. At turn 7 the results of turn 5 become stubs: all up to its prompt can be read.
  // System 2000, turns 1 and 3 of 650 with their stubs, prompts 2, 4 and 5.
  expect(seen[45]).toMatchObject({ read: 2000 + 2 * 650 + 3 * 50, fresh: 0 });
});

test('the stable boundary is the prompt of the oldest whole turn: the next edit reads up to there', () => {
  const { seen } = replaySeen(sessionOf(threeTurns), { policy: policy({ recent_turns: 1 }) });
  // Turn 3 stubs the result of turn 1. Before it stand system, prompt 1 and call 1; the marker is behind prompt 1.
  expect(seen[4]).toMatchObject({ read: 2050, fresh: 0 });
});
