import { describe, expect, test } from 'vitest';
import { compact } from '../../src/policies/compact.ts';
import type { ExtraCall } from '../../src/policies/plan.ts';
import type { Policy, Settings } from '../../src/policies/policy.ts';
import { replaySeen } from '../replay/run.ts';
import { sessionOf, sonnet, type TurnShape } from '../sessions.ts';
import { make } from './defaults.ts';

/** Turns of so many rounds: prompts 50, calls 30, results 500, replies 40. A round brings 530 tokens. */
const turns = (...rounds: number[]): TurnShape[] =>
  rounds.map((count) => ({
    prompt: 50,
    reply: 40,
    rounds: Array.from({ length: count }, () => ({ call: 30, result: 500 })),
  }));

const resolveModel = (name: string) => ({ name, card: sonnet, limits: undefined });

interface Observed {
  readonly prompts: readonly number[];
  readonly tokens: readonly (readonly number[])[];
  /** Calls, and the number of requests that were sent before each. */
  readonly calls: readonly (ExtraCall & { readonly after: number })[];
}

/** Replays and notes what the policy asked for. The summary has 300 tokens unless told otherwise. */
function replay(shapes: readonly TurnShape[], settings: Settings, options = {}): Observed {
  const calls: (ExtraCall & { after: number })[] = [];
  const create = make(compact, { summary_tokens: 300, prompt_tokens: 100, ...settings });
  let sent = 0;
  const spied = (): Policy => {
    const policy = create();
    return {
      events: [...new Set([...policy.events, 'post_response' as const])],
      on: (event, state) => {
        if (event === 'post_response') sent += 1;
        const plan = policy.events.includes(event) ? policy.on(event, state) : undefined;
        for (const call of plan?.calls ?? []) calls.push({ ...call, after: sent });
        return plan;
      },
    };
  };
  const { seen } = replaySeen(sessionOf(shapes), { policy: spied, resolveModel, ...options });
  return { prompts: seen.map(({ prompt }) => prompt), tokens: seen.map(({ tokens }) => [...tokens]), calls };
}

