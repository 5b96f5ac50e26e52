import { describe, expect, test } from 'vitest';
import { parsePolicies, policies, presets } from '../../src/policies/index.ts';
import type { Policy } from '../../src/policies/policy.ts';
import { SessionBuilder } from '../../src/session/builder.ts';
import type { Block, Session } from '../../src/session/session.ts';
import { replaySeen } from '../replay/run.ts';
import { sessionOf, size, sonnet, type TurnShape } from '../sessions.ts';

/** A policy as `--policy` gives it; tokens are counted as the model does unless a test says otherwise. */
function policy(text: string): () => Policy {
  const [spec] = parsePolicies([text], policies, presets);
  if (!spec) throw new Error(text);
  return () => spec.kind.create(spec.settings);
}

/** Turns of 1000 tokens: prompt 100, call 100, result 700, reply 100; system 2000. */
const turnOf = (more: Partial<TurnShape> = {}): TurnShape => {
  return { prompt: 100, reply: 100, rounds: [{ call: 100, result: 700 }], ...more };
};
const turns = (count: number): TurnShape[] => Array.from({ length: count }, () => turnOf());

/** Headings 40, goal 100, judgment 0: what a record has at least. No instruction fits into one token. */
const small = 'estimator=tokens,judgment_tokens=0,instruction_max_tokens=1,summary_max_tokens=200';

/** Window 16,200 less 200 for the reply: a budget of 8000 tokens. High water is at 6400, low water at 4000. */
const window = { window: 16_200, outputReserve: 200 };

/** Tokens of the last request. */
const carried = (session: Session, text: string, options: object = window) =>
  replaySeen(session, { policy: policy(text), ...options }).seen.at(-1)?.tokens ?? [];

const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);

describe('when it folds', () => {
  test('history strictly above high water, measured before the new prompt and without the system part', () => {
    const edits = (reply: number) => {
      const shapes = [...turns(5), turnOf({ rounds: [], prompt: 100, reply }), turnOf({ prompt: 9000 })];
      return replaySeen(sessionOf(shapes), { policy: policy(`fold:${small}`), ...window }).edits;
    };
    // Five turns of 1000, and 1400 or 1401 in the sixth: 6400 is the mark itself.
    expect(edits(1300)).toBe(0);
    expect(edits(1301)).toBe(1);
  });

  test('the budget is half of the window after the reply, or half of the window less the reply', () => {
    const edits = (formula: string, of: number) =>
      replaySeen(sessionOf(turns(7)), {
        policy: policy(`fold:${small},budget_formula=${formula}`),
        window: of,
        outputReserve: 1000,
      }).edits;
    // At the seventh turn history has 6000 tokens: high water below that takes a budget below 7500.
    expect(edits('half_after_reserve', 16_000)).toBe(0);
    expect(edits('half_after_reserve', 15_999)).toBe(1);
    expect(edits('half_minus_reserve', 17_000)).toBe(0);
    expect(edits('half_minus_reserve', 16_999)).toBe(1);
  });

  test('never without a known window', () => {
    expect(replaySeen(sessionOf(turns(40)), { policy: policy('fold') }).callCounts.total).toBe(0);
  });

  test('the estimate is by characters, three for each token here, unless it is fitted', () => {
    const edits = (estimator: string) =>
      replaySeen(sessionOf(turns(9)), {
        policy: policy(`fold:${small.replace('=tokens', `=${estimator}`)}`),
        ...window,
      }).edits;
    // Eight turns of 1000 tokens have 24,000 characters: 6000 by four, below high water.
    expect(edits('chars4')).toBe(0);
    expect(edits('calibrated')).toBe(1);
    expect(edits('tokens')).toBe(1);
  });

  test('behind elision, history is what elision leaves', () => {
    const edits = (text: string) =>
      replaySeen(sessionOf(turns(8)), { policy: policy(text), ...window }).callCounts.total;
    expect(edits(`fold:${small}`)).toBe(1);
    expect(edits(`elide+fold:${small}`)).toBe(0);
  });
});

