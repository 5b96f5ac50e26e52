import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { resultSchema } from '../../src/results/result.ts';
import { writeNative } from '../../src/session/native.ts';
import { sessionOf } from '../sessions.ts';
import { tempFolder } from '../temp.ts';
import { ctxsim } from './run.ts';

const folder = tempFolder();
const turns = [1, 2, 3].map(() => ({ prompt: 200, reply: 100, rounds: [{ call: 50, result: 4000 }] }));
const session = { ...sessionOf(turns), model: 'claude-sonnet-4-5' };
writeFileSync(join(folder, 's.jsonl'), [...writeNative(session)].join('\n'));

const args = (...flags: string[]) => ['replay', 's.jsonl', '--policy', 'elide', ...flags];
const resultOf = async (...flags: string[]) => {
  const { out, err } = await ctxsim(folder, [...args(...flags), '--format', 'json']);
  return resultSchema.parse(JSON.parse(out || err));
};

test('lists of models, lifetimes and planners are replayed in every combination, each against its own baseline', async () => {
  const result = await resultOf('--ttl', '5m,1h', '--breakpoints', 'anchor,tail');
  expect(result.rows.map(({ label, ttl, breakpoints }) => [label, ttl, breakpoints])).toEqual(
    ['5m', '1h'].flatMap((ttl) =>
      ['anchor', 'tail'].flatMap((breakpoints) =>
        ['full', 'elide'].map((policy) => [`${policy} [ttl=${ttl},breakpoints=${breakpoints}]`, ttl, breakpoints]),
      ),
    ),
  );
  for (const [index, ttl] of ['5m', '1h'].entries()) {
    const [full, elided] = (await resultOf('--ttl', ttl, '--breakpoints', 'tail')).rows;
    expect(result.rows[4 * index + 2]?.cost).toEqual(full?.cost);
    expect(result.rows[4 * index + 3]?.saving).toBe(elided?.saving);
  }
  expect(Object.keys(result.sessions[0]?.cost ?? {})).toEqual(result.rows.map(({ label }) => label));
  expect(result.answer.split('\n')).toHaveLength(4);
  expect(result.assumptions.ttl).toBe('1h, 5m');
});

test('a value that is named twice is replayed once', async () => {
  expect((await resultOf('--ttl', '5m,5m', '--model', 'claude-sonnet-4-5,claude-sonnet-4-5')).rows).toHaveLength(2);
});

test('the same sessions as other models are cached by the rules of each, and priced at its rates', async () => {
  const { rows } = await resultOf('--model', 'claude-sonnet-4-5,gpt-5.5,deepseek-v4-pro,grok-4.6');
  expect(rows.filter(({ isBaseline }) => isBaseline).map(({ model, cache }) => [model, cache])).toEqual([
    ['claude-sonnet-4-5', 'anthropic'],
    ['gpt-5.5', 'openai'],
    ['deepseek-v4-pro', 'deepseek'],
    ['grok-4.6', 'xai'],
  ]);
});

test('a note that does not hold for every setting names those for which it does', async () => {
  const { assumptions } = await resultOf('--model', 'claude-sonnet-4-5,gpt-5.5');
  const of = (start: string) => assumptions.notes.filter((note) => note.startsWith(start)).length;
  expect([of('Recorded replies'), of('model=gpt-5.5: Cache "openai"')]).toEqual([1, 2]);
});

test.each([
  [['--ttl', '5m,2h'], '--ttl 2h: no such lifetime'],
  [['--breakpoints', 'anchor,tial'], 'unknown breakpoint planner "tial"'],
  [['--model', 'gpt-5.5', '--ttl', '1h'], 'has no such lifetime for gpt-5.5'],
  [['--model', 'gpt-5.5', '--breakpoints', 'tail'], 'takes no markers'],
  [['--cache', 'openai'], 'holds models of openai, and claude-sonnet-4-5 is sold by anthropic'],
  [['--model', 'gpt-5.6-sol', '--cache', 'anthropic'], 'holds models of anthropic'],
  [['--cache', 'vllm:capacity=3'], 'is no capacity'],
  [['--model', 'deepseek-v4-pro', '--ttl', '5m'], 'the deepseek cache has no such lifetime for deepseek-v4-pro'],
  [
    ['--model', 'gemini-2.5-pro', '--cache', 'gemini-explicit', '--ttl', '5m'],
    'the gemini-explicit cache has no such lifetime for gemini-2.5-pro (60 minutes from creation',
  ],
  [
    ['--model', 'gemini-4-argon', '--cache', 'gemini-explicit'],
    '--cache gemini-explicit: no price is known for the storage of gemini-4-argon',
  ],
])('%s is refused with the rule', async (flags, message) => {
  const { status, out, err } = await ctxsim(folder, args(...flags));
  expect({ status, out }).toEqual({ status: 2, out: '' });
  expect(err).toContain(message);
});

test('a table of several settings has a column for what differs, and an answer for each', async () => {
  const { out } = await ctxsim(folder, args('--ttl', '5m,1h'));
  expect(
    out
      .split('\n')
      .slice(0, 2)
      .map((line) => line.slice(0, 7)),
  ).toEqual(['ttl=5m:', 'ttl=1h:']);
  expect(out).toMatch(/│ policy +│ TTL │/);
});

