import { describe, expect, it } from 'vitest';
import { TokenCounter } from '../../../src/formats/codex/usage.ts';
import { type Tokens, tokens } from './rollout.ts';

/** [fresh, read, written, output] of every request that a series of infos tells of, and what was found. */
function countAll(infos: readonly unknown[]) {
  const counter = new TokenCounter();
  const found: string[] = [];
  const counted = infos.flatMap(
    (info) => counter.next(info, (kind, detail) => found.push(detail ? `${kind} ${detail}` : kind)) ?? [],
  );
  const usage = counted.map(({ usage: it }) => [it.fresh, it.cacheRead, it.cacheWrite5m, it.output]);
  return { usage, found, counted };
}

const info = (last: Tokens | undefined, total?: Tokens, window = 258_400) => ({
  ...(total && { total_token_usage: tokens(total) }),
  ...(last && { last_token_usage: tokens(last) }),
  model_context_window: window,
});

describe('token_count', () => {
  it('splits input into exclusive classes and leaves reasoning inside output', () => {
    const { usage, counted } = countAll([info([100, 60, 10, 7, 15], [100, 60, 10, 7, 15])]);
    expect(usage).toEqual([[25, 60, 15, 10]]);
    expect(counted[0]?.reasoning).toBe(7);
  });

  it.each([
    ['where it is stated', [info([100, 0, 1_000_001], undefined, 0)]],
    ['where the total is the request', [info(undefined, [100, 0, 2e9])]],
    ['where the total moved by it', [info([100, 0, 1], [100, 0, 1]), info(undefined, [200, 0, 2e9])]],
    ['in the prompt', [info(undefined, [3e9, 0, 1])]],
  ])('is no request with more tokens than one can have, %s', (_, infos) => {
    const { usage, found } = countAll(infos);
    expect(usage).toHaveLength(infos.length - 1);
    expect(found).toContain('impossible-usage');
  });

  it('cuts reasoning that is more than the output it lies in', () => {
    const { counted, found } = countAll([info([100, 0, 10, 2e9])]);
    expect(counted).toMatchObject([{ reasoning: 10, usage: { output: 10 } }]);
    expect(found).toEqual(['clamped-usage reasoning_output_tokens']);
  });

  it('passes over a null info', () => {
    expect(countAll([null, undefined, 'x', info([100, 0, 10], [100, 0, 10]), null]).usage).toEqual([[100, 0, 0, 10]]);
  });

  it('counts an identical info once', () => {
    const one = info([100, 0, 10], [100, 0, 10]);
    expect(countAll([one, one, structuredClone(one)]).usage).toHaveLength(1);
  });

  it('counts an identical info once when there is no total, and the same numbers again later', () => {
    expect(countAll([info([100, 0, 10]), info([100, 0, 10]), info([5, 0, 1]), info([100, 0, 10])]).usage).toHaveLength(
      3,
    );
  });

  it('knows a repeat behind a null info, too', () => {
    expect(countAll([info([100, 0, 10]), null, info([100, 0, 10])]).usage).toHaveLength(1);
  });

  it('takes the movement of the total where last is all zeros', () => {
    expect(countAll([info([100, 0, 10], [100, 0, 10]), info([0, 0, 0], [150, 20, 15])]).usage[1]).toEqual([
      30, 20, 0, 5,
    ]);
  });

  it('passes over an unchanged total whose last differs', () => {
    const { usage, found } = countAll([
      info([100, 0, 10], [100, 0, 10]),
      info([0, 0, 0], [100, 0, 10]),
      info([70, 0, 3], [100, 0, 10]),
    ]);
    expect(usage).toHaveLength(1);
    expect(found).toEqual([]);
  });

  it('adds up the last usages, not the totals', () => {
    const { usage, found } = countAll([
      info([100, 0, 10], [100, 0, 10]),
      info([120, 100, 20], [220, 100, 30]),
      info([150, 120, 5], [370, 220, 35]),
    ]);
    expect(usage).toEqual([
      [100, 0, 0, 10],
      [20, 100, 0, 20],
      [30, 120, 0, 5],
    ]);
    expect(found).toEqual([]);
  });

  it('takes the movement of the total where it is smaller than last, and says so', () => {
    const { usage, found } = countAll([info([100, 0, 10], [100, 0, 10]), info([900, 0, 90], [150, 20, 15])]);
    expect(usage[1]).toEqual([30, 20, 0, 5]);
    expect(found).toEqual(['usage-mismatch']);
  });

  it('takes last where the total moved by more', () => {
    expect(countAll([info([100, 0, 10], [100, 0, 10]), info([50, 0, 5], [900, 0, 90])]).usage[1]).toEqual([
      50, 0, 0, 5,
    ]);
  });

  it('takes last where a part of the total moved backwards', () => {
    expect(countAll([info([100, 50, 10], [100, 50, 10]), info([80, 0, 5], [150, 20, 15])]).usage[1]).toEqual([
      80, 0, 0, 5,
    ]);
  });

  it('ignores a total that is a little lower: an old event that came late', () => {
    const { usage, found } = countAll([
      info([1000, 0, 0], [1000, 0, 0]),
      info([990, 0, 0], [990, 0, 0]),
      info([100, 0, 0], [1100, 0, 0]),
    ]);
    expect(usage).toEqual([
      [1000, 0, 0, 0],
      [100, 0, 0, 0],
    ]);
    expect(found).toEqual(['stale-usage']);
  });

  it('starts anew at a total that is much lower', () => {
    const { usage, found } = countAll([
      info([1000, 0, 0], [1000, 0, 0]),
      info([300, 0, 9], [300, 0, 9]),
      info([400, 0, 1], [700, 0, 10]),
    ]);
    expect(usage).toEqual([
      [1000, 0, 0, 0],
      [300, 0, 0, 9],
      [400, 0, 0, 1],
    ]);
    expect(found).toEqual(['usage-reset']);
  });

  it('takes the total of a resumed session as the baseline', () => {
    const { usage, found } = countAll([
      info([100, 90, 10], [90_100, 70_090, 910]),
      info([120, 100, 5], [90_220, 70_190, 915]),
    ]);
    expect(usage).toEqual([
      [10, 90, 0, 10],
      [20, 100, 0, 5],
    ]);
    expect(found).toEqual(['resumed-total']);
  });

  it('takes the movement where there is no last', () => {
    const { usage, found } = countAll([info(undefined, [100, 0, 10]), info(undefined, [250, 50, 15])]);
    expect(usage).toEqual([
      [100, 0, 0, 10],
      [100, 50, 0, 5],
    ]);
    expect(found).toEqual(['usage-mismatch']);
  });

  it('cuts cached and written tokens to the input, and says so', () => {
    const { usage, found } = countAll([
      info([100, 130, 10], [100, 130, 10]),
      info([100, 80, 10, 0, 50], [200, 210, 20, 0, 50]),
    ]);
    expect(usage).toEqual([
      [0, 100, 0, 10],
      [0, 80, 20, 10],
    ]);
    expect(found).toEqual(['clamped-usage cached_input_tokens', 'clamped-usage cache_write_input_tokens']);
  });

  it('leaves out a request that is larger than the window, and goes on from its total', () => {
    const { usage, found } = countAll([
      info([100, 0, 10], [100, 0, 10], 570_000),
      info([4_280_000, 0, 10], [4_280_100, 0, 20], 570_000),
      info([200, 0, 5], [4_280_300, 0, 25], 570_000),
    ]);
    expect(usage).toEqual([
      [100, 0, 0, 10],
      [200, 0, 0, 5],
    ]);
    expect(found).toEqual(['impossible-usage']);
  });

  it('does not believe a tiny window, and allows for the 5 % that Codex takes off', () => {
    expect(countAll([info([50_000, 0, 10], [50_000, 0, 10], 2_432)]).usage).toHaveLength(1);
    expect(countAll([info([270_000, 0, 10], [270_000, 0, 10])]).usage).toHaveLength(1);
  });

  it('reads strings, takes null for absent, and takes a count that cannot be for no count of the request at all', () => {
    const { usage, found } = countAll([
      { last_token_usage: { input_tokens: '100', cached_input_tokens: '-5', output_tokens: Number.POSITIVE_INFINITY } },
      { last_token_usage: { input_tokens: 10, cached_input_tokens: Number.NaN, output_tokens: 'many' } },
      { last_token_usage: { input_tokens: [3], output_tokens: {} } },
      { last_token_usage: { input_tokens: '10.7', output_tokens: 1 } },
      { last_token_usage: { input_tokens: null, output_tokens: 4 } },
      { last_token_usage: { input_tokens: 20, cached_input_tokens: 10 ** 15, output_tokens: 4 } },
    ]);
    expect(usage).toEqual([
      [10, 0, 0, 1],
      [0, 0, 0, 4],
    ]);
    const kinds = found.map((it) => it.split(' ')[0]);
    expect(kinds.filter((kind) => kind === 'bad-number')).toHaveLength(7);
    expect(kinds.filter((kind) => kind === 'count-as-text')).toHaveLength(2);
    expect(found).toHaveLength(9);
  });

  it('goes by the movement of the total where the count of the request cannot be', () => {
    const damaged = info([-1, 0, 10], [300, 0, 25]);
    expect(countAll([info([100, 0, 10], [100, 0, 10]), damaged]).usage).toEqual([
      [100, 0, 0, 10],
      [200, 0, 0, 15],
    ]);
  });

  it('gives copies the same key and other requests other keys', () => {
    const series = [
      info([100, 0, 10], [100, 0, 10]),
      info([100, 0, 10], [200, 0, 20]),
      info([100, 90, 10], [300, 90, 30]),
    ];
    const keys = countAll(series).counted.map((it) => it.key);
    expect(new Set(keys).size).toBe(3);
    expect(countAll(series).counted.map((it) => it.key)).toEqual(keys);
    const bare = [info([100, 0, 10]), info([5, 0, 1]), info([100, 0, 10])];
    expect(new Set(countAll(bare).counted.map((it) => it.key)).size).toBe(3);
  });
});