describe('what it folds', () => {
  test('the fewest oldest turns that bring history to low water beside the cap of the record', () => {
    // At turn 8 history has 7000 tokens. Low water 4000 less the cap of 200 leaves room for three turns: four are folded.
    const tokens = carried(sessionOf(turns(8)), `fold:${small}`);
    // Record: headings 40, goal 100, one token of instructions.
    expect(tokens.slice(0, 3)).toEqual([2000, 141, 100]);
    expect(sum(tokens)).toBe(2000 + 141 + 3 * 1000 + 900);
  });

  test('the whole cap is reserved, whatever the record turns out to be', () => {
    const tokens = carried(sessionOf(turns(8)), `fold:${small.replace('=200', '=1001')}`);
    expect(sum(tokens)).toBe(2000 + 141 + 2 * 1000 + 900);
  });

  test('recent turns stay whole, even if low water is not reached then', () => {
    expect(sum(carried(sessionOf(turns(8)), `fold:${small},recent_turns=5`))).toBe(2000 + 141 + 5 * 1000 + 900);
    expect(sum(carried(sessionOf(turns(8)), `fold:${small},recent_turns=7`))).toBe(2000 + 7 * 1000 + 900);
  });

  test('the record stands until the next fold, and the next one covers it', () => {
    const { seen, edits, calls } = replaySeen(sessionOf(turns(14)), { policy: policy(`fold:${small}`), ...window });
    // Four turns are folded at turn 8, and four more at turn 12.
    expect(edits).toBe(2);
    const at = (request: number) => seen[request]?.tokens ?? [];
    expect(at(14).slice(0, 2)).toEqual([2000, 141]);
    expect(sum(at(2 * 11 - 2))).toBe(2000 + 141 + 6 * 1000 + 100);
    // At turn 12 the record and seven turns are 7141: four more turns go.
    expect(sum(at(2 * 12 - 2))).toBe(2000 + 141 + 3 * 1000 + 100);
    // Summaries read four turns each, the second also the first record; the judgment is empty and one token is selected.
    expect(calls[0]?.usage).toMatchObject({ fresh: 600 + 4000 + 600 + 4000 + 141, cacheRead: 0, output: 2 });
  });

  test('it invalidates the prefix behind the system part once, and then only appends', () => {
    const { seen } = replaySeen(sessionOf(turns(9)), { policy: policy(`fold:${small}`), ...window });
    expect(seen[14]).toMatchObject({ read: 2000, write5m: 141 + 3000 + 100 });
    expect(seen[15]).toMatchObject({ read: 2000 + 141 + 3000 + 100, write5m: 800 });
    expect(seen[16]).toMatchObject({ read: 2000 + 141 + 3000 + 900, write5m: 200 });
  });

  test('a turn whose call is answered later is not cut off from the answer', () => {
    const builder = new SessionBuilder();
    for (let turn = 1; turn <= 8; turn += 1) {
      builder.turn();
      builder.block({ kind: 'prompt', size: size(100) });
      if (turn === 5) builder.block({ kind: 'result', callId: 'late', tool: 'Task', action: 'agent', size: size(50) });
      builder.request({});
      if (turn === 4) builder.block({ kind: 'call', callId: 'late', tool: 'Task', action: 'agent', size: size(50) });
      builder.block({ kind: 'reply', size: size(900) });
    }
    const session = builder.build({ id: 's', content: 'sizes', tokenizer: 'model', model: 'claude-sonnet-4-5' });
    // Four turns would do, but the fourth is open until the fifth.
    expect(carried(session, `fold:${small}`).slice(0, 2)).toEqual([141, 100]);
    expect(sum(carried(session, `fold:${small}`))).toBe(141 + 2 * 1000 + 100);
  });
});

/** A session of one long first turn with these blocks in it, and then seven turns of 1000 tokens. */
function sessionWith(...blocks: Block[]): Session {
  const builder = new SessionBuilder();
  const turn = (prompt: number, reply: number, inside: readonly Block[] = []) => {
    builder.turn();
    builder.block({ kind: 'prompt', size: size(prompt) });
    builder.request({});
    for (const block of inside) builder.block(block);
    builder.request({});
    builder.block({ kind: 'reply', size: size(reply) });
  };
  turn(150, 850, blocks);
  for (let at = 0; at < 7; at += 1) turn(100, 900);
  return builder.build({ id: 's', content: 'sizes', tokenizer: 'model', model: 'claude-sonnet-4-5' });
}

const call = (callId: string, tokens: number, more: Partial<Block> & { derived?: Record<string, number> }): Block => {
  const { derived, ...rest } = more;
  return { kind: 'call', callId, tool: 't', size: size(tokens, derived), ...rest };
};
const result = (callId: string, tokens: number, derived?: Record<string, number>): Block => {
  return { kind: 'result', callId, size: size(tokens, derived) };
};

