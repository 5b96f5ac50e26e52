import { describe, expect, test } from 'vitest';
import type { Settings } from '../../src/policies/policy.ts';
import { turnSummary } from '../../src/policies/turn-summary.ts';
import { SessionBuilder } from '../../src/session/builder.ts';
import type { Block, Session } from '../../src/session/session.ts';
import { replaySeen } from '../replay/run.ts';
import { size } from '../sessions.ts';

const defaults = Object.fromEntries(Object.entries(turnSummary.params).map(([key, param]) => [key, param.default]));

/** Turns of three requests' worth of blocks: prompt 100 (excerpt 20), edit call 30, result 500, reply 200 (excerpt 40). */
function turns(count: number, target: (turn: number) => string = (turn) => `file${turn}`): Session {
  const builder = new SessionBuilder();
  builder.block({ kind: 'system', size: size(2000) });
  for (let turn = 1; turn <= count; turn += 1) {
    builder.turn();
    builder.block({ kind: 'prompt', size: size(100, { excerpt200: 20 }) });
    builder.request({});
    builder.block({
      kind: 'call',
      callId: `c${turn}`,
      tool: 'Edit',
      action: 'edit',
      target: target(turn),
      size: size(30, { target: 4 }),
    });
    builder.block({ kind: 'result', callId: `c${turn}`, size: size(500, { stub: 10 }) });
    builder.request({});
    builder.block({ kind: 'reply', size: size(200, { excerpt300: 40 }) });
  }
  return builder.build({ id: 's', content: 'sizes', tokenizer: 'model', model: 'claude-sonnet-4-5' });
}

function replay(session: Session, settings: Settings = {}, planner = 'anchor') {
  return replaySeen(session, { policy: () => turnSummary.create({ ...defaults, ...settings }), planner });
}

/** Per turn, how many of the turns before it are carried in full: their results are 500 tokens. */
function fullTurns(session: Session, settings: Settings = {}): number[] {
  return replay(session, settings)
    .seen.filter((_, request) => request % 2 === 0)
    .map(({ tokens }) => tokens.filter((size) => size === 500).length);
}

/** Turns whose first request does not begin with all of the request before. */
function advances(session: Session, settings: Settings = {}): number[] {
  const { seen } = replay(session, settings);
  return seen.flatMap(({ ids }, request) =>
    (seen[request - 1]?.ids ?? []).some((id, at) => ids[at] !== id) ? [Math.floor(request / 2) + 1] : [],
  );
}

describe('the timeline of seed-policies §2.2', () => {
  test('the summary moves on at turns 10, 13, 16, 19, 22 and at no other', () => {
    expect(advances(turns(23))).toEqual([10, 13, 16, 19, 22]);
  });

  test('the full part is 0 to 8 turns, then cycles 6, 7, 8', () => {
    expect(fullTurns(turns(17))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 6, 7, 8, 6, 7, 8, 6, 7]);
  });

  test('without slack it moves on at every turn once more than 6 are finished', () => {
    expect(advances(turns(11), { slack: 0 })).toEqual([8, 9, 10, 11]);
  });

  test('immediate: the first summary comes with the seventh finished turn, then the slack holds', () => {
    expect(advances(turns(15), { first_freeze: 'immediate' })).toEqual([8, 11, 14]);
  });

  test('0 and less mean 6', () => {
    const expected = replay(turns(14));
    for (const recent of [0, -1]) expect(replay(turns(14), { recent_turns_full: recent })).toEqual(expected);
    expect(turnSummary.normalize?.({ ...defaults, recent_turns_full: 0 })).toEqual(defaults);
  });
});

describe('the summary', () => {
  /** Tokens of the block behind the system prompt in a turn's first request. */
  const summaryAt = (session: Session, turn: number, settings: Settings = {}) =>
    replay(session, settings).seen[2 * (turn - 1)]?.tokens[1];

  test('has a line per prompt, per final reply and per changed file, and a frame', () => {
    expect(summaryAt(turns(12), 10)).toBe(30 + 3 * (20 + 2) + 3 * (40 + 2) + 3 * (4 + 2));
    expect(summaryAt(turns(13), 13)).toBe(30 + 6 * (20 + 2) + 6 * (40 + 2) + 6 * (4 + 2));
  });

  test('names a file once, and at most 50 files', () => {
    expect(
      summaryAt(
        turns(12, () => 'same'),
        10,
      ),
    ).toBe(30 + 3 * 22 + 3 * 42 + 6);
    const many = { turn_cap: 1000, slack: 0, recent_turns_full: 1 };
    expect(summaryAt(turns(52), 52, many)).toBe(30 + 50 * 64 + 50 * 6);
    expect(summaryAt(turns(53), 53, many)).toBe(30 + 51 * 64 + 50 * 6 + 5);
  });

  test('is the same block until it moves on', () => {
    const { seen } = replay(turns(13));
    expect(new Set(seen.slice(18, 24).map(({ ids }) => ids[1])).size).toBe(1);
    expect(seen[24]?.ids[1]).not.toBe(seen[23]?.ids[1]);
  });

  test('as part of the system prompt it makes one block with it', () => {
    const { seen } = replay(turns(13), { summary_position: 'system' });
    expect(seen[18]?.tokens.slice(0, 2)).toEqual([2000 + 30 + 3 * 70, 100]);
    expect(seen[24]?.tokens.slice(0, 2)).toEqual([2000 + 30 + 6 * 70, 100]);
    expect(seen[18]).toMatchObject({ read: 0 });
  });
});

