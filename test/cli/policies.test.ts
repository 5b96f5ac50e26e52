import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { resultSchema } from '../../src/results/result.ts';
import { writeNative } from '../../src/session/native.ts';
import type { Session } from '../../src/session/session.ts';
import { sessionOf } from '../sessions.ts';
import { tempFolder } from '../temp.ts';
import { ctxsim } from './run.ts';

let cwd: string;

/** Five turns of 10,000 tokens: prompt and reply of 200, and a call and a result of 100 and 9500. */
beforeAll(() => {
  cwd = tempFolder();
  const turns = Array.from({ length: 5 }, () => ({ prompt: 200, reply: 200, rounds: [{ call: 100, result: 9500 }] }));
  writeFileSync(join(cwd, 's.jsonl'), `${[...writeNative(sessionOf(turns))].join('\n')}\n`);
});

/** A window of 100,000 tokens leaves a budget of 34,000; high water is at 27,200. */
const replay = (...args: string[]) => ctxsim(cwd, ['replay', 's.jsonl', '--window', '100000', ...args]);

describe('a policy that calls a model', () => {
  test('shows how many calls it made and what they cost, as a part of the whole', async () => {
    const { out } = await replay('--format', 'json', '--policy', 'fold', '--policy', 'elide');
    const { rows } = resultSchema.parse(JSON.parse(out));
    const [full, folded, elided] = rows;
    // At turn 4 history has 30,000 tokens; 17,000 − 4000 leave one turn: two are folded. Of the later prompts, 200 are kept.
    expect(folded?.calls).toMatchObject({ total: 1, fresh: 1, oversized: 0 });
    expect(folded?.cost.summarizer).toBeCloseTo((20_600 * 3 + 1000 * 15) / 1e6, 12);
    expect(folded?.usage.fresh).toBe(20_600);
    expect(folded?.usage.output).toBe((full?.usage.output ?? 0) + 1000);
    for (const { cost } of rows) {
      expect(cost.total).toBeCloseTo(cost.fresh + cost.cacheRead + cost.cacheWrite + cost.output, 12);
    }
    expect(elided?.cost.summarizer).toBe(0);
  });

  test('has columns for that in the table, and the window that it went by', async () => {
    const { out } = await replay('--policy', 'fold');
    expect(out).toContain('for calls');
    expect(out).toContain('claude-sonnet-4-5 100,000; 32,000 of each are kept free');
    const { out: without } = await replay('--policy', 'elide');
    expect(without).not.toContain('for calls');
    expect(without).not.toContain('kept free');
  });

  test('names a model that has a price, or nothing runs', async () => {
    const { status, err } = await replay('--policy', 'heph:summarizer_model=claude-opus-9');
    expect(status).toBe(2);
    expect(err).toContain('no price for model "claude-opus-9"');
    expect((await replay('--policy', 'fold:summarizer_model=claude-haiku-4-5')).status).toBe(0);
  });
});

test('presets and chains are rows under their own names', async () => {
  const { out } = await replay('--format', 'json', '--policy', 'heph:recent_turns=0,1', '--policy', 'fold+elide');
  const { rows } = resultSchema.parse(JSON.parse(out));
  expect(rows.map(({ label, policy }) => [label, policy])).toEqual([
    ['full', 'full'],
    ['heph:recent_turns=0', 'heph'],
    ['heph:recent_turns=1', 'heph'],
    ['fold+elide', 'fold+elide'],
  ]);
  expect(rows[2]?.params).toMatchObject({ 'elide.recent_turns': 1, 'fold.recent_turns': 1 });
});