describe('the state record', () => {
  const settings = 'fold:estimator=tokens,judgment_tokens=800,instruction_max_tokens=300,summary_max_tokens=2000';
  /** Tokens of the record that a session comes to; at turn 8, or at turn 7 where the first is long, all but two are folded. */
  const recordOf = (...blocks: Block[]) => carried(sessionWith(...blocks), settings)[0];
  const bare = 40 + 150 + 800 + 300;

  test('has the goal, the judgment and the instructions, which never exceed their cap nor the prompts', () => {
    expect(recordOf()).toBe(bare);
    const capped = carried(sessionWith(), settings.replace('max_tokens=300', 'max_tokens=900'))[0];
    // Turns 1 to 5 are folded: four later prompts of 100 tokens.
    expect(capped).toBe(40 + 150 + 800 + 400);
  });

  test('has questions and answers whole', () => {
    expect(recordOf(call('q', 60, { action: 'ask' }), result('q', 25))).toBe(bare + 85);
  });

  test('has each command whole, and its completion line', () => {
    const exec = { action: 'exec', target: 'make' } as const;
    const ran = call('x', 80, { ...exec, derived: { command: 30, target: 10 } });
    expect(recordOf(ran, result('x', 400, { completionLine: 7 }))).toBe(bare + 4 + 30 + 7);
    // Where only its first line was kept, that; without an answer there is no completion.
    expect(recordOf(call('x', 80, { ...exec, derived: { target: 10 } }))).toBe(bare + 4 + 10);
  });

  test('has the last write action of each path', () => {
    const write = (id: string, target: string, tokens: number) => [
      call(id, 200, { action: 'edit', target, derived: { target: tokens } }),
      result(id, 20),
    ];
    const blocks = [...write('a', 'a.ts', 5), ...write('b', 'b.ts', 6), ...write('c', 'a.ts', 5)];
    expect(recordOf(...blocks)).toBe(bare + (4 + 5) + (4 + 6));
  });

  test('stands before the skills that were activated, each once and the latest', () => {
    const skill = (id: string, target: string, tokens: number): Block[] => [
      call(id, 10, { action: 'skill', target }),
      result(id, tokens),
      { kind: 'meta', size: size(100) },
    ];
    const blocks = [...skill('a', 'pdf', 300), ...skill('b', 'git', 40), ...skill('c', 'pdf', 50)];
    expect(carried(sessionWith(...blocks), settings).slice(0, 4)).toEqual([bare, 140, 150, 100]);
  });

  test('needs sizes that a content-free session must have kept', () => {
    const ran = call('x', 80, { action: 'exec', target: 'make', derived: { target: 10 } });
    expect(() => recordOf(ran, result('x', 400))).toThrow('completionLine');
    expect(() => recordOf(call('x', 80, { action: 'edit', target: 'a.ts' }))).toThrow('"target"');
  });
});

describe('a record that is too large', () => {
  const commands = Array.from({ length: 10 }, (_, at) => [
    call(`x${at}`, 80, { action: 'exec', target: 'make', derived: { command: 90 } }),
    result(`x${at}`, 40, { completionLine: 6 }),
  ]).flat();
  const settings = 'fold:estimator=tokens,judgment_tokens=0,instruction_max_tokens=10,summary_max_tokens=700';

  test('fails, is billed, leaves raw history, and is tried again at the next turn', () => {
    const { seen, edits, callCounts } = replaySeen(sessionWith(...commands), { policy: policy(settings), ...window });
    // 40 + 150 + 10 + 10 · 100 = 1200. The first turn has 2200 tokens: above 6400 at turns 7 and 8.
    expect(edits).toBe(0);
    expect(callCounts).toMatchObject({ total: 2, oversized: 2 });
    expect(sum(seen.at(-1)?.tokens ?? [])).toBe(2200 + 6 * 1000 + 100);
  });

  test('with record_trim it loses its oldest lines until it fits', () => {
    expect(carried(sessionWith(...commands), `${settings},record_trim=on`)[0]).toBe(40 + 150 + 10 + 5 * 100);
  });

  test('fails all the same where there is nothing left to trim', () => {
    const { edits, callCounts } = replaySeen(sessionWith(...commands), {
      policy: policy(`${settings.replace('=700', '=199')},record_trim=on`),
      ...window,
    });
    expect(edits).toBe(0);
    expect(callCounts.oversized).toBe(2);
  });
});

describe('summaries that fail', () => {
  const run = (text: string) => replaySeen(sessionOf(turns(8)), { policy: policy(`fold:${small},${text}`), ...window });

  test('a malformed one is tried once more, both are billed, and raw history stays', () => {
    const { edits, callCounts, calls } = run('malformed_rate=1');
    expect(edits).toBe(0);
    expect(callCounts).toMatchObject({ total: 2, malformed: 2 });
    expect(calls[0]?.usage).toMatchObject({ fresh: 2 * 4600, output: 2 });
  });

  test.each(['failed', 'canceled', 'stale'])('one that is %s is not', (outcome) => {
    const { edits, callCounts } = run(`${outcome}_rate=1`);
    expect(edits).toBe(0);
    expect(callCounts).toMatchObject({ total: 1, [outcome]: 1 });
  });

  test('draws come from a seed and are the same every time', () => {
    const outcomes = [...Array(12).keys()].map((seed) => run(`malformed_rate=0.5,seed=${seed}`).callCounts.malformed);
    expect(outcomes).toEqual(
      [...Array(12).keys()].map((seed) => run(`malformed_rate=0.5,seed=${seed}`).callCounts.malformed),
    );
    expect(new Set(outcomes)).toEqual(new Set([0, 1, 2]));
  });
});