test('service tiers and regions are settings like the others: each has its own bills, and says so', async () => {
  const result = await resultOf(
    '--model',
    'claude-opus-5',
    '--service-tier',
    'standard,batch',
    '--region',
    'global,us',
  );
  const bases = result.rows.filter(({ isBaseline }) => isBaseline);
  expect(bases.map(({ label, serviceTier, region }) => [label, serviceTier, region])).toEqual(
    ['standard', 'batch'].flatMap((tier) =>
      ['global', 'us'].map((region) => [`full [service-tier=${tier},region=${region}]`, tier, region]),
    ),
  );
  const [standard = 0, us, batch, both] = bases.map(({ cost }) => cost.total ?? Number.NaN);
  expect([us, batch, both].map((cost) => (cost ?? 0) / standard)).toEqual([
    expect.closeTo(1.1, 9),
    expect.closeTo(0.5, 9),
    expect.closeTo(0.55, 9),
  ]);
  expect(result.assumptions).toMatchObject({ serviceTier: 'batch, standard', region: 'global, us' });
  expect(result.assumptions.notes.join('\n')).toMatch(
    /service-tier=batch.*: Price of claude-opus-5: batch at 0\.5 times/,
  );
  // Every class costs the same factor: what a policy saves stays what it is.
  const savings = result.rows.filter(({ isBaseline }) => !isBaseline).map(({ saving }) => saving ?? 0);
  for (const saving of savings) expect(saving).toBeCloseTo(savings[0] ?? 0, 9);
});

test('a tier and a region stand in the header only where they are not the usual ones', async () => {
  const batch = await ctxsim(folder, args('--service-tier', 'batch', '--region', 'regional'));
  expect(batch.out).toContain('TTL recorded · tier batch · region regional · prices');
  expect((await ctxsim(folder, args())).out).toContain('TTL recorded · prices');
});

test.each([
  [
    ['--service-tier', 'fast'],
    '--service-tier fast: anthropic has it for Claude Opus 4.8 and 5; Opus 5.5, not for claude-sonnet-4-5',
  ],
  [['--model', 'claude-opus-5,gpt-5.5', '--region', 'us'], '--region us: no such price of openai is known'],
  [['--service-tier', 'cheap'], '--service-tier cheap: no such service tier'],
  [['--region', 'global,mars'], '--region mars: no such region'],
])('%s is a price that nobody sells', async (flags, message) => {
  const { status, out, err } = await ctxsim(folder, args(...flags));
  expect({ status, out }).toEqual({ status: 2, out: '' });
  expect(err).toContain(message);
});

test('another tokenizer is said: recorded counts as they are, words estimated anew', async () => {
  const noteOf = async (file: string, model: string) => {
    const { out } = await ctxsim(folder, ['replay', file, '--policy', 'full', '--model', model, '--format', 'json']);
    return resultSchema
      .parse(JSON.parse(out))
      .assumptions.notes.filter((note) => note.includes('counts tokens otherwise'));
  };
  expect(await noteOf('s.jsonl', 'claude-opus-5')).toEqual([
    // 1.53 / 1.18.
    'claude-opus-5 counts tokens otherwise (claude-4.7+) than the recorded claude-sonnet-4-5 (claude-4.6-and-earlier): the recorded counts are taken as they are, though its own would be about 1.30 times as many.',
  ]);
  expect(await noteOf('s.jsonl', 'claude-opus-4-5')).toEqual([]);
  const words = [
    { type: 'session', format: 'ctxsim.session/1', id: 'w', model: 'claude-sonnet-4-5' },
    { type: 'turn' },
    { type: 'block', kind: 'prompt', text: 'Why does the build fail?' },
    { type: 'request', usage: { fresh: 2100, cacheRead: 0, output: 9 } },
  ];
  writeFileSync(join(folder, 'w.jsonl'), words.map((record) => JSON.stringify(record)).join('\n'));
  expect(await noteOf('w.jsonl', 'claude-opus-5')).toEqual([
    'claude-opus-5 counts tokens otherwise (claude-4.7+) than the recorded claude-sonnet-4-5 (claude-4.6-and-earlier): tokens are estimated anew, not fitted to the recorded prompt sizes.',
  ]);
  expect(await noteOf('w.jsonl', 'claude-opus-4-5')).toEqual([]);
});

test('where each marker has a price, a row takes the cheaper of anchor and tail; elsewhere anchor has them all', async () => {
  const flags = ['--model', 'gemini-2.5-pro', '--cache', 'gemini-explicit'];
  const best = await resultOf(...flags);
  const pinned = await resultOf(...flags, '--breakpoints', 'anchor,tail');
  best.rows.forEach(({ cost, breakpoints }, row) => {
    const [anchor, tail] = [pinned.rows[row], pinned.rows[row + best.rows.length]].map((each) => each?.cost.total ?? 0);
    expect(cost.total).toBe(Math.min(anchor as number, tail as number));
    expect(breakpoints).toBe('anchor or tail');
  });
  expect((await resultOf()).rows[0]?.breakpoints).toBe('anchor');
});
