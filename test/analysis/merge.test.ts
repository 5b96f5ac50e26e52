import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeResults, resultOf } from '../../src/analysis/merge.ts';
import { parsePolicies, policies, presets } from '../../src/policies/index.ts';
import { loadPriceBook } from '../../src/providers/prices/index.ts';
import { parseResult } from '../../src/results/index.ts';
import type { Result } from '../../src/results/result.ts';
import { type JobOptions, replaySession } from '../../src/run/job.ts';
import type { Finding, Session } from '../../src/session/index.ts';
import { sessionOf } from '../sessions.ts';
import { usualJob } from '../usual-job.ts';

const rows = parsePolicies(
  ['full', 'elide:recent_turns=0,1', 'compact:trigger=9000', 'bi', 'optimum'],
  policies,
  presets,
);
const prices = await loadPriceBook();
const job: JobOptions = {
  ...usualJob,
  rows,
  prices,
  window: 40_000,
  outputReserve: 1000,
  refetchRate: 0.5,
  lifetimeMultiples: [0.5, 2],
  explain: 'parts',
};
const scenarios = [
  { name: 'ttl=5m', job: { ...job, ttl: '5m' as const } },
  { name: 'cache', job: { ...job, model: 'gemini-2.5-pro', cache: 'gemini-explicit' } },
];
const settings = {
  scenarios: scenarios.map(({ name, job: { ttl } }) => ({
    rows: rows.map(({ kind, settings: params, label }) => ({ policy: kind.name, params, label })),
    baseline: 0,
    version: 'test',
    prices: prices.id,
    seed: 1,
    name,
    ttl,
    service: prices.service,
    expectsLosses: false,
    refetchRate: 0.5,
    lifetimeMultiples: [0.5, 2],
    outputReserve: 1000,
    pricedAt: 'x',
  })),
  cards: {},
};

/** Sessions that differ in length, pauses and parents; one is too long for its window. */
function sessions(): Session[] {
  return Array.from({ length: 7 }, (_, n) => {
    const rounds = Array.from({ length: 1 + (n % 3) }, () => ({
      call: 50,
      result: 900 + 900 * n ** (n === 6 ? 2 : 1),
    }));
    const turns = Array.from({ length: 2 + (n % 4) }, () => ({ prompt: 40, reply: 70, pauseSeconds: 130 * n, rounds }));
    const session = sessionOf(turns, { id: `s${n}` });
    return n === 5 ? { ...session, parent: 's1' } : session;
  });
}

const outcomes = await Promise.all(
  sessions().map((session) =>
    Promise.all(
      scenarios.map((scenario) =>
        replaySession(session, { file: `${session.id}.jsonl`, format: 'native' }, scenario.job),
      ),
    ),
  ),
);
const findingsOf = (at: readonly number[]): Finding[] =>
  at.length === 0 ? [] : [{ kind: 'k', detail: '', count: at.length, first: `s${Math.min(...at)}.jsonl:3` }];

/** The result of some of the sessions, as it is read back from a file. */
function partOf(at: readonly number[]): Result {
  const chosen = at.map((index) => outcomes[index] ?? []);
  return stored(resultOf(chosen, { ...settings, leftOut: at.length }, findingsOf(at)));
}

const textOf = (result: Result) => JSON.stringify(result);
const stored = (result: Result) => parseResult(textOf(result), 'f.json', '');
const merged = (...results: Result[]) =>
  stored(mergeResults(results.map((result, at) => ({ name: `${at}.json`, result }))));

const all = Array.from(outcomes.keys());
const whole = textOf(partOf(all));

test('parts of every kind, in any order, merged at once or one by one, are one run over all sessions', () => {
  const split = fc.tuple(
    fc.array(fc.nat(3), { minLength: all.length, maxLength: all.length }),
    fc.shuffledSubarray(all, { minLength: all.length }),
    fc.boolean(),
  );
  fc.assert(
    fc.property(split, ([places, order, oneByOne]) => {
      const byPlace = [0, 1, 2, 3].map((place) => order.filter((at) => places[at] === place));
      const [first, ...others] = byPlace.filter((at) => at.length > 0).map(partOf) as [Result, ...Result[]];
      const result = oneByOne ? others.reduce((sum, part) => merged(part, sum), first) : merged(first, ...others);
      expect(textOf(result)).toBe(whole);
    }),
    { numRuns: 12 },
  );
});

test('the parts hold what makes merging hard: folds, refetches, storage, lifetimes, sessions that could not be sent', () => {
  const text = whole;
  for (const key of ['callCounts', 'refetch', 'storageUsdPerMTokHour', 'atLifetimes', 'parent', 'parts'])
    expect(text).toContain(`"${key}":`);
  expect(outcomes.flat().some((outcome) => outcome.rows.some(({ best }) => best.unsendable > 0))).toBe(true);
});
