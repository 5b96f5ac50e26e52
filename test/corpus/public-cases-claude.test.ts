import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { readFiles } from '../../src/run/read.ts';
import { Findings } from '../../src/session/findings.ts';
import { humanTurns } from '../../src/session/session.ts';
import { addUsage, zeroUsage } from '../../src/session/usage.ts';

const shared = process.env.CTXSIM_SHARED ?? fileURLToPath(new URL('../../../shared', import.meta.url));
const cases = join(shared, 'cases', 'public');

async function read(name: string) {
  const findings = new Findings();
  const sessions = [];
  for await (const file of readFiles({ paths: [`${name}.jsonl`], cwd: cases, findings }))
    sessions.push(...file.sessions);
  const billed = sessions.flatMap(({ requests, abandoned }) => [...requests, ...abandoned]);
  return {
    sessions: sessions.map(({ id, requests }) => [id.replace(/^.*\//, ''), requests.length] as const),
    turns: sessions.reduce((sum, session) => sum + humanTurns(session), 0),
    requests: billed.length,
    usage: billed.reduce((sum, { usage }) => addUsage(sum, usage ?? zeroUsage), zeroUsage),
    findings: findings.list().map(({ kind }) => kind),
  };
}

describe.skipIf(!existsSync(cases))('reported cases of Claude Code transcripts', () => {
  test('a gateway that gives all answers one id loses none', async () => {
    expect(await read('gateway-constant-id')).toMatchObject({
      requests: 5,
      turns: 2,
      usage: { fresh: 22_600, cacheRead: 83_400, output: 640 },
      findings: [],
    });
  });

  test('the attempt that served is billed, the refused one was free', async () => {
    expect(await read('claude-fallback-iteration')).toMatchObject({
      requests: 1,
      usage: { fresh: 412, output: 264, cacheRead: 0 },
      findings: [],
    });
  });

  test("commands of the user's own are turns", async () => {
    expect(await read('claude-own-slash-command')).toMatchObject({ turns: 2, requests: 4, findings: [] });
  });

  test('a sub-agent of which only the progress is there is billed as a session of its own', async () => {
    expect(await read('claude-progress-only-subagent')).toMatchObject({
      sessions: [
        ['44444444-4444-4444-8444-444444444444', 2],
        ['agent-abc123', 3],
      ],
      // Of the sub-agent: read 34,000, written 24,000, output 750.
      usage: { cacheRead: 20_000 + 34_000, cacheWrite5m: 24_000, cacheWrite1h: 20_300, output: 120 + 750 },
      findings: ['sub-agent-from-progress'],
    });
  });
});
