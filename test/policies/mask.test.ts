import { describe, expect, test } from 'vitest';
import { elide } from '../../src/policies/elide.ts';
import { mask } from '../../src/policies/mask.ts';
import type { Settings } from '../../src/policies/policy.ts';
import { replaySeen } from '../replay/run.ts';
import { sessionOf, type TurnShape } from '../sessions.ts';
import { make } from './defaults.ts';

/** One turn whose results have so many tokens; prompts 50, calls 30, replies 40. */
const turn = (...results: number[]): TurnShape => ({
  prompt: 50,
  reply: 40,
  rounds: results.map((result) => ({ call: 30, result })),
});
const many = (count: number, result: number) => turn(...Array.from({ length: count }, () => result));

function replay(turns: readonly TurnShape[], settings: Settings, options = {}) {
  return replaySeen(sessionOf(turns), { policy: make(mask, settings), ...options });
}

/** Per request, how many results are stubs of 8 tokens. */
function stubs(turns: readonly TurnShape[], settings: Settings, options = {}): number[] {
  return replay(turns, settings, options).seen.map(({ tokens }) => tokens.filter((size) => size === 8).length);
}

describe('what stays', () => {
  test('the newest uses', () => {
    expect(stubs([many(5, 500)], { keep_uses: 3 })).toEqual([0, 0, 0, 0, 1, 2]);
  });

  test('the newest turns, the current one counted', () => {
    const turns = [many(2, 500), many(2, 500), many(1, 500)];
    expect(stubs(turns, { keep_turns: 1 })).toEqual([0, 0, 0, 2, 2, 2, 4, 4]);
    expect(stubs(turns, { keep_turns: 2 })).toEqual([0, 0, 0, 0, 0, 0, 2, 2]);
  });

  test('the first prompt counted as the oldest result: one more must have come, and polling counts it too', () => {
    const counts = { first_prompt: 'counts', keep_uses: 2 };
    expect(stubs([many(6, 500)], counts)).toEqual([0, 0, 0, 1, 2, 3, 4]);
    // With m results the first floor((m + 1) / 4) · 4 - 2 - 1 go.
    expect(stubs([many(9, 500)], { ...counts, polling: 4 })).toEqual([0, 0, 0, 1, 1, 1, 1, 5, 5, 5]);
  });

  test('the newest rounds, whatever calls each of them makes', () => {
    expect(stubs([many(5, 500)], { keep_rounds: 3 })).toEqual([0, 0, 0, 0, 1, 2]);
    expect(stubs([many(9, 500)], { keep_rounds: 2, polling: 3 })).toEqual([0, 0, 0, 1, 1, 1, 4, 4, 4, 7]);
  });

  test('the newest part of the request, as a share of the window', () => {
    // Rounds of 530: 1,100 of 11,000 hold two results and what stands between and behind them.
    expect(stubs([many(5, 500)], { keep_window: 0.1 }, { limit: 11_000 })).toEqual([0, 0, 0, 1, 2, 3]);
    expect(stubs([many(5, 500)], { keep_window: 0.1 }, { limit: 10_290 })).toEqual([0, 0, 1, 2, 3, 4]);
  });

  test('results whose calls alone go', () => {
    const rounds = [200, 30, 300].map((call) => ({ call, result: 500 }));
    const settings = { inputs: 'only', min_input_chars: 100, keep_uses: 1, input_tokens: 9 };
    const { seen } = replay([{ prompt: 50, reply: 40, rounds }], settings);
    expect(seen.at(-1)?.tokens).toEqual([2000, 50, 9, 500, 30, 500, 300, 500]);
  });

  test('the newest messages', () => {
    expect(stubs([many(3, 500)], { keep_messages: 1 })).toEqual([0, 0, 1, 2]);
    expect(stubs([many(3, 500)], { keep_messages: 2 })).toEqual([0, 0, 1, 2]);
    expect(stubs([many(3, 500)], { keep_messages: 3 })).toEqual([0, 0, 0, 1]);
  });

  test('the newest tokens: results stay while what would be left is less', () => {
    expect(stubs([many(5, 500)], { keep_tokens: 1000 })).toEqual([0, 0, 0, 1, 2, 3]);
    expect(stubs([many(5, 500)], { keep_tokens: 1001 })).toEqual([0, 0, 0, 0, 1, 2]);
    expect(stubs([many(2, 500), many(2, 500)], { keep_tokens: 500, keep_turns: 1 })).toEqual([0, 0, 0, 1, 1, 1]);
  });

  test('SWE-agent: of 10 observations, polling 1 omits the indices 1 to 4, polling 4 the indices 1 and 2', () => {
    const results = Array.from({ length: 10 }, (_, index) => 500 + index);
    const omitted = (polling: number) => {
      const { seen } = replay([turn(...results)], { keep_first: 1, keep_uses: 5, polling });
      return results.flatMap((size, index) => (seen.at(-1)?.tokens.includes(size) ? [] : [index]));
    };
    expect(omitted(1)).toEqual([1, 2, 3, 4]);
    expect(omitted(4)).toEqual([1, 2]);
  });

  test('what the chosen tools leave out, which is not counted either', () => {
    const results = (['skill', 'view', 'ask', 'view'] as const).map((action) => ({ call: 30, result: 500, action }));
    const turns = [{ prompt: 50, reply: 40, rounds: results }];
    const last = (tools: string) =>
      replay(turns, { tools })
        .seen.at(-1)
        ?.tokens.slice(3)
        .filter((_, at) => at % 2 === 0);
    expect(last('all')).toEqual([8, 8, 8, 8]);
    expect(last('not-skills')).toEqual([500, 8, 8, 8]);
    expect(last('not-skills-or-answers')).toEqual([500, 8, 500, 8]);
    expect(last('files-shell-web')).toEqual([500, 8, 500, 8]);
    expect(last('web')).toEqual([500, 500, 500, 500]);
  });

  test('what would not shrink', () => {
    expect(stubs([turn(8, 9)], {})).toEqual([0, 1, 2]);
    expect(replay([turn(8, 9)], {}).edits).toBe(1);
    expect(stubs([turn(500, 600)], { min_chars: 1500 })).toEqual([0, 0, 1]);
  });
});

