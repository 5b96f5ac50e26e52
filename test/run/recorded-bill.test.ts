import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { resultSchema } from '../../src/results/result.ts';
import { ctxsim } from '../cli/run.ts';
import { tempFolder } from '../temp.ts';

const cwd = tempFolder();
const head = { type: 'session', format: 'ctxsim.session/1', id: 's', model: 'claude-sonnet-4-5' };
const prompt = { type: 'block', kind: 'prompt', text: 'What is wrong with the build of this project?' };
const reply = (words: number) => ({ type: 'block', kind: 'reply', text: 'word '.repeat(words) });
const request = (usage?: object) => ({ type: 'request', time: '2026-03-02T09:00:00Z', ...(usage ? { usage } : {}) });
const first = { fresh: 1000, cacheRead: 0, cacheWrite5m: 2_000_000, output: 200 };
const second = { fresh: 0, cacheRead: 2_001_000, cacheWrite1h: 500, output: 300 };
const rewound = { type: 'abandoned', time: '2026-03-02T09:01:00Z', usage: { fresh: 10_000, cacheRead: 0, output: 7 } };

async function corpusOf(records: readonly object[], ...flags: string[]) {
  writeFileSync(join(cwd, 's.jsonl'), records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  const { out } = await ctxsim(cwd, [
    'replay',
    's.jsonl',
    '-p',
    'full',
    '--window',
    '3000000',
    '--format',
    'json',
    ...flags,
  ]);
  const { corpus, assumptions } = resultSchema.parse(JSON.parse(out));
  return { usd: corpus.recordedUsd, estimated: corpus.estimatedOutputUsd, notes: assumptions.notes.join('\n') };
}

test('what was recorded is billed as it was recorded: every class at its price, long prompts at theirs, rewound requests too', async () => {
  const { usd, notes } = await corpusOf([
    head,
    prompt,
    request(first),
    reply(200),
    request(second),
    reply(300),
    rewound,
  ]);
  // Above 200,000 tokens of prompt Sonnet 4.5 costs 6 / 0.60 / 7.50 / 12 / 22.50, below 3 and 15 USD per million tokens.
  const long = 1000 * 6 + 2_000_000 * 7.5 + 200 * 22.5 + 2_001_000 * 0.6 + 500 * 12 + 300 * 22.5;
  expect(usd).toBeCloseTo((long + 10_000 * 3 + 7 * 15) / 1e6, 9);
  expect(notes).not.toContain('output tokens');
});

test('what a placeholder stands for is no part of what was recorded: it is estimated by its words, apart', async () => {
  const { usd, estimated, notes } = await corpusOf([
    head,
    prompt,
    request({ fresh: 900, cacheRead: 0, output: 1 }),
    reply(1000),
  ]);
  expect(notes).toContain('100.0 % of the output tokens are estimated');
  // 1,000 words of "word " are 1,001 tokens of o200k_base, times 1.18 for this model's tokenizer.
  expect(usd).toBeCloseTo((900 * 3 + 15) / 1e6, 9);
  expect(estimated).toBeCloseTo(((Math.round(1001 * 1.18) - 1) * 15) / 1e6, 9);
});

test.each([
  ['a request without usage', [head, prompt, request(first), reply(9), request(), reply(9)], []],
  ['another model', [head, prompt, request(first), reply(9)], ['--model', 'claude-opus-4-5']],
])('%s: nobody knows what was paid', async (_, records, flags) => {
  expect((await corpusOf(records, ...flags)).usd).toBeNull();
});