describe('the cap of 40 turns', () => {
  /** Turns in the summary, from its size. */
  const summarized = (tokens: number | undefined) => ((tokens ?? 0) - 30) / 70;
  const perTurn = (settings: Settings) =>
    replay(turns(52), settings)
      .seen.filter((_, request) => request % 2 === 0)
      .map(({ tokens }) => summarized(tokens[1]));

  test('frozen: it is applied when the summary moves on, so up to 42 turns are carried', () => {
    const frozen = perTurn({});
    // Turn 40: 39 finished, 33 of them summarized. Turn 43: 42 finished, 2 dropped, 34 summarized.
    expect(frozen.slice(39, 46)).toEqual([33, 33, 33, 34, 34, 34, 34]);
    expect(advances(turns(50)).at(-1)).toBe(49);
  });

  test('sliding: once 40 turns are over, every turn drops one and rewrites the rest', () => {
    const sliding = perTurn({ cap_mode: 'sliding' });
    expect(sliding.slice(39, 46)).toEqual([33, 33, 32, 34, 33, 32, 34]);
    expect(advances(turns(50), { cap_mode: 'sliding' }).filter((turn) => turn > 40)).toEqual([
      42, 43, 44, 45, 46, 47, 48, 49, 50,
    ]);
  });
});

describe('an empty result', () => {
  function withResult(result: Partial<Block>): readonly number[] {
    const builder = new SessionBuilder();
    builder.turn();
    builder.block({ kind: 'prompt', size: size(100) });
    builder.request({});
    builder.block({ kind: 'call', callId: 'c', tool: 'Bash', action: 'exec', size: size(30) });
    builder.block({ kind: 'result', callId: 'c', size: size(0), ...result });
    builder.request({});
    const session = builder.build({ id: 's', content: 'sizes', tokenizer: 'model', model: 'claude-sonnet-4-5' });
    return replay(session).seen.at(-1)?.tokens ?? [];
  }

  test('is sent as a placeholder of 9 tokens from its first appearance', () => {
    expect(withResult({})).toEqual([100, 30, 9]);
  });

  test('other results are left alone, and so is one that is an image', () => {
    expect(withResult({ size: size(1) })).toEqual([100, 30, 1]);
    expect(withResult({ images: 1 })[2]).not.toBe(9);
  });
});

describe('history beyond the cap, whatever else is set', () => {
  test.each<[string, Settings, number]>([
    ['more recent turns than the cap', { recent_turns_full: 45 }, 40],
    ['as many', { recent_turns_full: 40 }, 40],
    ['with the slack as many', { recent_turns_full: 38 }, 40],
    ['a small cap', { turn_cap: 5 }, 5],
    ['a small cap that slides', { turn_cap: 5, cap_mode: 'sliding' }, 5],
    ['a small cap and no wait', { turn_cap: 8, first_freeze: 'immediate' }, 8],
    ['a cap of one turn', { turn_cap: 1, recent_turns_full: 1, slack: 0 }, 1],
  ])('%s: so many turns are carried in full and nothing is summarized', (_, settings, cap) => {
    const session = turns(50);
    expect(fullTurns(session, settings)).toEqual(Array.from({ length: 50 }, (_, finished) => Math.min(finished, cap)));
    const { seen } = replay(session, settings);
    for (const { tokens } of seen) expect(tokens.slice(0, 2)).toEqual([2000, 100]);
  });

  test('inside the system prompt nothing is left either, and that prompt stays the one it was', () => {
    const { seen } = replay(turns(50), { turn_cap: 5, summary_position: 'system' });
    expect(new Set(seen.map(({ ids }) => ids[0])).size).toBe(1);
    expect(seen.at(-1)?.tokens.slice(0, 2)).toEqual([2000, 100]);
  });
});

test('a summary has at most so many characters, at four a token', () => {
  const behindSystem = (settings: Settings) => replay(turns(13), settings).seen[24]?.tokens[1];
  expect(behindSystem({ summary_max_chars: 400 })).toBe(100);
  expect(behindSystem({ summary_max_chars: 401 })).toBe(101);
  expect(behindSystem({ summary_max_chars: 100_000 })).toBe(30 + 6 * 70);
});

