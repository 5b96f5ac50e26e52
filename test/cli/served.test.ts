import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { resultSchema } from '../../src/results/result.ts';
import { tempFolder } from '../temp.ts';
import { ctxsim } from './run.ts';

const folder = tempFolder();

/** Three requests of 10,000 prompt tokens and 1,000 of output, with what is recorded of how each was served. */
function write(name: string, model: string, served: readonly object[], day = '2026-11-03'): string {
  const records = [
    { type: 'session', format: 'ctxsim.session/1', id: name, model, content: 'sizes', tokenizer: 'model' },
    { type: 'block', kind: 'system', size: { chars: 36_000, lines: 1, tokens: 9_000 } },
    { type: 'turn' },
    { type: 'block', kind: 'prompt', size: { chars: 4_000, lines: 1, tokens: 1_000 } },
    ...served.flatMap((each, at) => [
      {
        type: 'request',
        time: `${day}T12:0${at}:00Z`,
        usage: { fresh: 10_000 + 1_000 * at, cacheRead: 0, output: 1_000 },
        ...each,
      },
      { type: 'block', kind: 'reply', size: { chars: 4_000, lines: 1, tokens: 1_000 } },
    ]),
  ];
  const file = join(folder, `${name}.jsonl`);
  writeFileSync(file, records.map((record) => JSON.stringify(record)).join('\n'));
  return file;
}

async function replay(file: string, ...flags: string[]) {
  const { out, err } = await ctxsim(folder, ['replay', file, '--policy', 'full', '--format', 'json', ...flags]);
  return resultSchema.parse(JSON.parse(out || err));
}

/** What was recorded of gpt-5.5 (5 / 0.50 / 30) at the standard tier, US dollars. */
const standardUsd = (33_000 * 5 + 3_000 * 30) / 1e6;

test('a recorded tier is applied request by request and said; --service-tier takes its place', async () => {
  const file = write('mixed', 'gpt-5.5', [{}, { tier: 'fast' }, { tier: 'batch' }]);
  const { corpus, assumptions } = await replay(file);
  // Fast costs 2.5 times the list price of gpt-5.5, batch half of it.
  const expected = (10_000 * 5 + 11_000 * 12.5 + 12_000 * 2.5 + 1_000 * (30 + 75 + 15)) / 1e6;
  expect(corpus.recordedUsd).toBeCloseTo(expected, 9);
  expect(assumptions.served).toEqual({ fast: 1, batch: 1 });
  expect((await replay(file, '--service-tier', 'standard')).corpus.recordedUsd).toBeCloseTo(standardUsd, 9);
  expect((await replay(file, '--service-tier', 'batch')).corpus.recordedUsd).toBeCloseTo(standardUsd / 2, 9);
  const { out } = await ctxsim(folder, ['replay', file, '--policy', 'full']);
  expect(out).toContain('served by or at batch (1 request), fast (1 request)');
});

test('a recorded tier whose price nobody lists is billed as listed, and said', async () => {
  const { corpus, assumptions } = await replay(write('odd', 'deepseek-v4-pro', [{ tier: 'fast' }]));
  expect(corpus.recordedUsd).toBeCloseTo((10_000 * 0.66 + 1_000 * 1.98) / 1e6, 9);
  expect(assumptions.notes.join('\n')).toContain('recorded at the fast tier, whose price is not known');
});

test('a recorded place costs more where it has a price', async () => {
  const { corpus, assumptions } = await replay(write('us', 'claude-opus-5', [{ region: 'us' }]));
  expect(corpus.recordedUsd).toBeCloseTo((1.1 * (10_000 * 5 + 1_000 * 25)) / 1e6, 9);
  expect(assumptions.served).toEqual({ us: 1 });
});

test('an id of Bedrock means its cache and its region; a global one, and --region global, cost what the list says', async () => {
  const regional = await replay(write('bedrock', 'us.anthropic.claude-sonnet-4-6', [{}, {}]));
  expect(regional.assumptions.cache).toEqual(['bedrock']);
  expect(regional.assumptions.served).toEqual({ bedrock: 2, regional: 2 });
  const list = (21_000 * 3 + 2_000 * 15) / 1e6;
  expect(regional.corpus.recordedUsd).toBeCloseTo(1.1 * list, 9);
  const global = await replay(write('global', 'global.anthropic.claude-sonnet-4-6', [{}, {}]));
  expect(global.corpus.recordedUsd).toBeCloseTo(list, 9);
  expect(global.assumptions.served).toEqual({ bedrock: 2 });
  expect((await replay(join(folder, 'bedrock.jsonl'), '--region', 'global')).corpus.recordedUsd).toBeCloseTo(list, 9);
});

test('older models cost the same in every region, without a word', async () => {
  const { corpus, assumptions } = await replay(write('old', 'us.anthropic.claude-sonnet-4-20250514-v1:0', [{}]));
  expect(corpus.recordedUsd).toBeCloseTo((10_000 * 3 + 1_000 * 15) / 1e6, 9);
  expect(assumptions.served).toEqual({ bedrock: 1 });
  expect(assumptions.notes.join('\n')).not.toContain('not known');
});

test('hours of the day are those of each request, not of the session', async () => {
  const served = [{ time: '2026-11-03T00:59:00Z' }, { time: '2026-11-03T01:00:00Z' }, { time: '2026-11-03T04:00:00Z' }];
  const { corpus, assumptions } = await replay(write('night', 'deepseek-v4-pro', served));
  expect(corpus.recordedUsd).toBeCloseTo(
    ((10_000 + 2 * 11_000 + 12_000) * 0.66 + (1_000 + 2 * 1_000 + 1_000) * 1.98) / 1e6,
    9,
  );
  expect(assumptions.served).toEqual({ '01:00-04:00 UTC': 1 });
});

test('a content-free copy keeps how requests were served', async () => {
  const file = write('served', 'gpt-5.5', [{ tier: 'fast' }, {}, { tier: 'flex' }]);
  await ctxsim(folder, ['convert', file, '--content-free', '-q', '-o', 'copy.jsonl']);
  const [copy, whole] = [await replay(join(folder, 'copy.jsonl')), await replay(file)];
  expect(copy.corpus.recordedUsd).toBe(whole.corpus.recordedUsd);
  expect(copy.assumptions.served).toEqual({ fast: 1, flex: 1 });
});

test.each([
  'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
  'claude-opus-4-8[1m]',
  'openrouter/anthropic/claude-sonnet-4.5',
])('list models takes every id that replay takes: %s', async (id) => {
  const { status, out } = await ctxsim(folder, ['list', 'models', id]);
  expect(status).toBe(0);
  expect(out).toContain('input:');
});
