import { describe, expect, it } from 'vitest';
import {
  compacted,
  context,
  count,
  event,
  type Line,
  message,
  meta,
  prompt,
  read,
  readAll,
  record,
  reply,
  result,
  stamped,
  usages,
} from './rollout.ts';

const head = [meta('s1'), context('gpt-5.6-sol'), ...prompt('go')];

const kindsOf = (findings: ReturnType<typeof read>['findings']) =>
  findings.list().map(({ kind, detail, count: times }) => [detail ? `${kind}: ${detail}` : kind, times]);

describe('a request in both books', () => {
  const lines = [
    ...head,
    reply('a'),
    record('r1', [100, 0, 10], [100, 0, 10]),
    count([100, 0, 10], [100, 0, 10]),
    reply('b'),
    count([120, 100, 20], [220, 100, 30]),
    record('r2', [120, 100, 20], [220, 100, 30]),
  ];

  it('is one, whichever stands first', () => {
    const { session, findings } = read(lines);
    expect(usages(session)).toEqual([
      [100, 0, 0, 10],
      [20, 100, 0, 20],
    ]);
    expect(session.requests.map(({ outputs }) => outputs)).toEqual([1, 1]);
    expect(findings.list()).toEqual([]);
  });

  it('is one where its count is written again, or is behind the results', () => {
    const { session, findings } = read([
      ...head,
      reply('a'),
      record('r1', [100, 0, 10]),
      result('c0', 'late'),
      count([100, 0, 10], [100, 0, 10]),
      count([100, 0, 10], [100, 0, 10]),
      event('token_count', { info: null }),
      reply('b'),
      record('r2', [130, 0, 10]),
      count([130, 0, 10], [230, 0, 20]),
    ]);
    expect(usages(session)).toEqual([
      [100, 0, 0, 10],
      [130, 0, 0, 10],
    ]);
    expect(findings.list()).toEqual([]);
  });

  it('is one where the running total was set back, as a resumed session does', () => {
    const { session } = read([
      ...head,
      reply('a'),
      record('r1', [100, 0, 10]),
      count([100, 0, 10], [100, 0, 10]),
      reply('b'),
      record('r2', [100, 0, 10]),
      count([100, 0, 10], [100, 0, 10]),
      reply('c'),
      record('r3', [140, 0, 10]),
      count([140, 0, 10], [150, 0, 12]),
    ]);
    expect(session.requests).toHaveLength(3);
  });
});

describe('requests in one book', () => {
  it('are all read: a file of an older version that was resumed has counts first and records behind them', () => {
    const { session, findings } = read([
      ...head,
      reply('a'),
      count([100, 0, 10], [100, 0, 10]),
      reply('b'),
      record('r2', [120, 0, 10], [120, 0, 10]),
      reply('c'),
      count([130, 0, 10], [350, 0, 30]),
    ]);
    expect(usages(session).map((it) => it?.[0])).toEqual([100, 120, 130]);
    expect(findings.count('no-usage')).toBe(0);
  });

  it('are each billed where a relay gives every response one name', () => {
    const alike = (thread: number) => record('same', [100, 0, 10], [thread, 0, 10]);
    const { session, findings } = read([
      ...head,
      reply('a'),
      alike(100),
      reply('b'),
      alike(200),
      reply('c'),
      alike(300),
    ]);
    expect(session.requests).toHaveLength(3);
    expect(findings.list()).toEqual([]);
    const nameless = read([
      ...head,
      reply('a'),
      record(undefined, [1, 0, 1]),
      reply('b'),
      record(undefined, [1, 0, 1]),
    ]);
    expect(nameless.session.requests).toHaveLength(2);
  });

  it('are told apart from those of another session by a relay that names all alike', () => {
    const seen = new Set<string>();
    const lines = (id: string) => [meta(id), ...head.slice(1), reply('a'), record('same', [100, 0, 10], [100, 0, 10])];
    expect(read(lines('s1'), seen).session.requests).toHaveLength(1);
    expect(read(lines('s2'), seen).session.requests).toHaveLength(1);
    expect(readAll(stamped(lines('s1')), seen).sessions).toEqual([]);
  });

  it('are counted once where a record is written twice, and that is said', () => {
    const twice = record('r1', [100, 0, 10], [100, 0, 10]);
    const { session, findings } = read([...head, reply('a'), twice, twice]);
    expect(session.requests).toHaveLength(1);
    expect(kindsOf(findings)).toEqual([['repeated-usage-record', 1]]);
  });

  it('say what a late count would have billed', () => {
    const { findings } = read([
      ...head,
      reply('a'),
      count([1000, 0, 10], [1000, 0, 10]),
      count([990, 0, 7], [980, 0, 7]),
    ]);
    expect(findings.list()).toMatchObject([{ kind: 'stale-usage', tokens: { input: 990, output: 7 } }]);
  });
});

