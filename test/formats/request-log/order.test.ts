import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blocksOf, readLog, row } from './log.ts';

const counts = (findings: readonly { readonly kind: string; readonly count: number }[]) =>
  Object.fromEntries(findings.map(({ kind, count }) => [kind, count]));

/** Rows of one context that only grows, one or two of them at any time. */
const growing = fc
  .array(fc.record({ isLater: fc.boolean(), grows: fc.integer({ min: 1, max: 500 }), output: fc.nat(50) }), {
    minLength: 2,
    maxLength: 9,
  })
  .map((steps) => {
    let [time, prompt] = [1000, 0];
    return steps.map(({ isLater, grows, output }, at) => {
      time += isLater || at % 2 === 0 ? 1 : 0;
      prompt += grows;
      return row('a', time, prompt, output);
    });
  });

describe('rows of a growing context', () => {
  test('are the same session in whatever order they stand, as long as they have times', async () => {
    await fc.assert(
      fc.asyncProperty(growing, fc.infiniteStream(fc.nat()), async (rows, places) => {
        const shuffled = rows
          .map((it) => ({ it, place: places.next().value as number }))
          .sort((a, b) => a.place - b.place)
          .map(({ it }) => it);
        const { sessions } = await readLog(rows);
        expect(sessions).toHaveLength(1);
        expect((await readLog(rows.toReversed())).sessions).toEqual(sessions);
        expect((await readLog(shuffled)).sessions).toEqual(sessions);
      }),
      { numRuns: 100 },
    );
  });

  test('are told to have been sorted', async () => {
    const rows = [row('a', 3, 300, 1), row('a', 2, 200, 1), row('a', 1, 100, 1)];
    const { findings } = await readLog(rows);
    expect(counts(findings)).toEqual({ 'rows-sorted-by-time': 2 });
    expect(findings[0]?.first).toBe('log.csv:4');
    expect((await readLog(rows.toReversed())).findings).toEqual([]);
  });

  test('without times are taken backwards where that alone keeps them together, and that is said', async () => {
    const rows = [100, 200, 300].map((input) => ({ ...row('a', 0, input, 1), time: '' }));
    const { sessions } = await readLog(rows);
    const backwards = await readLog(rows.toReversed());
    expect(backwards.sessions).toEqual(sessions);
    expect(counts(backwards.findings)).toEqual({ 'rows-taken-backwards': 2 });
    expect((await readLog(rows.map((it) => ({ ...it, time: 7 })).toReversed())).sessions[0]?.requests).toHaveLength(3);
  });

  test('of which some have no time stay where they stand in a log that runs one way', async () => {
    const rows = [1, 2, 3, 4].map((at) => ({ ...row('a', at, at * 100, 1), ...(at === 2 && { time: '' }) }));
    const { sessions } = await readLog(rows);
    expect((await readLog(rows.toReversed())).sessions).toEqual(sessions);
    expect(sessions[0]?.requests.map(({ time }) => time)).toEqual([1000, undefined, 3000, 4000]);
  });

  test('of which some have no time stand where they fit in a log without an order, and that is said', async () => {
    const rows = [1, 2, 3, 4, 5].map((at) => ({ ...row('a', at, at * 100, 1), ...(at === 2 && { time: '' }) }));
    const [first, second, third, fourth, fifth] = rows;
    const { sessions, findings } = await readLog([fourth, second, first, fifth, third]);
    expect(sessions).toEqual((await readLog(rows)).sessions);
    expect(counts(findings)).toMatchObject({ 'row-order-unknown': 1 });
  });
});

describe('a context that was reset', () => {
  const rows = [row('a', 1, 100, 1), row('a', 2, 300, 1), row('a', 3, 80, 1), row('a', 4, 120, 1)];

  test('is cut at the same place in a log that is newest first', async () => {
    const { sessions } = await readLog(rows);
    expect(sessions.map(({ id, requests }) => [id, requests.length])).toEqual([
      ['a', 2],
      ['a#2', 2],
    ]);
    expect((await readLog(rows.toReversed())).sessions).toEqual(sessions);
  });

  test('within one second is not undone in a log that runs one way', async () => {
    const coarse = rows.map((it, at) => ({ ...it, time: at < 3 ? 1 : 2 }));
    const { sessions } = await readLog(coarse);
    expect(sessions.map(({ requests }) => requests.length)).toEqual([2, 2]);
    expect((await readLog(coarse.toReversed())).sessions).toEqual(sessions);
  });
});

