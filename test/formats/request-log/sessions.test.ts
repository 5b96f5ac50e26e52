import { describe, expect, test } from 'vitest';
import { humanTurns } from '../../../src/session/index.ts';
import { blocksOf, readLog, row } from './log.ts';

describe('blocks from differences', () => {
  test('first the reply before, then what the request brought', async () => {
    const { sessions } = await readLog([
      row('a', 0, 1000, 50, 'text'),
      row('a', 10, 1250, 70),
      row('a', 20, 1400, 90, 'text'),
    ]);
    expect(blocksOf(sessions[0])).toEqual([
      'system 1000',
      'call 50',
      'result 200',
      'reply 70',
      'prompt 80',
      'reply 90',
    ]);
    expect(sessions[0]?.requests.map(({ at, outputs, turn }) => [at, outputs, turn])).toEqual([
      [1, 1, 0],
      [3, 1, 0],
      [5, 1, 1],
    ]);
    expect(sessions[0]?.turns).toEqual([{ firstBlock: 1 }, { firstBlock: 4 }]);
  });

  test('a call and its result are a pair', async () => {
    const { sessions } = await readLog([row('a', 0, 100, 5), row('a', 1, 200, 5), row('a', 2, 300, 5)]);
    const ids = sessions[0]?.blocks.map(({ kind, callId }) => [kind, callId]).filter(([, callId]) => callId);
    expect(ids).toEqual([
      ['call', 'call-1'],
      ['result', 'call-1'],
      ['call', 'call-2'],
      ['result', 'call-2'],
    ]);
  });

  test('a reply that the next prompt does not show in full enters only as far as it grew, and is billed in full', async () => {
    const { sessions } = await readLog([row('a', 0, 1000, 500, 'text'), row('a', 10, 1100, 7), row('a', 20, 1100, 7)]);
    expect(blocksOf(sessions[0])).toEqual(['system 1000', 'reply 100', 'reply 0', 'reply 7']);
    expect(sessions[0]?.requests.map(({ totals }) => totals)).toEqual([
      { prompt: 1000, output: 500 },
      { prompt: 1100, output: 7 },
      { prompt: 1100, output: 7 },
    ]);
    expect(sessions[0]?.requests.every(({ usage }) => usage === undefined)).toBe(true);
  });

  test('a result of which nothing is seen is none, so it is not among the newest', async () => {
    const { sessions } = await readLog([
      row('a', 0, 1000, 50, 'text'),
      row('a', 10, 1050, 20),
      row('a', 20, 1100, 20),
      row('a', 30, 1110, 20, 'text'),
    ]);
    expect(blocksOf(sessions[0])).toEqual([
      'system 1000',
      'reply 50',
      'call 20',
      'result 30',
      'reply 10',
      'prompt 0',
      'reply 20',
    ]);
    expect(sessions[0]?.turns).toHaveLength(2);
  });

  test('words beside a tool result are a step, and what is neither is no result', async () => {
    const { sessions } = await readLog([
      row('a', 0, 100, 0, 'text'),
      row('a', 1, 200, 0, 'text+thinking+tool_result+tool_use'),
      row('a', 2, 300, 0, 'image'),
      row('a', 3, 400, 0, 'text+thinking'),
    ]);
    expect(sessions[0]?.blocks.map(({ kind }) => kind).filter((kind) => kind !== 'reply')).toEqual([
      'system',
      'call',
      'result',
      'meta',
      'prompt',
    ]);
    expect(sessions.map(humanTurns)).toEqual([2]);
  });

  test('the named prefix stands first and is warm; the rest of the opening is no turn', async () => {
    const rows = [row('a', 0, 1000, 1, 'text'), row('a', 1, 1200, 1)].map((it) => ({ ...it, tools: 300, system: 200 }));
    const { sessions } = await readLog(rows, { prefix: 'tools+system' });
    expect(blocksOf(sessions[0]).slice(0, 2)).toEqual(['system 500', 'meta 500']);
    expect(sessions[0]).toMatchObject({ warmBlocks: 1, turns: [{ firstBlock: 2 }] });
    const larger = await readLog(
      rows.map((it) => ({ ...it, tools: 3000 })),
      { prefix: 'tools+system' },
    );
    expect(blocksOf(larger.sessions[0]).slice(0, 2)).toEqual(['system 1000', 'call 1']);
  });
});

describe('sessions', () => {
  test('a prompt that is smaller than the one before starts the next session', async () => {
    const { sessions, findings } = await readLog([
      row('a', 0, 100, 1),
      row('a', 1, 200, 1),
      row('a', 2, 150, 1),
      row('a', 3, 150, 1),
      row('a', 4, 20, 1),
    ]);
    expect(sessions.map(({ id, requests }) => [id, requests.length])).toEqual([
      ['a', 2],
      ['a#2', 2],
    ]);
    expect(findings).toMatchObject([
      { kind: 'context-shrank', count: 2, first: 'log.csv:4' },
      { kind: 'single-request-session', count: 1 },
    ]);
  });

  test('rows of several sessions may stand among each other', async () => {
    const { sessions } = await readLog([
      row('b', 0, 10, 1),
      row('a', 0, 10, 1),
      row('b', 1, 20, 1),
      row('a', 1, 20, 1),
    ]);
    expect(sessions.map(({ id }) => id)).toEqual(['b', 'a']);
  });
});

