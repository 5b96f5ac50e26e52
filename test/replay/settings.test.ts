import { describe, expect, test } from 'vitest';
import { full } from '../../src/policies/full.ts';
import { SessionBuilder } from '../../src/session/builder.ts';
import { writeNative } from '../../src/session/native.ts';
import type { RequestSettings } from '../../src/session/session.ts';
import { size, sonnet } from '../sessions.ts';
import { replaySeen } from './run.ts';

/** Tools of 1,500 tokens, a system part of 1,500, then a prompt of 1,000 before each request. */
function session(settings: readonly (RequestSettings | undefined)[], seconds: readonly number[] = []) {
  const builder = new SessionBuilder();
  builder.block({ kind: 'tools', size: size(1500) });
  builder.block({ kind: 'system', size: size(1500) });
  settings.forEach((each, at) => {
    builder.turn();
    builder.block({ kind: 'prompt', size: size(1000) });
    builder.request({ time: (seconds[at] ?? at * 10) * 1000, ...(each ? { settings: each } : {}) });
  });
  return builder.build({ id: 's', content: 'sizes', tokenizer: 'model', model: 'claude-sonnet-4-5' });
}

const reads = (
  settings: readonly (RequestSettings | undefined)[],
  { cache = 'anthropic', planner = 'claude-code', seconds = [] as readonly number[], card = sonnet } = {},
) =>
  replaySeen(session(settings, seconds), { policy: () => full.create({}), cache, planner, card }).seen.map(
    ({ read }) => read,
  );

describe('blocks that others keep warm', () => {
  const warm = (settings: readonly (RequestSettings | undefined)[]) =>
    replaySeen(
      { ...session(settings, [0, 4000, 8000]), warmBlocks: 2 },
      { policy: () => full.create({}), cache: 'anthropic', planner: 'claude-code', card: sonnet },
    ).seen.map(({ read }) => read);

  test('are read at every request, after any pause', () => {
    expect(warm([{ effort: 'a' }, { effort: 'a' }, { effort: 'a' }])).toEqual([3000, 3000, 3000]);
  });

  test('are known by the settings that the session began with: under others only what stands before their reach', () => {
    expect(warm([{ effort: 'a' }, { effort: 'b' }, { effort: 'a' }])).toEqual([3000, 0, 3000]);
    expect(warm([{ speed: 'a' }, { speed: 'b' }, { speed: 'b' }])).toEqual([3000, 1500, 1500]);
    expect(warm([{ toolChoice: 'a' }, { toolChoice: 'b' }, {}])).toEqual([3000, 3000, 3000]);
  });
});

describe('a setting that changes, under the rules of Anthropic', () => {
  // Markers behind the tools, behind the system part and on the last block.
  test.each([
    ['tools', [0, 0, 5000]],
    ['effort', [0, 0, 5000]],
    ['thinking', [0, 0, 5000]],
    ['speed', [0, 1500, 5000]],
    ['toolChoice', [0, 3000, 5000]],
  ] as const)('%s', (name, expected) => {
    expect(reads([{ [name]: 'a' }, { [name]: 'b' }, { [name]: 'b' }])).toEqual(expected);
  });

  test('the old value again finds the old entries while they live', () => {
    const values = ['a', 'b', 'a'].map((effort) => ({ effort }));
    expect(reads(values)).toEqual([0, 0, 4000]);
    expect(reads(values, { seconds: [0, 200, 301] })).toEqual([0, 0, 0]);
  });

  test('a setting that is not named goes on, and before it was first named it was the same', () => {
    expect(reads([undefined, { effort: 'high' }, undefined, { speed: 'fast' }, { effort: 'low' }])).toEqual([
      0, 4000, 5000, 6000, 0,
    ]);
  });

  test('two that change at once reach as far as the further one', () => {
    expect(
      reads([
        { speed: 'a', toolChoice: 'a' },
        { speed: 'b', toolChoice: 'b' },
      ]),
    ).toEqual([0, 1500]);
  });
});

test('other providers go by what they are known by: OpenAI by the effort, a self-hosted server by nothing but words', () => {
  const values = ['a', 'b'].map((effort) => ({ effort }));
  const gpt = { ...sonnet, model: 'gpt-5.4', provider: 'openai', chargesWrites: false };
  expect(reads(values, { cache: 'openai', card: gpt })).toEqual([0, 0]);
  expect(reads([{ toolChoice: 'a' }, { toolChoice: 'b' }], { cache: 'openai', card: gpt })).toEqual([0, 3968]);
  expect(reads(values, { cache: 'sglang' })).toEqual([0, 4000]);
});

test('a switch of the model finds nothing, and the way back finds what is alive', () => {
  const switched = session([undefined, undefined, undefined]);
  const models = ['claude-sonnet-4-5', 'claude-opus-4-5', 'claude-sonnet-4-5'];
  const requests = switched.requests.map((request, at) => ({ ...request, model: models[at] as string }));
  const { seen } = replaySeen({ ...switched, requests }, { policy: () => full.create({}), planner: 'claude-code' });
  expect(seen.map(({ read }) => read)).toEqual([0, 0, 4000]);
});

test('the native format carries them', () => {
  expect([...writeNative(session([{ effort: 'high', tools: 'v2' }]))].at(-1)).toBe(
    '{"type":"request","time":"1970-01-01T00:00:00.000Z","settings":{"effort":"high","tools":"v2"}}',
  );
});
