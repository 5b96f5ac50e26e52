import { describe, expect, test } from 'vitest';
import { parseUsage, settleUsage } from '../../../src/formats/claude-code/usage.ts';
import { assistant, read, text, usage, user } from './transcript.ts';

function settle(recorded: Record<string, unknown>) {
  const odd: string[] = [];
  const note = (kind: string, detail?: string) => odd.push(detail === undefined ? kind : `${kind}:${detail}`);
  const settled = settleUsage(parseUsage(recorded, note), note);
  return { settled, usage: settled?.usage, odd };
}

describe('the lifetime of cache writes (vector 14)', () => {
  test('is that of the split', () => {
    expect(settle(usage(1, 2, 3, 40, 50))).toMatchObject({
      usage: { fresh: 1, output: 2, cacheRead: 3, cacheWrite5m: 40, cacheWrite1h: 50 },
      odd: [],
    });
  });

  test('without a split, and with one of zeros, counts as five minutes and is said', () => {
    const total = { ...usage(1, 2), cache_creation_input_tokens: 90 };
    expect(settle(total)).toMatchObject({ usage: { cacheWrite5m: 90, cacheWrite1h: 0 }, odd: ['write-ttl-unknown'] });
    expect(settle({ ...total, cache_creation: null }).odd).toEqual(['write-ttl-unknown']);
  });

  test('a split of zeros beside no writes proves nothing and is no finding', () => {
    expect(settle(usage(5, 1, 7)).odd).toEqual([]);
  });

  test('a split that explains less than the total is said; the rest counts as five minutes', () => {
    const recorded = { ...usage(1, 2, 0, 10, 20), cache_creation_input_tokens: 100 };
    expect(settle(recorded)).toMatchObject({
      usage: { cacheWrite5m: 80, cacheWrite1h: 20 },
      odd: ['write-split-mismatch'],
    });
  });

  test('a split without a total is the total', () => {
    const recorded = { ...usage(1, 2, 0, 10, 20), cache_creation_input_tokens: null };
    expect(settle(recorded)).toMatchObject({ usage: { cacheWrite5m: 10, cacheWrite1h: 20 }, odd: [] });
  });
});

describe('counts (vector 28)', () => {
  test.each([[-5], [Number.NaN], ['x'], [1.5], [{}], [2 ** 60], [true]])('%j is none, and a finding', (value) => {
    const { usage: settled, odd } = settle({ input_tokens: value, output_tokens: 3 });
    expect(settled?.fresh).toBe(0);
    expect(odd).toEqual(['bad-count:input_tokens']);
  });

  test('more output than any model gives is none', () => {
    expect(settle({ input_tokens: 1, output_tokens: 1_000_001 }).odd).toEqual(['bad-count:output_tokens']);
    expect(settle({ input_tokens: 1, output_tokens: 1_000_000 }).odd).toEqual([]);
  });

  test('that add up to more than a request can hold are none', () => {
    expect(settle(usage(2e9, 1, 2e9))).toMatchObject({ settled: undefined, odd: ['impossible-usage'] });
    const beside = [usage(1, 1), { ...usage(2e9, 1, 2e9), type: 'advisor' }];
    expect(settle({ ...usage(1, 1), iterations: beside })).toMatchObject({
      settled: undefined,
      odd: ['impossible-usage'],
    });
  });

  test('one makes the whole usage unknown: a zero in its place would be a bill', () => {
    const line = JSON.stringify(assistant('a1', 'u1', 'm1', text('a'), usage(7, 2))).replace(
      '"output_tokens":2',
      '"output_tokens":1e400',
    );
    const { session, counts } = read([user('u1', null, 'go'), line]);
    expect(session.requests).toHaveLength(1);
    expect(session.requests[0]).not.toHaveProperty('usage');
    expect(counts).toEqual({ 'bad-count:output_tokens': 1, 'usage-missing': 1 });
  });

  test('as text are read, and said', () => {
    expect(settle({ input_tokens: '12', output_tokens: 3 })).toMatchObject({
      usage: { fresh: 12 },
      odd: ['count-as-text:input_tokens'],
    });
  });

  test('null is absent', () => {
    expect(settle({ input_tokens: null, output_tokens: 3, cache_creation: null })).toMatchObject({
      usage: { fresh: 0, output: 3 },
      odd: [],
    });
  });

  test('cached tokens of compatible endpoints are part of their input', () => {
    expect(settle({ input_tokens: 100, output_tokens: 3, cached_tokens: 80 }).usage).toMatchObject({
      fresh: 20,
      cacheRead: 80,
    });
  });

  test('nothing counted is no usage, and said', () => {
    const { session, counts } = read([user('u1', null, 'go'), assistant('a1', 'u1', 'm1', text('a'), usage(0, 0))]);
    expect(session.requests).toHaveLength(1);
    expect(session.requests[0]).not.toHaveProperty('usage');
    expect(counts).toEqual({ 'usage-missing': 1 });
  });
});