describe('rows when none are named', () => {
  const rowsOf = async (file: string, ...args: string[]) => {
    const { out } = await ctxsim(cwd, ['replay', file, '--format', 'json', ...args]);
    const { rows, assumptions } = resultSchema.parse(JSON.parse(out));
    return { rows, labels: rows.map(({ label }) => label), notes: assumptions.notes.join('\n') };
  };
  const elides = [0, 1, 2, 4].map((turns) => `elide:recent_turns=${turns}`);
  const writeSession = (name: string, session: Session) =>
    writeFileSync(join(cwd, name), `${[...writeNative(session)].join('\n')}\n`);
  const turnsOf = (count: number) =>
    Array.from({ length: count }, () => ({ prompt: 200, reply: 200, rounds: [{ call: 100, result: 9500 }] }));

  /** What is left of five turns once their results are stubs is above high water in a window of 100,000, and can be sent. */
  const longPrompts = [200, 9000, 9000, 9000, 9000].map((prompt) => ({
    prompt,
    reply: 200,
    rounds: [{ call: 100, result: 3000 }],
  }));

  test('heph stands where it folds, and elsewhere a note says whose row it shares', async () => {
    const small = await rowsOf('s.jsonl', '--window', '100000');
    expect(small.labels).toEqual(['full', ...elides, 'optimum']);
    expect(small.notes).toContain('came to the same in every session: heph as elide:recent_turns=0.');
    writeSession('prompts.jsonl', sessionOf(longPrompts));
    const { labels, notes, rows } = await rowsOf('prompts.jsonl', '--window', '100000');
    expect(labels).toEqual(['full', ...elides, 'heph', 'optimum']);
    expect(rows.at(-2)?.calls.total).toBeGreaterThan(0);
    expect(notes).not.toContain('came to the same');
  });

  test('bi stands where a session is long enough for it', async () => {
    writeSession('long.jsonl', sessionOf(turnsOf(12)));
    expect((await rowsOf('long.jsonl')).labels).toEqual(['full', ...elides, 'bi', 'optimum']);
  });

  test('a row that was asked for stands, whatever it comes to', async () => {
    const { labels } = await rowsOf('s.jsonl', '-p', 'elide', '-p', 'heph', '-p', 'bi');
    expect(labels).toEqual(['full', 'elide', 'heph', 'bi']);
  });

  test('a session that did not keep the sizes of a record has no heph, and every other row', async () => {
    const session = sessionOf(longPrompts);
    const blocks = session.blocks.map((block) =>
      block.callId === undefined ? block : { ...block, action: 'exec' as const },
    );
    writeSession('bare.jsonl', { ...session, blocks });
    expect((await rowsOf('bare.jsonl', '--window', '100000')).labels).toEqual(['full', ...elides, 'optimum']);
    const { rows, notes } = await rowsOf('bare.jsonl', '--window', '100000', '-p', 'heph', '-p', 'elide');
    expect(rows.map(({ verdict }) => verdict)).toEqual(['baseline', 'not applicable', 'saves']);
    expect(rows.map(({ cost }) => cost.total === null)).toEqual([false, true, false]);
    expect(notes).toContain('some policies need sizes of derived texts');
    const refused = await ctxsim(cwd, ['replay', 'bare.jsonl', '--window', '100000', '--baseline', 'heph']);
    expect([refused.status, refused.err.includes('fold needs the size of')]).toEqual([2, true]);
  });
});

describe('list policies', () => {
  const entries = async (...args: string[]) => {
    const { out } = await ctxsim(cwd, ['list', 'policies', ...args, '--format', 'json']);
    return JSON.parse(out) as Record<string, unknown>[];
  };

  test('has families with their settings, and presets with policy, origin, date and evidence', async () => {
    const all = await entries();
    const presets = all.filter(({ kind }) => kind === 'preset');
    expect(presets.length).toBeGreaterThanOrEqual(40);
    for (const preset of presets) {
      for (const key of ['summary', 'policy', 'origin', 'date', 'evidence']) expect(preset[key]).toBeTruthy();
    }
    for (const { params } of presets) expect(params).toBeInstanceOf(Array);
    for (const family of all.filter(({ kind }) => kind === 'family')) expect(family.params).toBeInstanceOf(Array);
  });

  test('says what a preset needs of a session', async () => {
    expect(await entries('claude-code-micro-time')).toMatchObject([{ needs: 'times, tools' }]);
    expect((await entries('pi'))[0]).not.toHaveProperty('needs');
  });

  test('shows what a preset sets under the names that are typed, each once', async () => {
    const params = (name: string) =>
      entries(name).then(([entry]) => entry?.params as { name: string; default: unknown }[]);
    const heph = await params('heph');
    expect(heph.filter((param) => param.name === 'recent_turns')).toMatchObject([{ default: 0 }]);
    expect(heph.find((param) => param.name === 'high_water')?.default).toBe(0.8);
    const idle = await params('claude-code-idle');
    expect(idle.find((param) => param.name === 'trigger')?.default).toBe('100000 + 0');
  });

  test('shows one in words', async () => {
    const { out } = await ctxsim(cwd, ['list', 'policies', 'heph']);
    expect(out).toContain('policy: elide+fold');
    expect(out).toContain('evidence: documentation');
  });
});
