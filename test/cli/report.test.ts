import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { resultSchema } from '../../src/results/result.ts';
import { jsonSchemas } from '../../src/results/schemas.ts';
import { writeNative } from '../../src/session/native.ts';
import { sessionOf } from '../sessions.ts';
import { tempFolder } from '../temp.ts';
import { ctxsim } from './run.ts';

let cwd: string;
const read = (name: string) => readFileSync(join(cwd, name), 'utf8');

beforeAll(async () => {
  cwd = tempFolder();
  for (const n of [1, 2, 3, 4, 5, 6]) {
    const turns = Array.from({ length: 3 }, () => ({
      prompt: 60,
      reply: 60,
      pauseSeconds: n === 3 ? 900 : 0,
      rounds: Array.from({ length: 3 }, () => ({ call: 80, result: 500 + 90 * n })),
    }));
    const lines = [...writeNative(sessionOf(turns, { id: `s${n}` }))];
    writeFileSync(join(cwd, `s${n}.jsonl`), `${lines.join('\n')}\n`);
  }
  await replay(['s1.jsonl', 's4.jsonl', 'gone-wrong.jsonl'], 'a.json');
  await replay(['s2.jsonl', 's6.jsonl'], 'b.json');
  await replay(['s3.jsonl', 's5.jsonl'], 'c.json');
  await replay(
    ['s1.jsonl', 's2.jsonl', 's3.jsonl', 's4.jsonl', 's5.jsonl', 's6.jsonl', 'gone-wrong.jsonl'],
    'all.json',
  );
});

async function replay(files: readonly string[], output: string, flags: readonly string[] = []) {
  writeFileSync(join(cwd, 'gone-wrong.jsonl'), '{"hello":"world"}\n');
  const { status, err } = await ctxsim(cwd, ['replay', ...files, '-q', '-o', output, ...flags]);
  expect([status, err.replace(/^left out.*\n/, '')]).toEqual([0, '']);
}

describe('ctxsim report', () => {
  test('one result, in every format, as the replay itself would have printed it', async () => {
    for (const format of ['table', 'json', 'github']) {
      const again = await ctxsim(cwd, ['report', 'a.json', '--format', format]);
      const first = await ctxsim(cwd, ['replay', 's1.jsonl', 's4.jsonl', 'gone-wrong.jsonl', '--format', format]);
      expect(again.out, format).toBe(first.out);
    }
  });

  test('parts of a corpus, merged in any order, are the bytes of one run over all of it', async () => {
    for (const order of [
      ['a', 'b', 'c'],
      ['c', 'a', 'b'],
    ]) {
      const { status, out } = await ctxsim(cwd, ['report', ...order.map((name) => `${name}.json`), '--format', 'json']);
      expect(status).toBe(0);
      expect(out).toBe(read('all.json'));
    }
  });

  test('merging is associative, and merged results can be merged again', async () => {
    await ctxsim(cwd, ['report', 'b.json', 'c.json', '-o', 'bc.json']);
    const { out } = await ctxsim(cwd, ['report', 'bc.json', 'a.json', '--format', 'json']);
    expect(out).toBe(read('all.json'));
  });

  test('scenarios stay apart in a merge', async () => {
    const flags = ['--ttl', '5m,1h', '--policy', 'elide:recent_turns=0'];
    await replay(['s1.jsonl', 's3.jsonl'], 'x.json', flags);
    await replay(['s2.jsonl'], 'y.json', flags);
    await replay(['s1.jsonl', 's2.jsonl', 's3.jsonl'], 'xy.json', flags);
    const { out } = await ctxsim(cwd, ['report', 'y.json', 'x.json', '--format', 'json']);
    expect(out).toBe(read('xy.json'));
  });

  test.each([
    [['--policy', 'elide:recent_turns=3'], 'and ["full","elide:recent_turns=3"])'],
    [['--baseline', 'elide:recent_turns=0'], 'rows ('],
    [['--ttl', '1h'], 'ttl ("1h" and "recorded")'],
    [['--as-of', '2026-03-01'], 'prices ('],
    [['--service-tier', 'batch'], 'service ('],
  ])('refuses to merge what was made with %j, and says so', async (flags, words) => {
    await replay(['s3.jsonl'], 'other.json', flags);
    const { status, out, err } = await ctxsim(cwd, ['report', 'other.json', 'a.json']);
    expect([status, out]).toEqual([2, '']);
    expect(err).toContain('a.json and other.json cannot be merged: they differ in ');
    expect(err.replaceAll('"recorded" and "1h"', '"1h" and "recorded"')).toContain(words);
  });

  test.each([
    ['none.json', undefined, 'none.json: ENOENT'],
    ['text.json', 'hello', 'text.json: not JSON: '],
    ['empty.json', '{}', 'empty.json: not a result of schema ctxsim.result/1: no schema is named in it'],
    ['next.json', '{"schema":"ctxsim.result/2"}', 'its schema is "ctxsim.result/2"'],
    ['short.json', '{"schema":"ctxsim.result/1","answer":""}', 'short.json: at rows: '],
  ])('%s: exit 2, names the file, the place and the command that makes one', async (name, text, words) => {
    if (text !== undefined) writeFileSync(join(cwd, name), text);
    const { status, err } = await ctxsim(cwd, ['report', name]);
    expect(status).toBe(2);
    expect(err).toContain(words);
    expect(err).toContain(`ctxsim replay PATHS -o RESULT.json`);
  });

  test.each(['refetch', 'even'] as const)('a bill of %s that points nowhere is refused', async (kind) => {
    const result = resultSchema.parse(JSON.parse(read('a.json')));
    const nowhere = [[999, 0, 0, 0, 0, 0]];
    const best = result.basis?.sessions[0]?.[0]?.rows[0]?.best;
    Object.assign(best ?? {}, {
      refetch: { elided: 0, atRisk: 0, bill: kind === 'refetch' ? nowhere : [] },
      even: { atLifetimes: kind === 'even' ? [nowhere] : [] },
    });
    writeFileSync(join(cwd, 'nowhere.json'), JSON.stringify(result));
    const { status, err } = await ctxsim(cwd, ['report', 'nowhere.json', 'b.json']);
    expect(status).toBe(2);
    expect(err).toContain('nowhere.json: at basis.sessions.0.0.rows');
  });

  test('a rate below zero is refused', async () => {
    const result = resultSchema.parse(JSON.parse(read('a.json')));
    for (const { rates } of result.basis?.rates ?? []) rates.fresh = -1;
    writeFileSync(join(cwd, 'negative.json'), JSON.stringify(result));
    expect((await ctxsim(cwd, ['report', 'negative.json'])).err).toContain('at basis.rates.0.rates.fresh');
  });

  test('bills that point nowhere, a session twice and a result without a basis are refused', async () => {
    const result = resultSchema.parse(JSON.parse(read('a.json')));
    result.basis?.rates.splice(0);
    writeFileSync(join(cwd, 'no-rates.json'), JSON.stringify(result));
    expect((await ctxsim(cwd, ['report', 'no-rates.json'])).err).toContain('no-rates.json: at basis.sessions.0.0.rows');
    expect((await ctxsim(cwd, ['report', 'a.json', 'all.json'])).err).toContain(
      'session s1 is in a.json and in all.json',
    );
    writeFileSync(join(cwd, 'bare.json'), JSON.stringify({ ...result, basis: undefined }));
    expect((await ctxsim(cwd, ['report', 'bare.json'])).status).toBe(0);
    expect((await ctxsim(cwd, ['report', 'bare.json', 'b.json'])).err).toContain('bare.json: it has no "basis"');
  });
});

