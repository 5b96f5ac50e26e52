import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { resultSchema } from '../../src/results/result.ts';
import { ctxsim } from '../cli/run.ts';
import { size } from '../sessions.ts';
import { tempFolder } from '../temp.ts';

/**
 * Two turns, three requests ten seconds apart: prompts of 2,500, 3,600 and 4,000 tokens; the result of 1,000 tokens has a
 * stub of 10. `read`: what the third request is recorded to have read; undefined for a recording without usage.
 */
function sessionFile(read: number | undefined): string {
  const request = (seconds: number, prompt: number, cacheRead: number) => ({
    type: 'request',
    time: new Date(Date.UTC(2026, 2, 2, 9, 0, seconds)).toISOString(),
    ...(read === undefined
      ? { totals: { prompt, output: 100 } }
      : { usage: { fresh: 0, cacheRead, cacheWrite5m: prompt - cacheRead, output: 100 } }),
  });
  const lines = [
    {
      type: 'session',
      format: 'ctxsim.session/1',
      id: 's',
      agent: 'claude-code',
      model: 'claude-sonnet-4-5',
      content: 'sizes',
      tokenizer: 'model',
    },
    { type: 'block', kind: 'system', size: size(2000) },
    { type: 'turn' },
    { type: 'block', kind: 'prompt', size: size(500) },
    request(0, 2500, 0),
    { type: 'block', kind: 'call', callId: 'c', tool: 'Read', action: 'view', size: size(100) },
    { type: 'block', kind: 'result', callId: 'c', size: size(1000, { stub: 10 }) },
    request(10, 3600, 2500),
    { type: 'block', kind: 'reply', size: size(100) },
    { type: 'turn' },
    { type: 'block', kind: 'prompt', size: size(300) },
    request(20, 4000, read ?? 0),
    { type: 'block', kind: 'reply', size: size(100) },
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

async function replayed(read: number | undefined, ...flags: string[]) {
  const folder = tempFolder();
  writeFileSync(join(folder, 's.jsonl'), sessionFile(read));
  const args = ['replay', 's.jsonl', '--policy', 'elide:recent_turns=0', '--format', 'json', ...flags];
  const { out, err } = await ctxsim(folder, args);
  const result = resultSchema.parse(JSON.parse(out || err));
  return {
    usages: result.rows.map(({ usage: { cacheRead, cacheWrite5m } }) => ({ cacheRead, cacheWrite5m })),
    events: result.sessions[0]?.events,
    notes: result.assumptions.notes.join(' '),
  };
}

const plain = [
  { cacheRead: 2500 + 3600, cacheWrite5m: 2500 + 1100 + 400 },
  // The third request of elide carries 2,000 + 500 + 100 + 10 + 100 + 300 and reads up to its stable boundary.
  { cacheRead: 2500 + 2500, cacheWrite5m: 2500 + 1100 + 510 },
];

test('a recording that follows the rules has no events', async () => {
  expect(await replayed(3600)).toMatchObject({ usages: plain, events: [] });
});

test('a recorded loss that no rule explains befalls every row alike, and is listed', async () => {
  const { usages, events, notes } = await replayed(0);
  expect(events).toEqual([{ request: 3, kept: 0 }]);
  expect(usages).toEqual([
    { cacheRead: 2500, cacheWrite5m: 2500 + 1100 + 4000 },
    { cacheRead: 2500, cacheWrite5m: 2500 + 1100 + 3010 },
  ]);
  expect(notes).toContain('no rule explains: 1,');
});

test('what of the prompt was still there stays, block by block, whatever the policy put in its place', async () => {
  // 2,700 tokens reach into the result: the blocks before it are kept, and with them the entry behind the first prompt.
  expect((await replayed(2700)).usages).toEqual([
    { cacheRead: 2500 + 2500, cacheWrite5m: 2500 + 1100 + 1500 },
    { cacheRead: 2500 + 2500, cacheWrite5m: 2500 + 1100 + 510 },
  ]);
});

test('--events none leaves them out, and so do another model and another cache', async () => {
  expect(await replayed(0, '--events', 'none')).toMatchObject({ usages: plain, events: [] });
  expect((await replayed(0, '--model', 'claude-sonnet-4')).events).toEqual([]);
  expect((await replayed(0, '--cache', 'ideal')).events).toEqual([]);
  expect((await replayed(0, '--cache', 'ideal', '--events', 'recorded')).events).toHaveLength(1);
  await expect(replayed(0, '--model', 'gpt-5.5', '--events', 'recorded')).rejects.toThrow();
});

/** The same conversation without its system prompt in the transcript: the first request read 2,000 tokens from others. */
function hiddenSystem(read: number, changes: Record<number, object> = {}): string {
  return sessionFile(read)
    .split('\n')
    .filter((line) => line !== '' && !line.includes('"kind":"system"'))
    .map((line, index) => {
      const record = JSON.parse(
        line.replace('"cacheRead":0,"cacheWrite5m":2500', '"cacheRead":2000,"cacheWrite5m":500'),
      );
      return `${JSON.stringify({ ...record, ...changes[index] })}\n`;
    })
    .join('');
}

async function fullOf(text: string) {
  const folder = tempFolder();
  writeFileSync(join(folder, 's.jsonl'), text);
  const { out, err } = await ctxsim(folder, ['replay', 's.jsonl', '--policy', 'full', '--format', 'json']);
  const result = resultSchema.parse(JSON.parse(out || err));
  const { cacheRead, cacheWrite5m } = result.rows[0]?.usage ?? {};
  return { cacheRead, cacheWrite5m, events: result.sessions[0]?.events, notes: result.assumptions.notes.join(' ') };
}

test('a system part that others kept warm is read from the first request on, and is what a loss leaves', async () => {
  expect(await fullOf(hiddenSystem(3600))).toMatchObject({
    cacheRead: 2000 + 2500 + 3600,
    cacheWrite5m: 500 + 1100 + 400,
  });
  const lost = await fullOf(hiddenSystem(2000));
  expect(lost).toMatchObject({
    cacheRead: 2000 + 2500 + 2000,
    cacheWrite5m: 500 + 1100 + 2000,
    events: [{ request: 3, kept: 2000 }],
  });
  expect(lost.notes).toContain('1 of 1 sessions found their system part in the cache');
});

test('a loss is seen although the request before it has no usage or no time', async () => {
  const request = 6;
  for (const changes of [{ usage: undefined }, { time: undefined }]) {
    const { events } = await fullOf(hiddenSystem(0, { [request]: changes }));
    expect(events).toEqual([{ request: 3, kept: 0 }]);
  }
});

test('--eviction measured bills the measured share of reads where nothing was recorded: 0.4 % below a minute', async () => {
  expect((await replayed(undefined)).usages).toEqual(plain);
  const { usages, notes } = await replayed(undefined, '--eviction', 'measured');
  // round(2500 × 0.004) = 10 and round(3600 × 0.004) = 14.
  expect(usages).toEqual([
    { cacheRead: 6100 - 24, cacheWrite5m: 4000 + 24 },
    { cacheRead: 5000 - 20, cacheWrite5m: 4110 + 20 },
  ]);
  expect(notes).toContain('--eviction measured');
  // Where usage was recorded, its losses are known and not expected.
  expect((await replayed(3600, '--eviction', 'measured')).usages).toEqual(plain);
});

/** A question, an answer with ten calls and ten results: 21 new blocks, further than a look-back from the last one reaches. */
async function wideTurn(read: number, ...flags: string[]) {
  const folder = tempFolder();
  const request = (second: number, prompt: number, cacheRead: number) => ({
    type: 'request',
    time: `2026-03-02T09:00:0${second}Z`,
    usage: { fresh: 0, cacheRead, cacheWrite5m: prompt - cacheRead, output: 110 },
  });
  const ten = Array.from({ length: 10 }, (_, at) => `c${at}`);
  const lines = [
    { type: 'session', format: 'ctxsim.session/1', id: 'w', agent: 'claude-code', agentVersion: '2.1.217' },
    { type: 'block', kind: 'system', size: size(2000) },
    { type: 'turn' },
    { type: 'block', kind: 'prompt', size: size(500) },
    request(0, 2500, 0),
    { type: 'block', kind: 'reply', size: size(10) },
    ...ten.map((callId) => ({ type: 'block', kind: 'call', callId, tool: 'Read', action: 'view', size: size(10) })),
    ...ten.map((callId) => ({ type: 'block', kind: 'result', callId, size: size(200, { stub: 10 }) })),
    request(5, 4610, read),
    { type: 'block', kind: 'reply', size: size(110) },
  ];
  Object.assign(lines[0] ?? {}, { model: 'claude-sonnet-4-5', content: 'sizes', tokenizer: 'model' });
  writeFileSync(join(folder, 'w.jsonl'), lines.map((line) => JSON.stringify(line)).join('\n'));
  const args = ['replay', 'w.jsonl', '--policy', 'elide', '--breakpoints', 'claude-code', '--format', 'json', ...flags];
  const { out, err } = await ctxsim(folder, args);
  const result = resultSchema.parse(JSON.parse(out || err));
  return {
    reads: result.rows.map(({ usage }) => usage.cacheRead),
    events: result.sessions[0]?.events,
    notes: result.assumptions.notes.join(' '),
  };
}

test('a recorded hit that the rules deny is read in every row, counted and said', async () => {
  const { reads, events, notes } = await wideTurn(2500);
  expect(events).toEqual([{ request: 2, kept: 2500, isHit: true }]);
  expect(reads).toEqual([2500, 2500]);
  expect(notes).toContain('Recorded cache hits that no rule explains: 1,');
});

test('where the recording agrees with the rules, or is not to be followed, the look-back decides', async () => {
  expect(await wideTurn(2000)).toMatchObject({ reads: [2000, 2000], events: [] });
  expect(await wideTurn(2500, '--events', 'none')).toMatchObject({ reads: [2000, 2000], events: [] });
});