describe('a record of another thread', () => {
  const other = { thread_id: 'elsewhere' };

  it('is a request outside the conversation', () => {
    const { session } = read([
      ...head,
      reply('a'),
      record('r1', [100, 0, 10]),
      record('x', [7, 0, 1], undefined, other),
    ]);
    expect(session.requests).toHaveLength(1);
    expect(session.abandoned).toMatchObject([{ model: 'gpt-5.6-sol', usage: { fresh: 7, output: 1 } }]);
  });

  it('is not billed where it is the parent’s', () => {
    const child = [meta('s1', { forked_from_id: 'elsewhere' }), ...head.slice(1)];
    const { session, findings } = read([
      ...child,
      reply('a'),
      record('x', [7, 0, 1], undefined, other),
      reply('b'),
      record('r1', [100, 0, 10], undefined, { thread_id: 's1' }),
    ]);
    expect(usages(session)).toEqual([[100, 0, 0, 10]]);
    expect(kindsOf(findings)).toEqual([['copied-request: from the parent session', 1]]);
  });
});

describe('the request that wrote a summary', () => {
  const before = [...head, reply('a'), record('r1', [100, 0, 10]), count([100, 0, 10], [100, 0, 10])];
  const after = [...prompt('more'), reply('b'), record('r2', [40, 0, 5]), count([40, 0, 5], [140, 0, 15])];
  const summary = { message: '', replacement_history: [] };
  const billed = (lines: readonly Line[]) => {
    const { session, findings } = read(lines);
    return { own: usages(session).map((it) => it?.[0]), aside: session.abandoned, kinds: kindsOf(findings) };
  };
  const isAside = { own: [100, 40], aside: [{ model: 'gpt-5.6-sol', usage: { fresh: 120 } }], kinds: [] };
  const own = record('rc', [120, 0, 30]);

  it.each([
    ['is the record that the line names', [own, compacted({ ...summary, compaction_response_id: 'rc' })]],
    ['may stand behind the line', [compacted({ ...summary, compaction_response_id: 'rc' }), own]],
    ['is the silent record before a line that names none', [own, event('task_started'), compacted(summary)]],
    [
      'may stand in the line alone',
      [compacted({ ...summary, compaction_response_id: 'rc', latest_token_usage_record: own.payload })],
    ],
    [
      'is found where every response has one name',
      [record('r1', [120, 0, 30]), compacted({ ...summary, compaction_response_id: 'r1' })],
    ],
  ])('%s', (_, lines) => {
    expect(billed([...before, ...lines, ...after])).toMatchObject(isAside);
  });

  it('has a count of its own in no total, so none is taken for it', () => {
    const echoed = [own, count([120, 0, 30], [220, 0, 40]), compacted({ ...summary, compaction_response_id: 'rc' })];
    expect(billed([...before, ...echoed, ...after])).toMatchObject(isAside);
  });

  it('is told to be missing only where nothing holds it', () => {
    const latest = { latest_token_usage_record: record('r1', [100, 0, 10]).payload };
    for (const line of [compacted(summary), compacted({ ...summary, ...latest, compaction_response_id: 'gone' })]) {
      const { own: requests, aside, kinds } = billed([...before, line, ...after]);
      expect([requests, aside]).toEqual([[100, 40], []]);
      expect(kinds).toEqual([['compaction-request-not-recorded', 1]]);
    }
  });

  it('is no answer of the conversation that came before it', () => {
    const answered = [reply('long'), record('rx', [110, 0, 9]), compacted(summary)];
    const { own: requests, kinds } = billed([...before, ...answered, ...after]);
    expect(requests).toEqual([100, 110, 40]);
    expect(kinds).toEqual([['compaction-request-not-recorded', 1]]);
  });

  it('says the tokens of a record that only a summary’s line repeats', () => {
    const { findings } = read([
      ...before,
      compacted({ ...summary, latest_token_usage_record: record('lost', [77, 0, 3]).payload }),
      ...after,
    ]);
    expect(findings.list()).toContainEqual(
      expect.objectContaining({ kind: 'unread-usage', tokens: { input: 77, output: 3 } }),
    );
  });

  it('is billed once where two files have it', () => {
    const seen = new Set<string>();
    const lines = [...before, own, compacted({ ...summary, compaction_response_id: 'rc' }), ...after];
    expect(read(lines, seen).session.abandoned).toHaveLength(1);
    expect(readAll(stamped(lines), seen).sessions).toEqual([]);
  });
});

describe('a line of which none is known to hold a usage', () => {
  it.each([
    ['an event of a known family', event('session_complete', { total: { input_tokens: 5, output_tokens: 2 } })],
    ['an item', { type: 'response_item', payload: { type: 'oracle', usage: { input_tokens: 5, output_tokens: 2 } } }],
    [
      'a turn item',
      event('item_completed', { item: { type: 'SubAgent', usage: { input_tokens: 5, output_tokens: 2 } } }),
    ],
  ])('says so: %s', (_, line) => {
    const { findings } = read([...head, message('user', 'x'), reply('a'), count([1, 0, 1], [1, 0, 1]), line]);
    expect(findings.list()).toContainEqual(
      expect.objectContaining({ kind: 'unread-usage', tokens: { input: 5, output: 2 } }),
    );
  });
});
