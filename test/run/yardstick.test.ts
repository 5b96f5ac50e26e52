import { expect, test } from 'vitest';
import { type RunMeta, summarize } from '../../src/analysis/index.ts';
import { parsePolicies, policies } from '../../src/policies/index.ts';
import { loadPriceBook } from '../../src/providers/index.ts';
import { replaySession } from '../../src/run/job.ts';
import type { Session } from '../../src/session/index.ts';
import { sessionOf } from '../sessions.ts';

const prices = await loadPriceBook();

async function resultOf(sessions: readonly Session[], names: readonly string[]) {
  const rows = parsePolicies(names, policies);
  const job = { rows, baseline: 0, prices, outputReserve: 0, recordedEvents: true, expectLosses: false } as const;
  const origin = { file: 'f', format: 'native' };
  const outcomes = await Promise.all(sessions.map((each) => replaySession(each, origin, { ...job, ttl: '5m' })));
  const meta: RunMeta = {
    rows: rows.map(({ kind, label, settings }) => ({ policy: kind.name, params: settings, label })),
    baseline: 0,
    version: '0',
    prices: '',
    seed: 1,
    ttl: '5m',
    service: { tier: 'standard', region: 'global' },
    pricedAt: '',
    expectsLosses: false,
    outputReserve: 0,
  };
  return summarize(outcomes, { ...meta, findings: [], leftOut: 0 });
}

const shape = (results: readonly number[]) =>
  results.map((result) => ({ prompt: 60, reply: 80, rounds: Array(4).fill({ call: 60, result }) }));
const sessions = [shape([4000, 100, 3000, 90, 2000]), shape([500, 6000, 40]), shape([30, 20])].map((turns, at) =>
  sessionOf(turns, { id: `s${at}` }),
);

test('the regret of a row is how far it is above the optimum, in shares of the baseline', async () => {
  const {
    rows,
    corpus,
    answer,
    sessions: each,
  } = await resultOf(sessions, ['full', 'elide', 'elide:recent_turns=1', 'optimum']);
  const [full, none, one, best] = rows;
  if (!full || !none || !one || !best) throw new Error('four rows');
  expect(best.regret).toBeNull();
  const billed = ({ cost }: typeof full) => cost.total ?? Number.NaN;
  for (const row of [full, none, one]) {
    expect(row.regret).toBeCloseTo((billed(row) - billed(best)) / billed(full), 12);
    expect(row.regret).toBeGreaterThanOrEqual(0);
  }
  for (const { cost } of each)
    for (const usd of Object.values(cost)) expect(usd).toBeGreaterThanOrEqual((cost.optimum ?? 0) - 1e-12);
  expect(full.regret).toBeCloseTo(best.saving ?? 0, 12);
  expect(corpus.bound).toBeGreaterThan(best.saving ?? 1);
  expect(answer).toMatch(/^Best of 2: elide.*; in hindsight elisions could save/);
});

test('a policy of another kind may be better than any elision: its regret is below zero', async () => {
  const { rows } = await resultOf(sessions, ['full', 'drop-window', 'drop-window:keep_messages=4', 'optimum']);
  expect(Math.min(...rows.map(({ regret }) => regret ?? 0))).toBeLessThan(0);
});

test('without an optimum there is nothing to regret', async () => {
  const { rows, corpus, answer } = await resultOf(sessions, ['full', 'elide']);
  expect(rows.map(({ regret }) => regret)).toEqual([null, null]);
  expect(corpus.bound).toBeNull();
  expect(answer).not.toContain('hindsight');
});

test('requests of rewound branches are billed in the bound as they are in every row', async () => {
  const usage = { fresh: 100_000, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0 };
  const rewound = sessions.map((session) => ({ ...session, abandoned: [{ usage }] }));
  const [plain, paid] = [await resultOf(sessions, ['full', 'optimum']), await resultOf(rewound, ['full', 'optimum'])];
  const least = ({ corpus, rows }: typeof plain) => (1 - (corpus.bound ?? 0)) * (rows[0]?.cost.total ?? 0);
  expect(least(paid) - least(plain)).toBeCloseTo(sessions.length * 0.3, 6);
});