describe('iterations (vector 16)', () => {
  const pass = (type: string, recorded: Record<string, unknown>, model?: string) => ({
    ...recorded,
    type,
    ...(model ? { model } : {}),
  });
  const first = pass('message', usage(1, 11, 100, 0, 9));
  const advice = pass('advisor_message', usage(150, 70), 'claude-advisor');
  const last = pass('message', usage(1, 4, 109, 30, 0));
  const total = { ...usage(2, 15, 209, 0, 9), cache_creation_input_tokens: 39, iterations: [first, advice, last] };

  test('the last pass is the request, with all the output; the input of the others is billed beside it', () => {
    const { settled, odd } = settle(total);
    expect(settled).toEqual({
      usage: { fresh: 1, cacheRead: 109, cacheWrite5m: 30, cacheWrite1h: 0, output: 15 },
      extras: [
        { model: undefined, usage: { fresh: 1, cacheRead: 100, cacheWrite5m: 0, cacheWrite1h: 9, output: 0 } },
        { model: 'claude-advisor', usage: { fresh: 150, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 70 } },
      ],
    });
    expect(odd).toEqual([]);
  });

  test('a total that holds the other passes is not billed for them twice', () => {
    const inclusive = { ...usage(152, 85, 209, 30, 9), iterations: [first, advice, last] };
    expect(settle(inclusive).usage).toEqual({
      fresh: 1,
      cacheRead: 109,
      cacheWrite5m: 30,
      cacheWrite1h: 0,
      output: 15,
    });
  });

  test('a total that no sum explains stands, and is said', () => {
    expect(settle({ ...usage(999, 1), iterations: [first, last] })).toMatchObject({
      usage: { fresh: 999 },
      odd: ['iterations-mismatch'],
    });
  });

  test('one pass is the response itself', () => {
    expect(settle({ ...usage(7, 8), iterations: [pass('message', usage(7, 8))] })).toMatchObject({
      usage: { fresh: 7 },
      odd: [],
    });
  });

  test('in a session the advice is billed apart, and the doubled prompt is not taken for a shrinking one', () => {
    const { session, counts } = read([
      user('u1', null, 'go'),
      assistant('a1', 'u1', 'm1', text('a'), total),
      user('u2', 'a1', 'more'),
      assistant('a2', 'u2', 'm2', text('b'), usage(1, 2, 139, 5, 0)),
    ]);
    expect(session.abandoned).toEqual([
      { model: 'claude-x', usage: { fresh: 1, cacheRead: 100, cacheWrite5m: 0, cacheWrite1h: 9, output: 0 } },
      { model: 'claude-advisor', usage: { fresh: 150, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 70 } },
    ]);
    expect(session.requests).toHaveLength(2);
    expect(counts).toEqual({});
  });
});