describe('when', () => {
  test('at a turn start it is elide, where the stub is the same', () => {
    const turns = [many(2, 500), many(2, 600), many(2, 700)];
    for (const recent of [0, 1]) {
      const ours = replay(turns, { when: 'turn-start', keep_turns: recent + 1, replacement: 'line' });
      const theirs = replaySeen(sessionOf(turns), { policy: make(elide, { recent_turns: recent }) });
      expect(ours.seen.map(({ tokens }) => tokens)).toEqual(theirs.seen.map(({ tokens }) => tokens));
    }
  });

  test('after a turn', () => {
    expect(stubs([many(2, 500), many(1, 500)], { when: 'turn-end' })).toEqual([0, 0, 0, 2, 2]);
  });

  test('cold: only after a pause of so many seconds', () => {
    const turns = [many(2, 500), { ...many(2, 500), pauseSeconds: 200 }, { ...many(1, 500), pauseSeconds: 4000 }];
    expect(stubs(turns, { when: 'cold', idle_seconds: 3600 })).toEqual([0, 0, 0, 0, 0, 0, 4, 4]);
    expect(stubs(turns, { when: 'cold', idle_seconds: 200 })).toEqual([0, 0, 0, 2, 2, 2, 4, 4]);
  });

  test('cold: by default after a pause that the cache entry did not survive', () => {
    const turns = [many(2, 500), { ...many(2, 500), pauseSeconds: 200 }, { ...many(1, 500), pauseSeconds: 400 }];
    expect(stubs(turns, { when: 'cold' })).toEqual([0, 0, 0, 0, 0, 0, 4, 4]);
    expect(stubs(turns, { when: 'cold' }, { ttl: '1h' })).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  });
});

