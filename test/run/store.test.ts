import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parsePolicies, policies, presets } from '../../src/policies/index.ts';
import { loadPriceBook, withService } from '../../src/providers/index.ts';
import type { PriceBook } from '../../src/providers/provider.ts';
import type { SessionOutcome } from '../../src/results/index.ts';
import { type JobOptions, replaySession } from '../../src/run/job.ts';
import { sweepScenarios } from '../../src/run/replay-files.ts';
import {
  clearStore,
  type KeptOutcomes,
  openStore,
  outcomeKey,
  sessionDigest,
  storeFacts,
} from '../../src/run/store.ts';
import { Findings } from '../../src/session/index.ts';
import { writeNative } from '../../src/session/native.ts';
import { sessionOf } from '../sessions.ts';
import { tempFolder } from '../temp.ts';
import { usualJob } from '../usual-job.ts';

const key = 'a'.repeat(64);
const turns = (result: number) =>
  Array.from({ length: 4 }, () => ({
    prompt: 60,
    reply: 60,
    rounds: [
      { call: 80, result },
      { call: 80, result },
    ],
  }));
let prices: PriceBook;
let job: JobOptions;
let outcome: SessionOutcome;
let folder: string;

beforeAll(async () => {
  prices = await loadPriceBook();
  job = {
    ...usualJob,
    rows: parsePolicies(['full', 'elide:recent_turns=0,1'], policies, presets),
    prices,
  };
  outcome = await replaySession(sessionOf(turns(500)), { file: 'a.jsonl', format: 'native' }, job);
});

beforeEach(() => {
  folder = join(tempFolder(), 'store');
});

describe('an entry', () => {
  test('comes back as it was', () => {
    const store = openStore(folder);
    expect(store.get(key)).toBeUndefined();
    store.put(key, outcome);
    expect(store.get(key)).toEqual(outcome);
    expect(readdirSync(folder)).toEqual([`${key}.json`]);
  });

  test('is not kept where it holds a number that JSON does not know', () => {
    const store = openStore(folder);
    for (const odd of [Number.NaN, Number.POSITIVE_INFINITY]) store.put(key, { ...outcome, tokenUncertainty: odd });
    expect(store.get(key)).toBeUndefined();
  });

  test.each<[string, (text: string) => string]>([
    ['cut off', (text) => text.slice(0, -20)],
    ['with one digit changed', (text) => text.replace('"requests":', '"requests":1')],
    ['empty', () => ''],
    ['of something else', () => '{"hello":"world"}\n{}\n'],
    ['under the key of another', (text) => text.replaceAll(key, 'b'.repeat(64))],
  ])('%s counts as missing and is told of', (_, damaged) => {
    const faults: string[] = [];
    const store = openStore(folder, (fault) => faults.push(fault));
    store.put(key, outcome);
    const file = join(folder, `${key}.json`);
    writeFileSync(file, damaged(readFileSync(file, 'utf8')));
    expect([store.get(key), faults]).toEqual([undefined, ['bad-entry']]);
  });

  test('that cannot be kept costs no result', () => {
    writeFileSync(folder, 'a file where the folder should be');
    const faults: string[] = [];
    openStore(folder, (fault) => faults.push(fault)).put(key, outcome);
    expect(faults).toEqual(['unwritable']);
  });
});

test('what a killed process left unfinished is no entry, and is removed with the entries; a stranger’s file stays', () => {
  openStore(folder).put(key, outcome);
  writeFileSync(join(folder, `${key}.json.123.tmp`), '{"form":');
  writeFileSync(join(folder, 'notes.txt'), 'mine');
  expect(storeFacts(folder).entries).toBe(1);
  clearStore(folder);
  expect(readdirSync(folder)).toEqual(['notes.txt']);
  expect(storeFacts(join(folder, 'none'))).toEqual({ entries: 0, bytes: 0 });
});

