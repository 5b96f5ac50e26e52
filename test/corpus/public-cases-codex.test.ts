import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { resultSchema } from '../../src/results/result.ts';
import { readFiles } from '../../src/run/read.ts';
import { Findings } from '../../src/session/findings.ts';
import { humanTurns } from '../../src/session/session.ts';
import { addUsage, zeroUsage } from '../../src/session/usage.ts';
import { ctxsim } from '../cli/run.ts';

const shared = process.env.CTXSIM_SHARED ?? fileURLToPath(new URL('../../../shared', import.meta.url));
const cases = join(shared, 'cases/public');

/** What a case's page expects: turns, requests with those outside the conversation, tokens, US dollars, and what is not found. */
const expected = [
  [
    'codex-compaction-in-ledger.jsonl',
    2,
    5,
    1,
    [1800, 31_200, 14_000, 1650],
    0.1227,
    'compaction-request-not-recorded',
  ],
  ['codex-ledger-only.jsonl', 1, 3, 0, [1500, 19_200, 10_800, 600], 0.0797, 'no-usage'],
  ['codex-paginated-tagged-prompt.jsonl', 2, 3, 0, [1500, 19_200, 10_800, 600], 0.0797, 'unmatched-user-message'],
  ['codex-restored-baseline.jsonl', 3, 5, 0, [1800, 40_400, 11_900, 1300], 0.1089, 'request-without-usage'],
  ['codex-service-tier.jsonl', 1, 3, 0, [1500, 19_200, 10_800, 600], 0.1594, 'service-tier'],
  ['pi-compaction-usage.jsonl', 3, 4, 1, [42_030, 40_000, 47_000, 2400], 0.3503, 'compaction-request-not-recorded'],
  ['log-newest-first.csv', 1, 5, 0, [0, 83_400, 22_600, 640], 0.1194, 'single-request-session'],
] as const;

describe.skipIf(!existsSync(cases))('public cases of Codex, pi and request logs', () => {
  it.each(expected)('%s', async (file, turns, requests, aside, tokens, dollars, absent) => {
    const findings = new Findings();
    const read = { paths: [file], cwd: cases, findings };
    const sessions = [];
    for await (const it of readFiles(read)) sessions.push(...it.sessions);
    const billed = sessions.flatMap((session) => [...session.requests, ...session.abandoned]);
    const usage = billed.reduce((sum, it) => addUsage(sum, it.usage ?? zeroUsage), zeroUsage);
    expect(sessions.map(humanTurns)).toEqual([turns]);
    expect(billed).toHaveLength(requests);
    expect(sessions[0]?.abandoned).toHaveLength(aside);
    expect([usage.fresh, usage.cacheRead, usage.cacheWrite5m + usage.cacheWrite1h, usage.output]).toEqual(tokens);
    expect(findings.count(absent)).toBe(0);
    expect(await recordedDollars(file)).toBeCloseTo(dollars, 4);
  });

  it('the recorded tier of Codex is that of every request', async () => {
    const read = { paths: ['codex-service-tier.jsonl'], cwd: cases, findings: new Findings() };
    for await (const { sessions } of readFiles(read))
      expect(sessions[0]?.requests.map(({ tier }) => tier)).toEqual(['fast', 'fast', 'fast']);
  });
});

async function recordedDollars(file: string): Promise<number | null> {
  const { out, err } = await ctxsim(cases, ['replay', file, '--policy', 'full', '--format', 'json']);
  return resultSchema.parse(JSON.parse(out || err)).corpus.recordedUsd;
}
