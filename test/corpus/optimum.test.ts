import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parsePolicies, policies } from '../../src/policies/index.ts';
import { loadPriceBook } from '../../src/providers/index.ts';
import { replayFiles } from '../../src/run/index.ts';
import { Findings } from '../../src/session/findings.ts';

const corpus = `${process.env.CTXSIM_SHARED ?? fileURLToPath(new URL('../../../shared', import.meta.url))}/corpus`;
const prices = await loadPriceBook();
const rows = parsePolicies(['full', 'elide:recent_turns=0,1,2,4', 'optimum'], policies);
const common = { baseline: 0, outputReserve: 32_000 };

async function replay(folder: string) {
  const read = { paths: [`${corpus}/${folder}`], cwd: corpus, findings: new Findings() };
  const job = { ...common, rows, prices, ttl: 'recorded' as const, recordedEvents: true, expectLosses: false };
  const meta = { ...common, version: 'test', prices: prices.id, seed: 1, pricedAt: '-', expectsLosses: false };
  const named = rows.map(({ kind, settings, label }) => ({ policy: kind.name, params: settings, label }));
  const { result } = await replayFiles(read, job, { ...meta, rows: named });
  if (!result) throw new Error('nothing to replay');
  return result;
}

describe.skipIf(!existsSync(corpus))('the optimum of real sessions', () => {
  it.each(['claude-code', 'codex', 'pi'])(
    '%s: no session is cheaper under a window, and the bound lies above it',
    async (folder) => {
      const { rows: pooled, sessions, corpus: all } = await replay(folder);
      const best = pooled.at(-1);
      for (const { cost } of sessions) {
        for (const usd of Object.values(cost)) {
          if (usd !== null && cost.optimum != null) expect(usd).toBeGreaterThanOrEqual(cost.optimum - 1e-9);
        }
      }
      for (const { regret } of pooled.slice(0, -1)) expect(regret).toBeGreaterThanOrEqual(0);
      expect(all.bound).toBeGreaterThan(best?.saving ?? 1);
    },
  );
});