describe('agents of one session', () => {
  const reading = (time: number, input: number, read: number) => ({ ...row('a', time, input, 10), read });
  const main = [reading(1, 20_000, 0), reading(3, 20_500, 20_000), reading(5, 21_000, 20_500)];
  const other = [reading(2, 3000, 0), reading(4, 3500, 3000), reading(6, 4000, 3500)];
  const together = [...main, ...other].toSorted((a, b) => a.time - b.time);
  const sizes = (it: Awaited<ReturnType<typeof readLog>>) => it.sessions.map(({ requests }) => requests.length);

  test('that were exported one behind the other stay apart although their times overlap', async () => {
    const blind = [...main, ...other].map(({ read: _read, ...it }) => it);
    expect(sizes(await readLog(blind))).toEqual([3, 3]);
  });

  test.each([
    ['in the order of time', together],
    ['newest first', together.toReversed()],
    ['one behind the other', [...main, ...other]],
  ])('are told apart by what they read, %s', async (_, rows) => {
    const { sessions, findings } = await readLog(rows);
    expect(sessions.map(({ requests }) => requests.map(({ usage }) => usage?.cacheRead))).toEqual([
      [0, 20_000, 20_500],
      [0, 3000, 3500],
    ]);
    expect(counts(findings)['single-request-session']).toBeUndefined();
  });

  test('are told apart by their models, where each has one', async () => {
    const blind = together.map(({ read: _read, ...it }, at) => ({ ...it, model: at % 2 === 0 ? 'large' : 'small' }));
    for (const rows of [blind, blind.toReversed()]) {
      const { sessions } = await readLog(rows);
      expect(sessions.map(({ model, requests }) => [model, requests.length])).toEqual([
        ['large', 3],
        ['small', 3],
      ]);
    }
    const handedOver = [row('a', 1, 100, 1), { ...row('a', 2, 200, 1), model: 'other' }, row('a', 3, 300, 1)];
    expect(sizes(await readLog(handedOver))).toEqual([3]);
  });

  test('do not take in a context that began anew and reads only what all share', async () => {
    const rows = [reading(1, 5000, 0), reading(2, 5100, 5000), reading(3, 900, 0), reading(4, 90_000, 900)];
    const anew = [...rows, reading(5, 5200, 4000), reading(6, 5300, 5200)];
    expect((await readLog(anew)).sessions.map(({ id }) => id)).toEqual(['a', 'a#2', 'a#3']);
  });
});

describe('tables that were joined or overlap', () => {
  const rows = [row('a', 1, 100, 1), row('a', 2, 200, 1), row('a', 3, 300, 1)];
  const heading = Object.fromEntries(Object.keys(row('', 0, 0, 0)).map((name) => [name, name]));

  test('repeat their headings: that is no row', async () => {
    const others = rows.map((it) => ({ ...it, session: 'b' }));
    const { sessions, findings } = await readLog([...rows, heading, ...others]);
    expect(sessions.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(counts(findings)).toEqual({ 'repeated-header': 1 });
  });

  test('bill a row once that both have', async () => {
    const { sessions, findings } = await readLog([...rows, heading, ...rows.slice(1), row('a', 4, 400, 1)]);
    expect(sessions[0]?.requests).toHaveLength(4);
    expect(counts(findings)).toMatchObject({ 'copied-request': 2 });
  });

  test('bill a row once that an earlier file has; its tokens are context', async () => {
    const seen = new Set<string>();
    await readLog(rows.slice(0, 2), undefined, seen);
    const { sessions } = await readLog([...rows, row('a', 4, 400, 1)], undefined, seen);
    expect(sessions[0]?.requests.map(({ totals }) => totals?.prompt)).toEqual([300, 400]);
    expect(blocksOf(sessions[0])).toEqual((await readLog([...rows, row('a', 4, 400, 1)])).sessions.flatMap(blocksOf));
    const again = await readLog(rows, undefined, seen);
    expect(again.sessions).toEqual([]);
    expect(counts(again.findings)).toMatchObject({ 'duplicate-session': 1 });
  });

  test('keep rows that are alike but for their times, and those without', async () => {
    const seen = new Set<string>();
    const timeless = rows.map((it) => ({ ...it, time: '' }));
    for (const table of [rows, rows.map((it) => ({ ...it, time: it.time + 60 })), timeless, timeless])
      expect((await readLog(table, undefined, seen)).sessions[0]?.requests).toHaveLength(3);
  });
});

describe('a row that is not billed', () => {
  test('says its tokens', async () => {
    const { findings } = await readLog([row('a', 1, 300, 7), { ...row('b', 1, 200, 5), session: '' }]);
    expect(findings).toMatchObject([
      { kind: 'bad-request-row', tokens: { input: 200, output: 5 } },
      { kind: 'single-request-session', first: 'log.csv:2', tokens: { input: 300, output: 7 } },
    ]);
  });
});