describe('how much', () => {
  test('nothing at all while the gain is below min_gain', () => {
    // Each stub removes 492 tokens.
    expect(stubs([many(6, 500)], { min_gain: 984 })).toEqual([0, 0, 2, 2, 4, 4, 6]);
    expect(stubs([many(6, 500)], { min_gain: 985 })).toEqual([0, 0, 0, 3, 3, 3, 6]);
  });

  test('the trigger is the edited request, so it moves in batches; the raw one slides', () => {
    // Requests are 2050, then 530 more each.
    expect(stubs([many(6, 500)], { trigger: 3640 })).toEqual([0, 0, 0, 3, 3, 3, 6]);
    expect(stubs([many(6, 500)], { trigger: 3641 })).toEqual([0, 0, 0, 0, 4, 4, 4]);
    expect(stubs([many(6, 500)], { trigger: 3640, strict: 'yes' })).toEqual([0, 0, 0, 0, 4, 4, 4]);
    expect(stubs([many(6, 500)], { trigger: 3640, measure: 'raw' })).toEqual([0, 0, 0, 3, 4, 5, 6]);
  });

  test('hysteresis: above the trigger the oldest go until the target is reached', () => {
    const { seen } = replay([many(9, 500)], { trigger: 4000, target: 3000 });
    expect(seen.map(({ prompt }) => prompt)).toEqual([2050, 2580, 3110, 3640, 2694, 3224, 3754, 2808, 3338, 3868]);
  });

  test('at most so many results an edit', () => {
    expect(stubs([many(6, 500)], { measure: 'uses', trigger: 4, most: 2 })).toEqual([0, 0, 0, 0, 2, 2, 4]);
  });

  test('the best batch is √(2·b·P·g ÷ a) of what is written again', () => {
    const { edits, seen } = replay([many(60, 500)], { keep_uses: 5, batch: 'best' });
    expect(edits).toBeGreaterThan(30);
    const batches = seen.filter(({ prompt }, at) => prompt < (seen[at - 1]?.prompt ?? 0)).length;
    expect(batches).toBeGreaterThan(2);
    expect(batches).toBeLessThan(12);
  });
});

describe('what stands instead', () => {
  const last = (settings: Settings) => replay([turn(500)], settings).seen.at(-1)?.tokens;

  test('a placeholder, a line, or head and tail at the tokens per character of the result', () => {
    expect(last({ stub_tokens: 12 })).toEqual([2000, 50, 30, 12]);
    expect(last({ replacement: 'line' })).toEqual([2000, 50, 30, 10]);
    expect(last({ replacement: 'preview', preview_chars: 300 })).toEqual([2000, 50, 30, 108]);
  });

  test('the arguments of the call may go too', () => {
    expect(last({ inputs: 'clear' })).toEqual([2000, 50, 8, 8]);
  });

  test('a stub is the same block in every later request', () => {
    const { seen } = replay([many(4, 500)], { keep_uses: 1 });
    expect(new Set(seen.slice(2).map(({ ids }) => ids[3])).size).toBe(1);
  });

  test('once: the next request carries the result again', () => {
    const turns = [many(2, 500), { ...many(1, 500), pauseSeconds: 400 }];
    expect(stubs(turns, { when: 'cold', lasts: 'once' })).toEqual([0, 0, 0, 2, 0]);
    expect(stubs(turns, { when: 'cold' })).toEqual([0, 0, 0, 2, 2]);
  });
});

test('the next edit can be read up to the oldest result that is left', () => {
  const { seen } = replay([many(12, 500)], { keep_uses: 5 });
  // The last request stubs the result of the seventh call: six stubbed rounds and the call stand before it.
  expect(seen.at(-1)).toMatchObject({ read: 2050 + 6 * 38 + 30 });
});

test('where the provider cuts its cache too, everything else is still read', () => {
  const { seen } = replay([many(6, 500)], { keep_uses: 2, keeps_cache: 'yes' });
  // Before each request a call of 30 and a result of 500 are new; what was stubbed is gone from the cached prompt as well.
  for (const { prompt, read } of seen.slice(1)) expect(read).toBe(prompt - 530);
});

test('a call per stub: the pair goes in, the stub comes out', () => {
  const { calls, callCounts } = replay([many(4, 500)], { keep_uses: 1, call_tokens: 300, stub_tokens: 100 });
  expect(callCounts.fresh).toBe(3);
  expect(calls.map(({ usage }) => usage)).toMatchObject([{ fresh: 3 * (300 + 30 + 500), output: 300 }]);
});

test('a session of many results costs a handful of edits per result, whatever its length', () => {
  for (const count of [50, 500]) expect(replay([many(count, 500)], { keep_uses: 5 }).edits).toBe(count - 5);
});