describe('the key', () => {
  const digest = 'd';
  const keyOf = (changes: Partial<JobOptions> = {}, session = digest, basis = 'code') =>
    outcomeKey(session, { ...job, ...changes }, basis);

  test('is the same for the same, whatever the order of the settings', () => {
    const turned = Object.fromEntries(Object.entries(job).reverse()) as unknown as JobOptions;
    expect(outcomeKey(digest, { ...turned, model: undefined }, 'code')).toBe(keyOf());
  });

  test('differs with everything that decides an outcome', () => {
    const rows = (text: string) => parsePolicies(['full', text], policies, presets);
    const keys = [
      keyOf(),
      keyOf({}, 'another session'),
      keyOf({}, digest, 'other code'),
      keyOf({ rows: rows('elide:recent_turns=1,0') }),
      keyOf({ rows: rows('elide:recent_turns=0,2') }),
      keyOf({ rows: rows('elide:terse_success=on') }),
      keyOf({ rows: rows('elide+keepalive') }),
      keyOf({ rows: rows('elide+fold') }),
      keyOf({ baseline: 1 }),
      keyOf({ model: 'claude-opus-4-5' }),
      keyOf({ cache: 'none' }),
      keyOf({ breakpoints: 'tail' }),
      keyOf({ ttl: '1h' }),
      keyOf({ window: 100_000 }),
      keyOf({ outputReserve: 0 }),
      keyOf({ recordedEvents: false }),
      keyOf({ expectLosses: true }),
      keyOf({ prices: { ...prices, id: 'others' } }),
      keyOf({ prices: withService(prices, { tier: 'batch', region: 'global' }) }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('names no outcome of a policy that is a file', () => {
    const [full, ...others] = job.rows;
    if (!full) throw new Error('no row');
    expect(keyOf({ rows: [{ ...full, kind: { ...full.kind, file: './mine.mjs' } }, ...others] })).toBeUndefined();
  });

  test('of a session is its content', () => {
    const session = sessionOf(turns(500));
    expect(sessionDigest({ ...session })).toBe(sessionDigest(sessionOf(turns(500))));
    expect(sessionDigest(sessionOf(turns(501)))).not.toBe(sessionDigest(session));
    expect(sessionDigest({ ...session, model: 'other' })).not.toBe(sessionDigest(session));
  });
});

describe('a run', () => {
  const meta = () => ({
    rows: job.rows.map(({ kind, settings, label }) => ({ policy: kind.name, params: settings, label })),
    baseline: 0,
    version: '0',
    prices: prices.id,
    seed: 1,
    expectsLosses: false,
    outputReserve: 32_000,
    pricedAt: 'x',
  });
  const sweep = async (cwd: string, kept?: KeptOutcomes) => {
    const read = { paths: ['.'], cwd, findings: new Findings() };
    return JSON.stringify((await sweepScenarios({ read, scenarios: [{ name: '', job }], meta: meta(), kept })).result);
  };

  test('that was killed goes on where it stopped, and ends with the same bytes', async () => {
    const cwd = tempFolder();
    for (const n of [1, 2, 3, 4, 5, 6])
      writeFileSync(
        join(cwd, `s${n}.jsonl`),
        `${[...writeNative(sessionOf(turns(400 + n), { id: `s${n}` }))].join('\n')}\n`,
      );
    const straight = await sweep(cwd);
    const kept = openStore(folder);
    let puts = 0;
    const killed = {
      ...kept,
      put(name: string, done: SessionOutcome) {
        if (puts === 3) throw new Error('killed');
        puts += 1;
        kept.put(name, done);
      },
    };
    await expect(sweep(cwd, { store: killed, basis: 'code' })).rejects.toThrow('killed');
    expect(storeFacts(folder).entries).toBe(3);
    const found: boolean[] = [];
    const counting = {
      ...kept,
      get(name: string) {
        const known = kept.get(name);
        found.push(known !== undefined);
        return known;
      },
    };
    expect(await sweep(cwd, { store: counting, basis: 'code' })).toBe(straight);
    expect(found).toEqual([true, true, true, false, false, false]);
    expect(await sweep(cwd, { store: kept, basis: 'code' })).toBe(straight);
  });

  test('makes its folder, with those that it lies in', () => {
    const deep = join(folder, 'some', 'where');
    const store = openStore(deep);
    store.put(key, outcome);
    expect(store.get(key)).toEqual(outcome);
  });

  test.skipIf(!existsSync('/proc/self'))('a folder that cannot be made is a fault, and no endless loop', () => {
    const faults: string[] = [];
    openStore('/proc/ctxsim/deep', (fault, what) => faults.push(`${fault}: ${what}`)).put(key, outcome);
    expect(faults).toEqual([expect.stringMatching(/^unwritable: .*\/proc\/ctxsim/)]);
  });

  test('finds the outcome of a file that was moved, under its new name', async () => {
    const [here, there] = [tempFolder(), tempFolder()];
    const lines = `${[...writeNative(sessionOf(turns(500)))].join('\n')}\n`;
    writeFileSync(join(here, 'a.jsonl'), lines);
    mkdirSync(join(there, 'sub'));
    writeFileSync(join(there, 'sub', 'b.jsonl'), lines);
    const kept = { store: openStore(folder), basis: 'code' };
    await sweep(here, kept);
    expect(await sweep(there, kept)).toBe(await sweep(there));
    expect(storeFacts(folder).entries).toBe(1);
  });
});