describe('what stays', () => {
  const last = (settings: Settings, shapes = turns(4, 2)) => replay(shapes, settings).tokens.at(-1);

  test('nothing, at a turn start: summary and the new prompt', () => {
    // The second turn starts at 2000 + 50 + 4·530 + 40 + 50 = 4260 tokens.
    expect(last({ when: 'turn-start', trigger: 4260 })).toEqual([2000, 300, 50, 30, 500, 30, 500]);
    expect(last({ when: 'turn-start', trigger: 4261 })).toHaveLength(16);
  });

  test('whole messages of so many tokens: a little more, or a little less', () => {
    const tail = { when: 'turn-start', trigger: 4000 };
    // From the end: prompt 50, reply 40, then rounds of 530.
    expect(last({ ...tail, keep_tokens: 90 })?.slice(0, 5)).toEqual([2000, 300, 40, 50, 30]);
    expect(last({ ...tail, keep_tokens: 91 })?.slice(0, 6)).toEqual([2000, 300, 30, 500, 40, 50]);
    expect(last({ ...tail, keep_tokens: 619, round: 'down' })?.slice(0, 4)).toEqual([2000, 300, 40, 50]);
    expect(last({ ...tail, keep_tokens: 620, round: 'down' })?.slice(0, 6)).toEqual([2000, 300, 30, 500, 40, 50]);
  });

  test('less than a share of the level, in what the trigger measures', () => {
    // 2,210 tokens of history; below 1,300 of 2,600 with the opening of 2,000 nothing fits, below 650 of 1,300 without it 620.
    const level = { when: 'turn-start', trigger: 1300, round: 'down' };
    expect(last({ ...level, measure: 'history', keep_level: 0.5 })?.slice(0, 6)).toEqual([2000, 300, 30, 500, 40, 50]);
    expect(last({ ...level, measure: 'history', keep_level: 0.4 })?.slice(0, 4)).toEqual([2000, 300, 40, 50]);
    expect(last({ ...level, trigger: 2620, keep_level: 1 })?.slice(0, 6)).toEqual([2000, 300, 30, 500, 40, 50]);
    expect(last({ ...level, trigger: 2619, keep_level: 1 })?.slice(0, 4)).toEqual([2000, 300, 40, 50]);
  });

  test('cut in front of a prompt only', () => {
    const shapes = turns(1, 1, 1);
    const settings = { when: 'turn-start', trigger: 3200, cut_at: 'prompt', min_progress: 0 };
    // The third turn starts with 3,290 tokens: its prompt of 50, and 620 a turn before it.
    expect(last({ ...settings, keep_tokens: 50 }, shapes)).toEqual([2000, 300, 50, 30, 500]);
    expect(last({ ...settings, keep_tokens: 51 }, shapes)).toHaveLength(9);
    expect(last({ ...settings, keep_tokens: 669, round: 'down' }, shapes)).toHaveLength(5);
    expect(last({ ...settings, keep_tokens: 670, round: 'down' }, shapes)).toHaveLength(9);
  });

  test("the user's newest messages, whole", () => {
    const inside = { when: 'request', trigger: 3600 };
    expect(replay(turns(4), { ...inside, keep_prompts: 1 }).tokens[3]).toEqual([2000, 50, 300]);
    expect(replay(turns(4), inside).tokens[3]).toEqual([2000, 300]);
    // Beside a budget they count against it, and stay whole where it is too small.
    const two = { when: 'turn-start', trigger: 3200, keep_user_tokens: 20 };
    expect(last(two, turns(1, 1, 1))?.slice(0, 3)).toEqual([2000, 20, 300]);
    expect(last({ ...two, keep_prompts: 2 }, turns(1, 1, 1))?.slice(0, 3)).toEqual([2000, 50, 300]);
  });

  test('messages, events, turns, a share of the history or of the window', () => {
    const start = { when: 'turn-start', trigger: 4000 };
    expect(last({ ...start, keep_messages: 2 })?.slice(0, 4)).toEqual([2000, 300, 40, 50]);
    expect(last({ ...start, keep_messages: 3 })?.slice(0, 6)).toEqual([2000, 300, 30, 500, 40, 50]);
    expect(last({ ...start, keep_events: 2 })?.slice(0, 4)).toEqual([2000, 300, 40, 50]);
    expect(last({ ...start, keep_events: 4 })?.slice(0, 6)).toEqual([2000, 300, 30, 500, 40, 50]);
    expect(last({ ...start, keep_turns: 1 })?.slice(0, 4)).toEqual([2000, 300, 50, 30]);
    expect(last({ ...start, keep_share: 0.25 })?.slice(0, 6)).toEqual([2000, 300, 30, 500, 40, 50]);
    expect(
      replay(turns(4, 2), { ...start, keep_window: 0.05 }, { limit: 10_000 })
        .tokens.at(-1)
        ?.slice(0, 6),
    ).toEqual([2000, 300, 30, 500, 40, 50]);
  });

  test('a head, and the opening', () => {
    const tokens = last({ when: 'turn-start', trigger: 4000, keep_first: 1 });
    expect(tokens?.slice(0, 4)).toEqual([2000, 50, 300, 50]);
    // The pair of prompt and answer is kept with the results that the answer waits for.
    expect(last({ when: 'turn-start', trigger: 4000, keep_first: 2 })?.slice(0, 6)).toEqual([
      2000, 50, 30, 500, 300, 50,
    ]);
  });

  test("the user's own messages, the newest first, and the one that does not fit is cut", () => {
    const settings = { when: 'turn-start', trigger: 4880, keep_user_tokens: 80 };
    expect(last(settings, turns(3, 2, 1))?.slice(0, 5)).toEqual([2000, 30, 50, 300, 50]);
  });

  test('what is read again afterwards', () => {
    expect(last({ when: 'turn-start', trigger: 4000, reattach_tokens: 77 })?.slice(0, 4)).toEqual([2000, 300, 77, 50]);
  });
});

