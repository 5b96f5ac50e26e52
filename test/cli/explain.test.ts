import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { explanationSchema } from '../../src/results/explanation.ts';
import { writeNative } from '../../src/session/native.ts';
import { sessionOf } from '../sessions.ts';
import { tempFolder } from '../temp.ts';
import { ctxsim } from './run.ts';

const cwd = tempFolder();
const turn = { prompt: 100, rounds: [{ call: 50, result: 1000 }], reply: 20 };
for (const name of ['a', 'b']) {
  const session = sessionOf([turn, { ...turn, pauseSeconds: 600 }, turn], { id: name });
  writeFileSync(join(cwd, `${name}.jsonl`), `${[...writeNative(session)].join('\n')}\n`);
}

describe('ctxsim explain', () => {
  test('one session: sentences, parts that add up to the bill, every request with its causes', async () => {
    const { status, out } = await ctxsim(cwd, ['explain', 'a.jsonl', '--format', 'json']);
    expect(status).toBe(0);
    const explanation = explanationSchema.parse(JSON.parse(out));
    expect(explanation.requests).toHaveLength(6);
    const total = explanation.parts.reduce((sum, { usd }) => sum + usd, 0);
    expect(total).toBeCloseTo(explanation.usd, 12);
    expect(explanation.requests.reduce((sum, { usd }) => sum + usd, 0)).toBeCloseTo(explanation.usd, 12);
    // The pause: 3,150 tokens written once more at 3.75 instead of 0.30 USD per million.
    expect(explanation.resentTokens).toBe(3150);
    expect(explanation.requests[2]?.resent).toMatchObject([{ cause: 'expired', tokens: 3150 }]);
    expect(explanation.requests[2]?.resent[0]?.extraUsd).toBeCloseTo((3150 * (3.75 - 0.3)) / 1e6, 12);

    const table = await ctxsim(cwd, ['explain', 'a.jsonl', '--policy', 'elide:recent_turns=0']);
    expect(table.out).toContain('Under elide:recent_turns=0 the 6 requests cost');
    expect(table.out).toContain('from block 3 of turn 1 on (result of an earlier turn elided)');
  });

  test('several: the sessions, dearest first, and no requests', async () => {
    const { out } = await ctxsim(cwd, ['explain', 'a.jsonl', 'b.jsonl']);
    expect(out).toContain('of 2 sessions cost');
    expect(out).toContain('What broke the cache most: the cache entry had expired');
    const elided = await ctxsim(cwd, ['explain', 'a.jsonl', 'b.jsonl', '--policy', 'elide:recent_turns=1']);
    // The command explains the same bill.
    expect(elided.out).toMatch(/with: ctxsim explain [ab]\.jsonl --policy elide:recent_turns=1\n/);
    const csv = await ctxsim(cwd, ['explain', 'a.jsonl', 'b.jsonl', '--format', 'csv']);
    expect(csv).toMatchObject({ status: 2, out: '' });
    expect(csv.err).toContain('lists the requests of one session');
  });

  test('csv: a line per request, numbers unrounded', async () => {
    const { out } = await ctxsim(cwd, ['explain', 'a.jsonl', '--format', 'csv']);
    const lines = out.trim().split('\n');
    expect(lines).toHaveLength(7);
    expect(lines[3]).toContain('the cache entry had expired: 3150');
  });

  test('several policies or models are refused', async () => {
    const policies = await ctxsim(cwd, ['explain', 'a.jsonl', '--policy', 'elide:recent_turns=0,1']);
    expect(policies).toMatchObject({ status: 2 });
    expect(policies.err).toContain('stands for 2 policies');
    const ttls = await ctxsim(cwd, ['explain', 'a.jsonl', '--ttl', '5m,1h']);
    expect(ttls.err).toContain('take one value each');
  });
});
