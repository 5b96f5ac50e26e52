import { expect, test } from 'vitest';
import { automaticProviders } from '../../../src/providers/cache/automatic-rules.ts';
import { cacheModels, defaultCacheModel } from '../../../src/providers/index.ts';
import type { RateCard } from '../../../src/providers/prices/rates.ts';
import { sonnet } from '../../sessions.ts';
import { Prompter } from './prompt.ts';

const card = (model: string, provider: string): RateCard => ({ ...sonnet, model, provider, chargesWrites: false });

// What of 5,000 common tokens is read: a multiple of the step, from the smallest prefix on.
test.each([
  ['gemini', 'gemini-2.5-pro', 5000, 2048],
  ['gemini', 'gemini-3.1-pro-preview', 5000, 4096],
  ['xai', 'grok-4.6', 4992, 128],
  ['moonshot', 'kimi-k2.5', 4864, 256],
  ['qwen', 'qwen4-max', 5000, 1024],
  ['glm', 'glm-5.3', 5000, 1],
  ['minimax', 'minimax-m3', 5000, 512],
  ['mistral', 'mistral-large-3', 4992, 16],
  ['openrouter', 'anything', 5000, 1024],
])('%s reads of %s: %d of 5,000 tokens, none below %d', (name, model, read, least) => {
  const cache = new Prompter(name, card(model, 'p'));
  cache.send([['a', 5000]]);
  expect(
    cache.send([
      ['a', 5000],
      ['b', 9],
    ]),
  ).toEqual({ read, write5m: 0, write1h: 0, fresh: 5009 - read });
  const short = new Prompter(name, card(model, 'p'));
  short.send([['a', least - 1]]);
  expect(
    short.send([
      ['a', least - 1],
      ['b', 9],
    ]).read,
  ).toBe(0);
});

test('a lifetime that is sold is as long as its name says, others as the rule says', () => {
  const read = (name: string, model: string, ttl: '5m' | '1h', seconds: number) => {
    const cache = new Prompter(name, card(model, 'p'));
    cache.send([['a', 5120]], { time: 0, ttl });
    return cache.send(
      [
        ['a', 5120],
        ['b', 9],
      ],
      { time: seconds, ttl },
    ).read;
  };
  expect([300, 301].map((seconds) => read('moonshot', 'kimi-k3', '5m', seconds))).toEqual([5120, 0]);
  expect([3600, 3601].map((seconds) => read('moonshot', 'kimi-k3', '1h', seconds))).toEqual([5120, 0]);
  expect([600, 601].map((seconds) => read('xai', 'grok-4.6', '1h', seconds))).toEqual([5120, 0]);
});

test('a mode without a price of writes bills none, although the model has one', () => {
  const cache = new Prompter('minimax', { ...card('minimax-m2.7', 'minimax'), chargesWrites: true });
  expect(cache.send([['a', 5000]])).toEqual({ read: 0, write5m: 0, write1h: 0, fresh: 5000 });
});

test('every provider of prices has the cache of its own, and the others the ideal one', () => {
  const names = [
    'anthropic',
    'openai',
    'google',
    'deepseek',
    'x-ai',
    'moonshotai',
    'zai',
    'minimax',
    'mistral',
    'cohere',
    'custom',
  ];
  expect(names.map((provider) => defaultCacheModel({ provider }).name)).toEqual([
    'anthropic',
    'openai',
    'gemini',
    'deepseek',
    'xai',
    'moonshot',
    'glm',
    'minimax',
    'mistral',
    'ideal',
    'ideal',
  ]);
});

test('every rule says where it is from, of what day, and what of it is assumed', () => {
  for (const { rules, name } of automaticProviders) {
    for (const { source, asOf, assumed } of rules) {
      expect(source.length, name).toBeGreaterThan(5);
      expect(asOf).toMatch(/^202\d-\d\d-\d\d$/);
      expect(assumed.length).toBeGreaterThan(5);
    }
  }
  for (const cache of cacheModels.all) {
    for (const model of cache.examples) {
      const { notes, ttls } = cache.rulesFor({ model, provider: cache.providers?.[0] ?? '', chargesWrites: false });
      expect(notes.length, cache.name).toBeGreaterThan(0);
      expect(ttls).toContain(ttls.includes('never') ? 'never' : ttls[0]);
      for (const { source, value } of notes) expect(source.length * value.length).toBeGreaterThan(0);
    }
  }
});