describe('when', () => {
  const fires = (settings: Settings, options = {}) =>
    replay(turns(6, 3), settings, options).calls.map(({ after }) => after);

  test('before a request, at the level or above it', () => {
    // Requests are 2050, 2580, 3110, 3640, …
    expect(fires({ trigger: 3640 })).toEqual([3, 6, 10]);
    expect(fires({ trigger: 3640, strict: 'yes' })[0]).toBe(4);
  });

  test('after a response, by what was reported: request and reply', () => {
    // Request 4 has 3640 tokens and a reply of 30; its results must stay.
    expect(fires({ when: 'response', measure: 'last', trigger: 3670 })[0]).toBe(4);
    expect(fires({ when: 'response', measure: 'last', trigger: 3671 })[0]).toBe(5);
    const { tokens } = replay(turns(6), { when: 'response', measure: 'last', trigger: 3670 });
    expect(tokens[4]).toEqual([2000, 300, 30, 500]);
  });

  test('after a turn; before the first request of the next the prompt is there', () => {
    const { calls, tokens } = replay(turns(6, 3), { when: 'turn-end', trigger: 2000 });
    expect(calls.map(({ after }) => after)).toEqual([7]);
    expect(tokens[7]).toEqual([2000, 300, 50]);
  });

  test('step: between requests and after a turn, not at its first request', () => {
    expect(fires({ when: 'step', trigger: 5270 })).toEqual([7]);
    expect(fires({ when: 'step', trigger: 5230 })).toEqual([6]);
  });

  test('in a pause, while the cache is warm', () => {
    const paused = turns(6, 3).map((turn, index) => ({ ...turn, pauseSeconds: index * 400 }));
    const { calls, tokens } = replay(paused, { when: 'idle', trigger: 5000 });
    expect(calls.map(({ after }) => after)).toEqual([7]);
    expect(tokens[7]).toEqual([2000, 300, 50]);
    expect(replay(turns(6, 3), { when: 'idle', trigger: 5000 }).calls).toEqual([]);
  });

  test('when a request would not fit', () => {
    expect(fires({ when: 'overflow' }, { window: 4000 })).toEqual([4, 9]);
    expect(fires({ trigger: 1_000_000, on_overflow: 'no' }, { window: 4000 })).toEqual([]);
  });

  test('by counts', () => {
    expect(fires({ measure: 'messages', trigger: 5 })).toEqual([2, 5, 8]);
    expect(fires({ measure: 'events', trigger: 5 })).toEqual([2, 5, 8]);
    expect(fires({ measure: 'turns', trigger: 2, when: 'turn-start' })).toEqual([7]);
  });

  test('in the background: billed at the level, in effect a request later, what came meanwhile stays', () => {
    const { calls, tokens } = replay(turns(6), { trigger: 3110, background: 'yes' });
    expect(calls.map(({ after }) => after)).toEqual([2, 4, 6]);
    expect(tokens[2]?.reduce((sum, size) => sum + size, 0)).toBe(3110);
    expect(tokens[3]).toEqual([2000, 300, 30, 500]);
  });

  test('not where less than a tenth of the request would go', () => {
    // Summary and files are 500 tokens. Before request 1 80 tokens would go, before request 7 40 of 2590.
    expect(fires({ trigger: 2400, summary_tokens: 400, reattach_tokens: 100 })).toEqual([2, 3, 4, 5, 6, 8, 9, 10]);
  });
});

describe('what the call costs', () => {
  const first = (settings: Settings) => replay(turns(4, 2), { when: 'turn-start', trigger: 4000, ...settings }).calls;

  test('fresh: instructions and all that goes, results cut where the system cuts them', () => {
    expect(first({})).toMatchObject([{ prefix: 'fresh', purpose: 'summary', input: 100 + 2210, output: 300 }]);
    expect(first({ result_cap: 200 })[0]?.input).toBe(100 + 2210 - 4 * 300);
    expect(first({ input_cap: 1000 })[0]?.input).toBe(1100);
  });

  test('shared and server: the instructions behind the live request', () => {
    expect(first({ call: 'shared' })).toMatchObject([{ prefix: 'shared', input: 100, output: 300 }]);
    expect(first({ call: 'server', prompt_tokens: 0 })).toMatchObject([{ prefix: 'server', input: 0 }]);
    expect(first({ call: 'none' })).toEqual([]);
  });

  test('a second call that checks, and another model', () => {
    expect(first({ verify: 'yes', summary_model: 'claude-haiku-4-5' })).toMatchObject([
      { purpose: 'summary', input: 2310, model: 'claude-haiku-4-5' },
      { purpose: 'verify', input: 2610, model: 'claude-haiku-4-5' },
    ]);
  });

  test('the next summary reads the one before', () => {
    const { calls } = replay(turns(3, 3, 3), { when: 'turn-start', trigger: 3000, keep_turns: 1 });
    expect(calls.map(({ input }) => input)).toEqual([100 + 1680, 100 + 300 + 1680]);
  });
});

test('ADK, interval 2 and overlap 1: the stretches are turns 1 to 2, then 2 to 4, and summaries pile up', () => {
  const settings = {
    when: 'turn-end',
    measure: 'turns',
    trigger: 2,
    previous: 'stay',
    overlap_turns: 1,
    min_progress: 0,
  };
  const { calls, tokens } = replay(turns(1, 1, 1, 1, 1), settings);
  // A turn has 620 tokens.
  expect(calls.map(({ input }) => input)).toEqual([100 + 2 * 620, 100 + 3 * 620]);
  expect(tokens.at(-1)).toEqual([2000, 300, 300, 50, 30, 500]);
});
