import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { resultSchema } from '../../src/results/result.ts';
import { writeNative } from '../../src/session/native.ts';
import { sessionOf } from '../sessions.ts';
import { tempFolder } from '../temp.ts';
import { ctxsim } from './run.ts';

let cwd: string;

beforeAll(() => {
  cwd = tempFolder();
  for (const n of [1, 2, 3, 4, 5, 6]) {
    const rounds = Array.from({ length: 6 }, () => ({ call: 80, result: 400 + 40 * n }));
    const session = sessionOf(
      Array.from({ length: 5 }, () => ({ prompt: 60, reply: 60, rounds })),
      { id: `s${n}` },
    );
    writeFileSync(join(cwd, `s${n}.jsonl`), `${[...writeNative(session)].join('\n')}\n`);
  }
});

const sweep = (...args: string[]) => ctxsim(cwd, ['sweep', 's*.jsonl', '--no-store', ...args]);
const jsonOf = async (...args: string[]) =>
  resultSchema.parse(JSON.parse((await sweep('--format', 'json', ...args)).out));

describe('ctxsim sweep', () => {
  test('the curve fits 80 columns: a row per point, bars from a zero line, the best marked', async () => {
    const { status, out, err } = await sweep('--policy', 'elide:recent_turns=0..4');
    expect([status, err]).toEqual([0, '']);
    const lines = out.split('\n');
    const head = lines.findIndex((line) => line.includes('point'));
    const curve = lines.slice(head, head + 7);
    expect(Math.max(...curve.map((line) => line.length))).toBeLessThanOrEqual(80);
    const zero = curve.slice(2).map((line) => line.indexOf('│'));
    expect(new Set(zero).size).toBe(1);
    expect(curve.filter((line) => line.startsWith('●')).join()).toContain('recent_turns=0');
    expect(out).toContain('picked on half of the sessions it saves');
  });

  test('the JSON is a result with a part of its own', async () => {
    const { rows, sweep: part } = await jsonOf('--policy', 'elide:recent_turns=0,1', '--seed', '7');
    expect(rows).toHaveLength(3);
    expect(part?.axes).toEqual([{ policy: 'elide', name: 'recent_turns', keys: ['recent_turns'], values: [0, 1] }]);
    expect(part?.scenarios[0]).toMatchObject({
      best: 'elide:recent_turns=0',
      crossValidation: { families: 6, splits: 200 },
    });
  });

  test('rows are those of replay', async () => {
    const args = ['s*.jsonl', '--policy', 'elide:recent_turns=0,1', '--format', 'json'];
    const replayed = resultSchema.parse(JSON.parse((await ctxsim(cwd, ['replay', ...args])).out));
    const { sweep: _, ...swept } = await jsonOf('--policy', 'elide:recent_turns=0,1');
    // Only what replay writes can be merged later.
    const { basis: _basis, ...rows } = replayed;
    expect(swept).toEqual(rows);
  });

  test('two settings of one policy are also a table of savings', async () => {
    const { out } = await sweep('--policy', 'bi:recent_turns_full=1,2,slack=0,1');
    expect(out).toMatch(/recent_turns_full \\ slack +0 +1\n1 +[-+0].* %/);
  });

  test('settings of the provider are axes too, each with a best point', async () => {
    const { sweep: part, rows } = await jsonOf('--policy', 'elide:recent_turns=0,1', '--ttl', '5m,1h');
    expect(rows).toHaveLength(6);
    expect(part?.scenarios.map(({ scenario }) => scenario)).toEqual(['ttl=5m', 'ttl=1h']);
  });

  test('with five sessions it says that the choice cannot be tested', async () => {
    const { out } = await ctxsim(cwd, ['sweep', 's[1-5].jsonl', '--no-store']);
    expect(out).toContain('too few independent sessions to choose on one half and test on the other (6 are needed)');
  });

  test.each(['csv', 'md'])('--format %s', async (format) => {
    const { status, out } = await sweep('--format', format, '--policy', 'elide:recent_turns=0,1');
    expect(status).toBe(0);
    expect(out).toContain(format === 'csv' ? 'elide:recent_turns=1' : '| ● | recent_turns=0 |');
  });
});

describe('the store', () => {
  const run = (...args: string[]) => ctxsim(cwd, ['sweep', 's*.jsonl', '--policy', 'elide:recent_turns=0,1', ...args]);

  test('gives the same bytes, and is the folder that was named', async () => {
    const fresh = await run('--no-store');
    expect((await run('--store', 'kept')).out).toBe(fresh.out);
    expect(readdirSync(join(cwd, 'kept'))).toHaveLength(6);
    expect(await run('--store', 'kept')).toEqual(fresh);
    expect((await ctxsim(cwd, ['store', '--store', 'kept'])).out).toMatch(/kept\noutcomes 6 · [\d,]+ bytes\n$/);
    expect((await ctxsim(cwd, ['store', '--store', 'kept', '--clear'])).out).toContain('removed: outcomes 6');
    expect(readdirSync(join(cwd, 'kept'))).toEqual([]);
  });

  test('is in the user’s cache folder unless told otherwise', async () => {
    const [home, cache] = [tempFolder(), tempFolder()];
    await ctxsim(cwd, ['sweep', 's1.jsonl'], { home });
    await ctxsim(cwd, ['sweep', 's1.jsonl'], { home, env: { XDG_CACHE_HOME: cache } });
    expect(readdirSync(join(home, '.cache', 'ctxsim'))).toHaveLength(1);
    expect(readdirSync(join(cache, 'ctxsim'))).toHaveLength(1);
  });

  test('refuses a model without a price, although a run that allowed it was kept', async () => {
    const session = { ...sessionOf([{ prompt: 60, reply: 60, rounds: [] }], { id: 'u' }), model: 'no-such-model-9' };
    writeFileSync(join(cwd, 'unknown.jsonl'), `${[...writeNative(session)].join('\n')}\n`);
    const args = ['sweep', 'unknown.jsonl', '--store', 'unpriced'];
    expect((await ctxsim(cwd, [...args, '--allow-unpriced'])).status).toBe(0);
    expect((await ctxsim(cwd, args)).status).toBe(2);
  });

  test('says which entries it could not use', async () => {
    const fresh = await run('--store', 'damaged');
    const [name = ''] = readdirSync(join(cwd, 'damaged'));
    const file = join(cwd, 'damaged', name);
    writeFileSync(file, readFileSync(file, 'utf8').slice(0, 300));
    const again = await run('--store', 'damaged');
    expect(again.out).toBe(fresh.out);
    expect(again.err).toBe('the store: damaged entries, replayed anew: 1 (ctxsim store --clear empties it)\n');
  });

  test('that cannot be written is said once, and costs nothing', async () => {
    const { status, err } = await run('--store', 's1.jsonl');
    expect(status).toBe(0);
    expect(err.match(/nothing was kept in/g)).toHaveLength(1);
  });

  test('keeps nothing of a policy that is a file', async () => {
    writeFileSync(
      join(cwd, 'mine.mjs'),
      'export default { summary: "x", create: () => ({ events: [], on: () => undefined }) };',
    );
    const { status } = await ctxsim(cwd, ['sweep', 's1.jsonl', '--policy', './mine.mjs', '--store', 'own']);
    expect([status, existsSync(join(cwd, 'own'))]).toEqual([0, false]);
  });
});
