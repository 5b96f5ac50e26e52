import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { parsePolicies, policies } from '../../src/policies/index.ts';
import { loadPriceBook } from '../../src/providers/index.ts';
import type { Result } from '../../src/results/result.ts';
import { replayFiles } from '../../src/run/index.ts';
import { Findings } from '../../src/session/findings.ts';

const shared = process.env.CTXSIM_SHARED ?? fileURLToPath(new URL('../../../shared', import.meta.url));
const log = `${shared}/corpus/request-log/claude-code-710-traces.csv.gz`;

/** The rows of cases §2 that go by results and tokens, not by turns: stubs of 15 tokens, results of 60 stay. */
const like = 'stub_tokens=15,min_tokens=60';
const masks = [
  `mask:${like},keep_uses=10`,
  `mask:${like},keep_uses=10,polling=10`,
  `mask:${like},trigger=100000,strict=yes,target=50000`,
];

async function replay(cache: string): Promise<Result> {
  const rows = parsePolicies(['full', 'elide:recent_turns=0,1,2,4', ...masks, 'optimum'], policies);
  const read = {
    paths: [log],
    cwd: shared,
    inputFormat: 'request-log',
    map: {
      session: 'trace',
      time: 't_s',
      input: 'in',
      output: 'out',
      kind: 'input_types',
      prefix: 'tool_tokens+system_tokens',
    },
    findings: new Findings(),
  };
  const prices = await loadPriceBook();
  const model = 'claude-sonnet-4-6';
  const job = {
    rows,
    baseline: 0,
    prices,
    model,
    cache,
    ttl: '5m' as const,
    recordedEvents: true,
    expectLosses: false,
    outputReserve: 32_000,
  };
  const { result, leftOut } = await replayFiles(read, job, {
    rows: rows.map(({ kind, settings, label }) => ({ policy: kind.name, params: settings, label })),
    baseline: 0,
    version: 'test',
    prices: prices.id,
    seed: 1,
    expectsLosses: false,
    outputReserve: 32_000,
    pricedAt: '-',
  });
  expect(leftOut).toEqual([]);
  if (!result) throw new Error('nothing to replay');
  return result;
}

describe.skipIf(!existsSync(log))('request log of 710 traces (cases §2)', () => {
  let cached: Result;
  let uncached: Result;
  beforeAll(async () => {
    cached = await replay('ideal');
    uncached = await replay('none');
  });

  it('holds 1,121 sessions, 48,647 requests and 7,429 user turns', () => {
    expect(cached.corpus).toMatchObject({ sessions: 1121, requests: 48_647, turns: 7429 });
    expect(cached.findings).toMatchObject([
      { kind: 'context-shrank', count: 422 },
      { kind: 'single-request-session', count: 11 },
    ]);
  });

  it.each([
    [0, 12.5, 13.96],
    [1, 6.92, 8.9],
    [2, 3.95, 6.34],
    [4, 1.45, 4.06],
  ])('window %i saves %f %% at 5m and %f %% without a cache', (window, ideal, none) => {
    for (const [result, expected] of [
      [cached, ideal],
      [uncached, none],
    ] as const) {
      const row = result.rows.find(({ params }) => params.recent_turns === window);
      expect(row?.sessions.unsendable).toBe(0);
      expect(Math.abs((row?.saving ?? 0) * 100 - expected)).toBeLessThan(0.3);
    }
  });

  it.each([
    ['last 10, re-evaluated', masks[0], -16.17, 20.37],
    ['last 10, in batches of 10', masks[1], 8.95, 16.63],
    ['watermark', masks[2], 15.68, 18.14],
  ])('%s: %s saves %f %% at 5m and %f %% without a cache', (_, label, ideal, none) => {
    for (const [result, expected] of [
      [cached, ideal],
      [uncached, none],
    ] as const) {
      const row = result.rows.find((candidate) => candidate.label === label);
      expect(Math.abs((row?.saving ?? 0) * 100 - expected)).toBeLessThan(0.3);
    }
  });

  it('the optimum lies at or above every window, and window 0 within 0.3 points of it', () => {
    for (const result of [cached, uncached]) {
      const best = result.rows.find(({ policy }) => policy === 'optimum');
      const windows = result.rows.filter(({ policy }) => policy === 'elide');
      expect(windows).toHaveLength(4);
      for (const { regret, saving } of windows) {
        expect(regret).toBeGreaterThanOrEqual(0);
        expect(saving).toBeLessThanOrEqual(best?.saving ?? 0);
      }
      expect(windows[0]?.regret).toBeLessThan(0.003);
      expect(result.corpus.bound).toBeGreaterThan(best?.saving ?? 1);
      expect(result.assumptions.notes.join()).toContain('proven for every session');
      // No session is cheaper under a window, either.
      for (const { cost } of result.sessions)
        for (const { label } of windows) expect(cost[label]).toBeGreaterThanOrEqual((cost.optimum ?? 0) - 1e-9);
    }
  });

  it('is spent on what the source says', () => {
    const { system, currentTurnResults, earlierTurnResults, replies, prompts, output } = cached.corpus.shares;
    const shares = [system, currentTurnResults, earlierTurnResults, replies, prompts, output];
    expect(shares.map((share) => Number((share * 100).toFixed(1)))).toEqual([48.6, 16.3, 13.1, 10.7, 2.4, 8.8]);
  });
});