describe('the summarizer', () => {
  test('sees the turns as they are sent, or raw', () => {
    const input = (sees: string) =>
      replaySeen(sessionOf(turns(14)), {
        policy: policy(`elide+fold:${small},high_water=0.5,low_water=0.3,summarizer_sees=${sees}`),
        ...window,
      }).calls[0]?.usage.fresh;
    // Elided turns have 310 tokens. Above 4000 are 13 of them, at turn 14; 2400 − 200 are 7 of them: six are folded.
    expect(input('elided')).toBe(600 + 6 * 310);
    expect(input('raw')).toBe(600 + 6 * 1000);
  });

  test('may be another model', () => {
    const resolveModel = (id: string) => ({ name: id, limits: undefined, card: { ...sonnet, id } });
    const { calls } = replaySeen(sessionOf(turns(8)), {
      policy: policy(`fold:${small},summarizer_model=claude-haiku-4-5`),
      resolveModel,
      ...window,
    });
    expect(calls.map((entry) => entry.card.id)).toEqual(['claude-haiku-4-5']);
  });
});

describe('settings that contradict each other fail before anything runs', () => {
  test.each([
    ['fold:low_water=0.8', '0 < low_water < high_water <= 1'],
    ['fold:low_water=0', '0 < low_water < high_water <= 1'],
    ['fold:high_water=1.1', '0 < low_water < high_water <= 1'],
    ['heph:low_water=0.9', '0 < low_water < high_water <= 1'],
    ['fold:summary_max_tokens=0', 'Token caps must be positive'],
    ['fold:instruction_max_tokens=-1', 'Token caps must be positive'],
    ['fold:instruction_max_tokens=4001', 'The instruction cap cannot exceed the summary cap'],
    ['fold:failed_rate=0.6,stale_rate=0.6', 'cannot be more than 1'],
  ])('%s', (text, rule) => {
    expect(() => policy(text)).toThrow(expect.objectContaining({ hint: expect.stringContaining(rule) }));
  });

  test('equal caps, and a high water of 1, are allowed', () => {
    policy('fold:high_water=1,summary_max_tokens=400,instruction_max_tokens=400');
  });
});

test('heph is elision and folding with one number of recent turns', () => {
  const [spec] = parsePolicies(['heph:recent_turns=2'], policies, presets);
  expect(spec?.settings).toMatchObject({ 'elide.recent_turns': 2, 'fold.recent_turns': 2 });
  const both = policy('heph:recent_turns=0');
  expect(replaySeen(sessionOf(turns(30)), { policy: both, ...window })).toEqual(
    replaySeen(sessionOf(turns(30)), { policy: policy('elide+fold'), ...window }),
  );
});

test('the result that answers a call of the opening stays with it', () => {
  const builder = new SessionBuilder();
  const completion = { completionLine: 5, command: 5, target: 5, stub: 10 };
  builder.block({ kind: 'system', size: size(3000) });
  builder.request({ time: 0 });
  builder.block({ kind: 'call', callId: 'c0', tool: 'Read', action: 'view', size: size(60, completion) });
  builder.turn();
  builder.block({ kind: 'prompt', size: size(500) });
  builder.block({ kind: 'result', callId: 'c0', tool: 'Read', action: 'view', size: size(3000, completion) });
  builder.request({ time: 1000 });
  builder.block({ kind: 'call', callId: 'c1', tool: 'Read', action: 'view', size: size(60, completion) });
  builder.block({ kind: 'result', callId: 'c1', tool: 'Read', action: 'view', size: size(30_000, completion) });
  builder.request({ time: 2000 });
  builder.block({ kind: 'reply', size: size(20) });
  builder.turn();
  builder.block({ kind: 'prompt', size: size(500) });
  builder.request({ time: 3000 });
  const session = builder.build({ id: 's', content: 'sizes', tokenizer: 'model', model: 'claude-sonnet-4-5' });
  const { origins, edits } = replaySeen(session, { policy: policy('fold'), limit: 40_000, outputReserve: 4_000 });
  expect(edits).toBe(1);
  // System, the call, its prompt and its result; then the record, and the new prompt.
  expect(origins.at(-1)).toEqual([0, 1, 2, 3, -1, 7]);
});
