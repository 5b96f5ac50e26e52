import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { contentFreeSessions, longSessions, seedSessions } from '../../scripts/sessions/corpus.mjs';
import type { Result } from '../../src/results/result.ts';
import { replayRecords, replayShipped, sizesOf } from './shipped.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

type NamedRecords = { readonly name: string; readonly records: readonly unknown[] };

const textOf = ({ records }: NamedRecords) => records.map((record) => `${JSON.stringify(record)}\n`).join('');

/** Rows behind the baseline: elide with recent_turns 0, 1, 2, 4. */
const percents = (result: Result) => result.rows.slice(1).map(({ saving }) => (saving ?? Number.NaN) * 100);
const sharePercent = (result: Result) => result.corpus.shares.earlierTurnResults * 100;

describe('what is shipped', () => {
  test.each([
    ['sessions', () => seedSessions()],
    ['sessions/long', () => longSessions()],
  ])('%s is what the generator writes, file by file and byte by byte', (folder, generate) => {
    const files: NamedRecords[] = generate();
    const shipped = readdirSync(`${root}/${folder}`).filter((name) => name.endsWith('.jsonl'));
    expect(shipped.sort()).toEqual(files.map(({ name }) => name).sort());
    for (const file of files) {
      // A plain comparison: the difference of two long files would be printed otherwise.
      const same = readFileSync(`${root}/${folder}/${file.name}`, 'utf8') === textOf(file);
      expect(same, `${folder}/${file.name} is not what npm run sessions writes`).toBe(true);
    }
  });

  test('is under 4 MB', () => {
    const bytes = [...seedSessions(), ...longSessions()].reduce(
      (sum, file) => sum + Buffer.byteLength(textOf(file)),
      0,
    );
    expect(bytes).toBeLessThan(3_900_000);
  });

  test('names no machine and no address', () => {
    const folders = ['sessions', 'sessions/long', 'scripts/sessions/captured'];
    for (const folder of folders) {
      for (const { name } of readdirSync(`${root}/${folder}`, { withFileTypes: true }).filter((it) => it.isFile())) {
        const text = readFileSync(`${root}/${folder}/${name}`, 'utf8');
        expect(/(^|[\s"'(=])\/(work|root|tmp|home|Users|usr)\b|https?:\/\/|node_modules/.exec(text)?.[0], name).toBe(
          undefined,
        );
      }
    }
  });

  test('no pause outlives a five-minute cache entry', async () => {
    for (const { longestPauseSeconds } of await sizesOf('sessions/**/*.jsonl')) {
      expect(longestPauseSeconds).toBeLessThan(300);
    }
  });

  test('another seed gives other sessions, the same seed the same', () => {
    expect(contentFreeSessions(7, 3)).toEqual(contentFreeSessions(7, 3));
    expect(contentFreeSessions(7, 3)).not.toEqual(contentFreeSessions(8, 3));
  });
});

describe("the seed's case", () => {
  let result: Result;
  beforeAll(async () => {
    result = await replayShipped('sessions/*.jsonl');
  });

  test('is read without a finding and left out nowhere', () => {
    expect(result.findings).toEqual([]);
    expect(result.corpus.sessions).toBe(45);
    expect(result.rows.map(({ sessions }) => sessions.unsendable)).toEqual([0, 0, 0, 0, 0]);
    expect([...new Set(result.sessions.map(({ format }) => format))].sort()).toEqual(['claude-code', 'native']);
  });

  test('results of earlier turns are a quarter of what full history costs', () => {
    expect(Math.abs(sharePercent(result) - 25)).toBeLessThan(2);
  });

  test('a window of 0 saves 22 %, of 1 saves 6 %, of 2 breaks even, of 4 costs more', () => {
    const [none = 0, one = 0, two = 0, four = 0] = percents(result);
    expect(Math.abs(none - 22)).toBeLessThan(3);
    expect(Math.abs(one - 6)).toBeLessThan(3);
    expect(Math.abs(two)).toBeLessThan(2);
    expect(four).toBeLessThan(-1);
    expect(result.rows.slice(1).map(({ verdict }) => verdict)).toEqual(['saves', 'saves', 'breaks even', 'costs more']);
  });
});

test('other seeds say the same: it is the cost model and not the draw', async () => {
  const results: Result[] = [];
  // 18 sessions: every number of turns twice.
  for (let seed = 101; seed <= 120; seed += 1) results.push(await replayRecords(contentFreeSessions(seed, 18)));
  const shares = results.map(sharePercent);
  const [none = 0, one = 0, two = 0, four = 0] = [0, 1, 2, 3].map((row) =>
    median(results.map((result) => percents(result)[row] ?? Number.NaN)),
  );
  expect(none).toBeGreaterThan(18);
  expect(none).toBeLessThan(25);
  expect(one).toBeGreaterThan(3);
  expect(one).toBeLessThan(10);
  expect(two).toBeGreaterThan(-4);
  expect(two).toBeLessThan(2);
  expect(four).toBeLessThan(0);
  expect(median(shares)).toBeGreaterThan(23);
  expect(median(shares)).toBeLessThan(28);
});

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(at)] ?? Number.NaN) + (sorted[Math.ceil(at)] ?? Number.NaN)) / 2;
}

describe('the long sessions', () => {
  test('every policy can send them', async () => {
    const result = await replayShipped('sessions/long/*.jsonl');
    expect(result.findings).toEqual([]);
    expect(result.rows.map(({ sessions }) => sessions.unsendable)).toEqual([0, 0, 0, 0, 0]);
    expect(result.sessions.map(({ id, turns, model }) => [id, turns, model])).toEqual([
      ['codex', 12, 'gpt-5.5'],
      ['large-history', 24, 'claude-sonnet-4-5'],
      ['turns-12', 12, 'claude-sonnet-4-5'],
      ['turns-25', 25, 'claude-sonnet-4-5'],
      ['turns-45', 45, 'claude-sonnet-4-5'],
    ]);
  });

  test('their largest prompt fits a 200k window with 32k kept for the reply', async () => {
    for (const { largestPrompt } of await sizesOf('sessions/long/*.jsonl')) expect(largestPrompt).toBeLessThan(168_000);
  });

  test('one has a history that stays above the high watermark when all its results are stubs', async () => {
    const [large] = await sizesOf('sessions/long/large-history.jsonl');
    // 0.8 of half of what a 200k window leaves beside the reply; also where four characters are taken for a token.
    expect(large?.elidedHistory).toBeGreaterThan(67_200);
    expect((large?.elidedHistoryChars ?? 0) / 4).toBeGreaterThan(67_200);
  });
});

test.each(['sessions/s13.jsonl', 'sessions/long/codex.jsonl'])(
  '%s records the usage of its own words',
  async (path) => {
    const [session] = await sizesOf(path);
    if (!session?.recordedPrompts) throw new Error('no usage was recorded');
    expect(session.recordedPrompts.length).toBe(session.prompts.length);
    session.recordedPrompts.forEach((recorded, at) => {
      expect(Math.abs((session.prompts[at] ?? 0) / recorded - 1)).toBeLessThan(0.005);
    });
  },
);
