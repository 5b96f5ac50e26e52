import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Result, resultSchema } from '../../src/results/result.ts';
import { writeNative } from '../../src/session/native.ts';
import { sessionOf } from '../sessions.ts';
import { tempFolder } from '../temp.ts';
import { ctxsim } from './run.ts';

const cwd = tempFolder();
const rounds = Array.from({ length: 5 }, () => ({ call: 80, result: 900 }));
const turns = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ prompt: 100, rounds, reply: 200, pauseSeconds: at === 2 ? 400 : 60 }));
for (const [name, count] of [
  ['long', 5],
  ['short', 3],
  ['brief', 2],
] as const) {
  const session = sessionOf(turns(count), { system: 8000 });
  writeFileSync(join(cwd, `${name}.jsonl`), `${[...writeNative({ ...session, id: name })].join('\n')}\n`);
}
const policies = ['--policy', 'elide:recent_turns=0..2'];

async function replayed(files: readonly string[], ...more: string[]): Promise<void> {
  const { status, err } = await ctxsim(cwd, ['replay', ...files, ...policies, '-q', ...more]);
  expect({ status, err }).toEqual({ status: 0, err: '' });
}

function read(name: string): string {
  return readFileSync(join(cwd, name), 'utf8');
}

function resultIn(name: string): Result {
  return resultSchema.parse(JSON.parse(read(name)));
}

const all = ['long.jsonl', 'short.jsonl', 'brief.jsonl'];

describe('replay -o FILE.html', () => {
  it('writes a page; beside it, the other formats say what they say without it', async () => {
    await replayed(all, '-o', 'with.html', '-o', 'with.json', '-o', 'with.txt');
    await replayed(all, '-o', 'without.json', '-o', 'without.txt');
    expect(read('with.html')).toMatch(/^<!doctype html>\n[\s\S]*<\/html>\n$/);
    expect(read('with.txt')).toBe(read('without.txt'));
    const { detail, ...rest } = resultIn('with.json');
    expect(rest).toEqual(resultIn('without.json'));
    expect(detail).toBeDefined();
  });

  it('is the same page twice, and on standard output', async () => {
    await replayed(all, '-o', 'twice.html');
    const { out } = await ctxsim(cwd, ['replay', ...all, ...policies, '-q', '--format', 'html']);
    expect(out === read('twice.html')).toBe(true);
  });

  it('keeps parts that add up to the bill of every row, to the token', async () => {
    await replayed(all, '-o', 'parts.html', '-o', 'parts.json');
    const { rows, detail } = resultIn('parts.json');
    expect(detail?.parts.map(({ label }) => label)).toEqual(rows.map(({ label }) => label));
    for (const [at, { parts }] of (detail?.parts ?? []).entries()) {
      const { usage, cost } = rows[at] as Result['rows'][number];
      const tokens = Object.values(usage).reduce((sum, count) => sum + count, 0);
      expect(parts.reduce((sum, part) => sum + part.tokens, 0)).toBe(tokens);
      expect(parts.reduce((sum, part) => sum + part.usd, 0)).toBeCloseTo(cost.total ?? Number.NaN, 9);
    }
  });

  it('keeps the requests of the dearest session, whatever the order, under the baseline and the best setting', async () => {
    for (const [at, files] of [all, [...all].reverse()].entries()) {
      await replayed(files, '-o', `trace-${at}.html`, '-o', `trace-${at}.json`);
      const { detail, sessions } = resultIn(`trace-${at}.json`);
      expect(detail?.trace?.id).toBe('long');
      expect(detail?.trace?.rows.map(({ label }) => label)).toEqual(['full', 'elide:recent_turns=0']);
      for (const { label, requests } of detail?.trace?.rows ?? []) {
        const usd = sessions.find(({ id }) => id === 'long')?.cost[label];
        expect(requests.length).toBe(30);
        expect(requests.reduce((sum, request) => sum + request.usd, 0)).toBeCloseTo(usd as number, 9);
      }
    }
  });

  it('shows no session that the baseline could not send', async () => {
    await replayed(all, '--window', '28000', '--output-reserve', '0', '-o', 'small.html', '-o', 'small.json');
    const { rows, detail } = resultIn('small.json');
    expect(rows[0]?.sessions.unsendable).toBe(1);
    expect(detail?.trace?.id).toBe('short');
  });

  it('names the rows of several scenarios as the table does', async () => {
    await replayed(all, '--ttl', '5m,1h', '-o', 'two.html', '-o', 'two.json');
    const { rows, detail } = resultIn('two.json');
    expect(detail?.parts.map(({ label }) => label)).toEqual(rows.map(({ label }) => label));
    const labels = new Set(rows.map(({ label }) => label));
    expect(detail?.trace?.rows.every(({ label }) => labels.has(label))).toBe(true);
    expect(read('two.html')).toContain('full [ttl=1h]');
  });

  it('draws a sweep', async () => {
    const { status } = await ctxsim(cwd, ['sweep', ...all, '--no-store', '-q', '-o', 'sweep.html']);
    expect(status).toBe(0);
    expect(read('sweep.html')).toContain('id="curve-0"');
  });

  it('shows the dearest session of a sweep, from the store or not, and keeps no more there for it', async () => {
    const swept = async (name: string, ...more: string[]) => {
      const { status } = await ctxsim(cwd, ['sweep', ...all, ...policies, '-q', '-o', name, ...more]);
      expect(status).toBe(0);
    };
    await swept('fresh.html', '-o', 'fresh.json', '--no-store');
    const { trace, parts } = resultIn('fresh.json').detail ?? {};
    expect(parts).toEqual([]);
    expect(trace?.id).toBe('long');
    expect(trace?.rows.map(({ label, requests }) => [label, requests.length])).toEqual([
      ['full', 30],
      ['elide:recent_turns=0', 30],
    ]);
    await swept('plain.txt', '--store', 'kept');
    const kept = readdirSync(join(cwd, 'kept')).map((name) => readFileSync(join(cwd, 'kept', name), 'utf8'));
    await swept('stored.html', '--store', 'kept');
    expect(readdirSync(join(cwd, 'kept')).map((name) => readFileSync(join(cwd, 'kept', name), 'utf8'))).toEqual(kept);
    expect(read('stored.html') === read('fresh.html')).toBe(true);
    expect(read('fresh.html')).toContain('id="strips"');
  });

  it('traces of a sweep what replay traces', async () => {
    await replayed(all, '-o', 'same.html', '-o', 'same.json');
    await ctxsim(cwd, ['sweep', ...all, ...policies, '--no-store', '-q', '-o', 'swept.html', '-o', 'swept.json']);
    expect(resultIn('swept.json').detail?.trace).toEqual(resultIn('same.json').detail?.trace);
  });

  it('shows of a recommendation the row that it talks of', async () => {
    const args = [
      'recommend',
      ...all,
      '--family',
      'heph',
      '--no-store',
      '-q',
      '-o',
      'advice.html',
      '-o',
      'advice.json',
    ];
    expect((await ctxsim(cwd, args)).status).toBe(0);
    const { recommendation, detail } = resultIn('advice.json');
    const row = recommendation?.set ?? recommendation?.shown[0]?.label;
    expect(row).toBeDefined();
    expect(detail?.trace?.rows.map(({ label }) => label)).toEqual(['full', row]);
    expect(read('advice.html')).toContain('id="strips"');
  });
});