describe('what a log may leave out or say more', () => {
  test('cache classes are usage, and the prompt is their sum', async () => {
    const rows = [0, 1].map((at) => ({ session: 's', fresh: 10, read: 80 + at, write5m: 5, write1h: '', output: 3 }));
    const { sessions } = await readLog(rows, {});
    expect(sessions[0]?.requests[1]?.usage).toEqual({
      fresh: 10,
      cacheRead: 81,
      cacheWrite5m: 5,
      cacheWrite1h: 0,
      output: 3,
    });
    expect(blocksOf(sessions[0])[0]).toBe('system 95');
  });

  test('beside the whole input, what is neither read nor written is fresh', async () => {
    const rows = [100, 120].map((input) => ({ session: 's', input, read: 80, output: 3 }));
    expect((await readLog(rows)).sessions[0]?.requests[0]?.usage).toMatchObject({ fresh: 20, cacheRead: 80 });
  });

  test.each([
    ['seconds', [0, '1.5'], [0, 1500]],
    ['seconds of the epoch', [1767225600, '1767225600.25'], [1767225600000, 1767225600250]],
    ['milliseconds', ['1767225600000', 1767225600001], [1767225600000, 1767225600001]],
    ['text', ['2026-01-01T00:00:00Z', '2026-01-01 00:00:01'], [1767225600000, 1767225601000]],
    ['nothing', ['', 'soon'], [undefined, undefined]],
  ])('times as %s', async (_, times, expected) => {
    const { sessions } = await readLog(times.map((time) => ({ session: 's', time, input: 5, output: 1 })));
    expect(sessions[0]?.requests.map(({ time }) => time)).toEqual(expected);
  });

  test('a turn marker in a column of its own', async () => {
    const rows = ['yes', '', 'true', '0'].map((turn, at) => ({ session: 's', input: at * 10, output: 1, turn }));
    expect((await readLog(rows)).sessions.map(humanTurns)).toEqual([2]);
  });

  test('without any, a session is one turn, and that is said', async () => {
    const { sessions, findings } = await readLog([1, 2, 3].map((input) => ({ session: 's', input, output: 0 })));
    expect(sessions.map(humanTurns)).toEqual([1]);
    expect(findings).toMatchObject([{ kind: 'no-turn-marker' }]);
  });

  test('the model of each request', async () => {
    const rows = ['m1', 'm2', ''].map((model, at) => ({ ...row('s', at, at, 0), model }));
    const [session] = (await readLog(rows)).sessions;
    expect([session?.model, ...(session?.requests ?? []).map(({ model }) => model)]).toEqual([
      'm1',
      'm1',
      'm2',
      undefined,
    ]);
  });
});

describe('what cannot be read', () => {
  test.each([
    [{ input: 'many' }, 'input is no count of tokens'],
    [{ input: '' }, 'input is no count of tokens'],
    [{ input: -1 }, 'input is no count of tokens'],
    [{ output: null }, 'output is no count of tokens'],
    [{ output: 1_000_001 }, 'output is no count of tokens'],
    [{ input: 2 ** 31 }, 'input is no count of tokens'],
    [{ read: 5000 }, 'input is less than its cached part'],
    [{ session: ' ' }, 'session is empty'],
    [{ turn: 'third' }, 'turn is no yes or no'],
  ])('%j is counted with its line, and the rest is read', async (fault, detail) => {
    const good = { ...row('a', 0, 100, 1), read: 0, turn: 0 };
    const { sessions, findings } = await readLog([good, { ...good, ...fault }, good]);
    expect(sessions[0]?.requests).toHaveLength(2);
    expect(findings).toMatchObject([{ kind: 'bad-request-row', detail, count: 1, first: 'log.csv:3' }]);
  });

  test('classes or columns that add up to more than a request can hold', async () => {
    const classes = { session: 's', fresh: 2e9, read: 2e9, output: 3 };
    const { sessions, findings } = await readLog([classes]);
    expect(sessions).toEqual([]);
    expect(findings).toContainEqual(
      expect.objectContaining({ kind: 'bad-request-row', detail: 'the prompt is more than a request can hold' }),
    );
    const joined = await readLog([{ session: 's', a: 2e9, b: 2e9, output: 3 }], { input: 'a+b' });
    expect(joined.findings).toContainEqual(expect.objectContaining({ detail: 'input is no count of tokens' }));
  });

  test('a time that nobody can read is said, and the request is billed', async () => {
    const { sessions, findings } = await readLog([row('a', 0, 10, 1), { ...row('a', 0, 20, 1), time: 'yesterday' }]);
    expect(sessions[0]?.requests.map(({ time }) => time)).toEqual([0, undefined]);
    expect(findings).toMatchObject([{ kind: 'bad-time', count: 1, first: 'log.csv:3' }]);
  });

  test('a row that is no object', async () => {
    const { findings } = await readLog([row('a', 0, 1, 1), 7, row('a', 0, 1, 1)]);
    expect(findings).toMatchObject([{ kind: 'bad-request-row', detail: 'it is no object' }]);
  });

  test.each(['session', 'input', 'output'])('a log without %s is refused with what it has', async (missing) => {
    const rows = [Object.fromEntries(Object.entries(row('a', 0, 1, 1)).filter(([key]) => key !== missing))];
    await expect(readLog(rows)).rejects.toMatchObject({
      code: 'missing-column',
      message: expect.stringContaining(missing),
    });
  });

  test('a column that is not there is refused', async () => {
    await expect(readLog([row('a', 0, 1, 1)], { input: 'imput' })).rejects.toMatchObject({ code: 'unknown-name' });
  });

  test('an empty log holds no session', async () => {
    expect(await readLog([], { input: 'anything' })).toEqual({ sessions: [], findings: [] });
  });
});