describe('a finished turn is built again', () => {
  /** Turns of two rounds with thinking: what a request carries, in tokens. */
  function thoughtful(last: 'answered' | 'cut off'): Session {
    const builder = new SessionBuilder();
    builder.block({ kind: 'system', size: size(2000) });
    for (let turn = 1; turn <= 2; turn += 1) {
      builder.turn();
      builder.block({ kind: 'prompt', size: size(100) });
      for (const round of [1, 2]) {
        const callId = `c${turn}.${round}`;
        builder.request({});
        builder.block({ kind: 'thinking', size: size(70) });
        builder.block({ kind: 'call', callId, tool: 'Bash', action: 'exec', size: size(30 + round) });
        if (last === 'answered' || round === 1) builder.block({ kind: 'result', callId, size: size(500 + round) });
      }
      if (last === 'answered') {
        builder.request({});
        builder.block({ kind: 'reply', size: size(40) });
      }
    }
    // A model whose provider keeps the thinking of earlier turns.
    return builder.build({ id: 's', content: 'sizes', tokenizer: 'model', model: 'claude-opus-4-5' });
  }

  test('without its thinking, which stays while the turn goes on', () => {
    const { seen } = replay(thoughtful('answered'));
    expect(seen[2]?.tokens).toEqual([2000, 100, 70, 31, 501, 70, 32, 502]);
    expect(seen[3]?.tokens).toEqual([2000, 100, 31, 501, 32, 502, 40, 100]);
    expect(seen[5]?.tokens).toEqual([2000, 100, 31, 501, 32, 502, 40, 100, 70, 31, 501, 70, 32, 502]);
  });

  test('merged: its calls and words in one message, and the results behind it', () => {
    const { seen } = replay(thoughtful('answered'), { rebuild: 'merged' });
    expect(seen[3]?.tokens).toEqual([2000, 100, 31, 32, 40, 501, 502, 100]);
    expect(seen[5]?.tokens.slice(0, 8)).toEqual([2000, 100, 31, 32, 40, 501, 502, 100]);
    const [one] = replay(turns(2), { rebuild: 'merged' }).seen.slice(-1);
    expect(one?.tokens.slice(0, 5)).toEqual([2000, 100, 30, 200, 500]);
  });

  test('a call without a result gets the placeholder behind it, once, when its result should have been sent', () => {
    const { seen } = replay(thoughtful('cut off'));
    expect(seen[1]?.tokens).toEqual([2000, 100, 70, 31, 501]);
    expect(seen[2]?.tokens).toEqual([2000, 100, 31, 501, 32, 9, 100]);
    expect(seen[3]?.tokens).toEqual([2000, 100, 31, 501, 32, 9, 100, 70, 31, 501]);
    const merged = replay(thoughtful('cut off'), { rebuild: 'merged' });
    expect(merged.seen[2]?.tokens).toEqual([2000, 100, 31, 32, 9, 501, 100]);
  });

  test('a result of its own turn that comes with the next request is no missing one', () => {
    expect(replay(odd('claude-sonnet-4-5')).seen.at(-1)?.tokens).not.toContain(9);
  });
});

/** Turns of one call each, whose result comes only when the next turn has begun, and thinking that is stripped later. */
function odd(model: string): Session {
  const builder = new SessionBuilder();
  builder.block({ kind: 'system', size: size(2000) });
  for (let turn = 1; turn <= 12; turn += 1) {
    builder.turn();
    builder.block({ kind: 'thinking', size: size(70) });
    if (turn > 1) builder.block({ kind: 'result', callId: `c${turn - 1}`, size: size(500) });
    builder.block({ kind: 'prompt', size: size(100) });
    builder.request({});
    builder.block({ kind: 'call', callId: `c${turn}`, tool: 'Bash', action: 'exec', size: size(30) });
  }
  return builder.build({ id: 's', content: 'sizes', tokenizer: 'model', model });
}

test('the end of the frozen summary is the stable boundary', () => {
  const { seen } = replay(turns(13));
  // Turn 13 writes everything behind the system prompt again.
  expect(seen[24]).toMatchObject({ read: 2000 });
  expect(seen[20]?.read).toBeGreaterThan(2000);
});

describe('a turn that begins oddly', () => {
  test.each([
    ['message', 'claude-sonnet-4-5'],
    ['system', 'claude-sonnet-4-5'],
    ['message', 'claude-opus-4-5'],
  ])('is cut behind the results of the turn before (%s, %s)', (position, model) => {
    const { tokens } = replay(odd(model), { summary_position: position }).seen[9] ?? {};
    expect(tokens?.filter((size) => size === 500)).toHaveLength(6);
    expect(tokens?.filter((size) => size === 30)).toHaveLength(6);
  });
});