describe('a model that refused, and another that took over', () => {
  const pass = (type: string, model: string, input: number, output: number, read = 0) => ({
    ...usage(input, output, read),
    type,
    model,
  });
  const total = (input: number, output: number, ...iterations: object[]) => ({ ...usage(input, output), iterations });
  const settledBy = (recorded: Record<string, unknown>) => {
    const { settled, odd } = settle(recorded);
    return { ...settled, odd };
  };
  const tokens = (fresh: number, output: number) => ({ fresh, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output });

  test('the top level is the attempt that served; a refusal without output is free', () => {
    const recorded = total(412, 264, pass('message', 'x', 408, 0), pass('fallback_message', 'y', 412, 264));
    expect(settledBy(recorded)).toEqual({ usage: tokens(412, 264), extras: [], odd: [] });
  });

  test('what the refused attempt wrote is billed at its own model', () => {
    const recorded = total(412, 264, pass('message', 'x', 408, 30), pass('fallback_message', 'y', 412, 264));
    expect(settledBy(recorded)).toEqual({
      usage: tokens(412, 264),
      extras: [{ model: 'x', usage: tokens(408, 30) }],
      odd: [],
    });
  });

  test('also where the top level counts both, and where two fell back', () => {
    const both = total(820, 294, pass('message', 'x', 408, 30), pass('fallback_message', 'y', 412, 264));
    expect(settledBy(both)).toEqual({
      usage: tokens(412, 264),
      extras: [{ model: 'x', usage: tokens(408, 30) }],
      odd: [],
    });
    const two = [
      pass('message', 'x', 408, 0),
      pass('fallback_message', 'y', 410, 0),
      pass('fallback_message', 'z', 412, 9),
    ];
    expect(settledBy(total(412, 9, ...two))).toEqual({ usage: tokens(412, 9), extras: [], odd: [] });
  });

  test('a fallback that went on after a tool of the server is one request with two passes', () => {
    const passes = [
      pass('message', 'x', 408, 0),
      pass('fallback_message', 'y', 412, 20),
      pass('advisor_message', 'w', 90, 5),
      pass('fallback_message', 'y', 500, 30),
    ];
    expect(settledBy(total(912, 50, ...passes))).toEqual({
      usage: tokens(500, 50),
      extras: [
        { model: 'y', usage: tokens(412, 0) },
        { model: 'w', usage: tokens(90, 5) },
      ],
      odd: [],
    });
  });
});

test('a count that cannot be is left out, and what it said is counted', () => {
  const { session, findings } = read([
    user('u1', null, 'go'),
    assistant('a1', 'u1', 'm1', text('a'), usage(500, 3_000_000)),
    user('u2', 'a1', 'more'),
    assistant('a2', 'u2', 'm2', text('b'), usage(520, 7)),
  ]);
  expect(session.requests.map(({ usage: it }) => it?.output)).toEqual([undefined, 7]);
  expect(findings.list()).toContainEqual({
    kind: 'usage-missing',
    detail: '',
    count: 1,
    first: 'S.jsonl:2',
    tokens: { input: 500, output: 3_000_000 },
  });
});

test('fast mode, other tiers and search fees are said (vector 17)', () => {
  const recorded = {
    ...usage(1, 2),
    speed: 'fast',
    service_tier: 'batch',
    inference_geo: 'us',
    server_tool_use: { web_search_requests: 2 },
  };
  expect(settle(recorded).odd).toEqual(['speed:fast', 'service-tier:batch', 'inference-geo:us', 'web-search-fee']);
  expect(settle({ ...usage(1, 2), speed: 'standard', service_tier: 'standard', inference_geo: 'global' }).odd).toEqual(
    [],
  );
});

test('prompt-shrank counts a smaller prompt without a marker (vector 9), and only that', () => {
  const answer = (uuid: string, parent: string, id: string, prompt: number, model = 'claude-x') =>
    assistant(uuid, parent, id, undefined, undefined, {
      message: { id, model, content: [text(id)], usage: usage(prompt, 5) },
    });
  const { findings } = read([
    user('u1', null, 'a'),
    answer('a1', 'u1', 'm1', 900),
    user('u2', 'a1', 'b'),
    answer('a2', 'u2', 'm2', 300),
    user('u3', 'a2', 'c'),
    answer('a3', 'u3', 'm3', 200, 'claude-y'),
  ]);
  expect(findings.list()).toEqual([{ kind: 'prompt-shrank', detail: '', count: 1, first: 'S.jsonl:4' }]);
});