describe('what is written', () => {
  test('the longest ending decides, and the job summary gets what is meant for GitHub', async () => {
    const summary = join(cwd, 'summary.md');
    writeFileSync(summary, 'before\n');
    const env = { GITHUB_STEP_SUMMARY: summary };
    const files = ['r.junit.xml', 'r.github.md', 'r.bench.json'];
    await ctxsim(cwd, ['report', 'a.json', ...files.flatMap((file) => ['-o', file])], { env });
    expect(read('r.junit.xml')).toMatch(/^<\?xml/);
    expect(read('r.bench.json')).toMatch(/^\[/);
    expect(read('summary.md')).toBe(`before\n${read('r.github.md')}`);
    writeFileSync(summary, 'x'.repeat(899_990));
    const full = await ctxsim(cwd, ['report', 'a.json', '-o', 'r.github.md'], { env });
    expect(full).toMatchObject({ status: 0, err: 'the job summary is full: nothing was added to it\n' });
    expect(read('summary.md')).toHaveLength(899_990);
    const none = { GITHUB_STEP_SUMMARY: join(cwd, 'none', 'summary.md') };
    const lost = await ctxsim(cwd, ['report', 'a.json', '-o', 'r.github.md'], { env: none });
    expect([lost.status, lost.err]).toEqual([2, expect.stringMatching(/^ctxsim: \$GITHUB_STEP_SUMMARY .*ENOENT/)]);
  });

  test('results and explanations fit the schemas that ship, which know no other keys', async () => {
    const schemas = jsonSchemas() as Record<string, Parameters<typeof z.fromJSONSchema>[0]>;
    const schemaOf = (name: string) => z.fromJSONSchema(schemas[name] as Parameters<typeof z.fromJSONSchema>[0]);
    const result = JSON.parse(read('a.json'));
    expect(schemaOf('result.json').safeParse(result).error).toBeUndefined();
    expect(schemaOf('result.json').safeParse({ ...result, extra: 1 }).success).toBe(false);
    const { out } = await ctxsim(cwd, ['explain', 's1.jsonl', '--format', 'json']);
    expect(schemaOf('explanation.json').safeParse(JSON.parse(out)).error).toBeUndefined();
    expect(schemaOf('explanation.json').safeParse(result).success).toBe(false);
  });
});
