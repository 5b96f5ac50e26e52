import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ctxsim } from '../cli/run.ts';

const shared = process.env.CTXSIM_SHARED ?? fileURLToPath(new URL('../../../shared', import.meta.url));
const cases = `${shared}/cases`;

interface Repriced {
  readonly prices: { readonly usdPerMTok: Readonly<Record<string, number>> };
  readonly totals: { readonly compared: number; readonly fitting: number; readonly largestDifference: number };
  readonly rows: readonly { label: string; usd: number; publishedUsd: number; fits: boolean }[];
}

async function reprice(...argv: string[]): Promise<Repriced> {
  const { status, out, err } = await ctxsim(cases, ['reprice', ...argv, '--format', 'json']);
  expect(status, err).toBe(0);
  return JSON.parse(out);
}

describe.skipIf(!existsSync(cases))('published tables', () => {
  describe('TokenPilot (cases §3)', () => {
    const table = ['tokenpilot-table.csv', '--unit', '1M'];
    const odd = [
      'PinchBench · Isolated Mode · MemoBrain',
      'PinchBench · Isolated Mode · MemOS',
      'Claw-Eval · Isolated Mode · LLMLingua-2',
      'Claw-Eval · Isolated Mode · SelectiveContext',
    ];

    it('agrees in 40 of 44 rows within 0.007 USD, and differs by at most 0.034 in the rest', async () => {
      const { totals, rows } = await reprice(...table, '--price', '0.75,0.075,,,4.50');
      expect(totals).toMatchObject({ compared: 44, fitting: 40 });
      expect(totals.largestDifference).toBeLessThan(0.034);
      expect(rows.filter(({ fits }) => !fits).map(({ label }) => label)).toEqual(odd);
    });

    it.each(['0.005', '0.007', '0.05'])('is solved with a tolerance of %s', async (tolerance) => {
      const { prices } = await reprice(...table, '--solve', '--tolerance', tolerance);
      expect(prices.usdPerMTok).toEqual({ fresh: 0.75, cacheRead: 0.075, output: 4.5 });
    });
  });

  describe('The Complexity Trap (cases §4)', () => {
    const table = [
      'complexity-trap-qwen3-32b.csv',
      '--map',
      'fresh=mean_prompt_tokens,output=mean_completion_tokens,requests=turn_count,cost=cost_recorded,label=strategy',
    ];

    it('means of an instance agree within 0.3 %', async () => {
      const { rows } = await reprice(...table, '--price', 'fresh=0.70,output=2.80');
      const means = new Map<string, number[]>();
      for (const strategy of new Set(rows.map(({ label }) => label))) {
        const own = rows.filter(({ label }) => label === strategy);
        expect(own).toHaveLength(500);
        means.set(strategy, [mean(own.map(({ usd }) => usd)), mean(own.map(({ publishedUsd }) => publishedUsd))]);
      }
      for (const [strategy, here, there] of [
        ['Raw Agent', 1.1188, 1.117],
        ['Observation Masking', 0.5554, 0.5538],
        ['LLM-Summary', 0.4861, 0.4853],
      ] as const) {
        const [usd = 0, published = 0] = means.get(strategy) ?? [];
        expect(usd).toBeCloseTo(here, 4);
        expect(published).toBeCloseTo(there, 4);
        expect(Math.abs(usd / published - 1)).toBeLessThan(0.003);
      }
    });

    it('is solved, although one row in twenty does not fit', async () => {
      expect((await reprice(...table, '--solve')).prices.usdPerMTok).toEqual({ fresh: 0.7, output: 2.8 });
    });
  });
});

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
