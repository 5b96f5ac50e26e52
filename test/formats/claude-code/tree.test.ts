import { describe, expect, test } from 'vitest';
import { assistant, at, attachment, call, log, read, result, system, text, usage, user } from './transcript.ts';

const u = (prompt: number) => usage(prompt, 5);

describe('what stands beside the chain of parents and belongs to it', () => {
  test('all results of parallel calls, each on its own call (vector 3)', () => {
    const { session, counts } = read([
      user('u1', null, 'go'),
      assistant('a1', 'u1', 'm1', call('t1'), u(10)),
      assistant('a2', 'a1', 'm1', call('t2'), u(10)),
      assistant('a3', 'a2', 'm1', call('t3'), u(10)),
      result('r1', 'a1', 't1'),
      attachment('x1', 'r1', { type: 'hook_additional_context', content: ['noted'] }),
      result('r3', 'a3', 't3'),
      result('r2', 'a2', 't2'),
      assistant('a4', 'r2', 'm2', text('Done.'), u(20)),
    ]);
    expect(log(session)).toEqual([
      'prompt go',
      'call t1',
      'call t2',
      'call t3',
      'result t1',
      'meta noted',
      'result t3',
      'result t2',
      'reply Done.',
    ]);
    expect(session.abandoned).toEqual([]);
    expect(counts).toEqual({});
  });

  test('a line of a response written after the result on which all else hangs', () => {
    const { session } = read([
      user('u1', null, 'go'),
      assistant('a1', 'u1', 'm1', call('t1'), u(10)),
      result('r1', 'a1', 't1'),
      assistant('a2', 'a1', 'm1', call('t2'), u(10)),
      result('r2', 'a2', 't2'),
      assistant('a3', 'r1', 'm2', text('Done.'), u(20)),
    ]);
    expect(log(session)).toEqual(['prompt go', 'call t1', 'call t2', 'result t1', 'result t2', 'reply Done.']);
  });

  test('a reply beside the hook line on which the next prompt hangs, with what it led to (vector 5)', () => {
    const { session } = read([
      user('u1', null, 'go'),
      assistant('a1', 'u1', 'm1', call('t1'), u(10)),
      result('r1', 'a1', 't1'),
      assistant('a2', 'r1', 'm2', text('Done.'), u(20)),
      system('h1', 'u1', 'stop_hook_summary'),
      user('u2', 'h1', 'thanks'),
      assistant('a3', 'u2', 'm3', text('Bye.'), u(30)),
    ]);
    expect(log(session)).toEqual(['prompt go', 'call t1', 'result t1', 'reply Done.', 'prompt thanks', 'reply Bye.']);
    expect(session.abandoned).toEqual([]);
  });
});

describe('branches that were left', () => {
  test('a rewound prompt and its answers are billed and are no context (vector 4)', () => {
    const { session } = read([
      user('u1', null, 'go'),
      assistant('a1', 'u1', 'm1', text('One.'), u(10)),
      attachment('x1', 'a1', { type: 'date_change', newDate: 'before the wrong' }),
      user('u2', 'x1', 'wrong'),
      attachment('x2', 'u2', { type: 'date_change', newDate: 'wrong too' }),
      assistant('a2', 'u2', 'm2', call('t1'), u(40), { timestamp: at(7) }),
      result('r2', 'a2', 't1'),
      assistant('a3', 'r2', 'm3', text('Two.'), u(50)),
      user('u3', 'a1', 'right'),
      assistant('a4', 'u3', 'm4', text('Three.'), u(20)),
    ]);
    expect(log(session)).toEqual(['prompt go', 'reply One.', 'prompt right', 'reply Three.']);
    expect(session.abandoned.map(({ usage: { fresh } }) => fresh)).toEqual([40, 50]);
    expect(session.abandoned[0]).toMatchObject({ model: 'claude-x', time: Date.UTC(2026, 0, 1, 0, 0, 7) });
    expect(session.requests).toHaveLength(2);
    expect(session.turns).toHaveLength(2);
  });

  test('an answer that was tried again is billed once more and is no context', () => {
    const { session } = read([
      user('u1', null, 'go'),
      assistant('a1', 'u1', 'm1', text('First try.'), u(10)),
      assistant('a2', 'u1', 'm2', text('Second try.'), u(10)),
    ]);
    expect(log(session)).toEqual(['prompt go', 'reply Second try.']);
    expect(session.abandoned).toHaveLength(1);
  });

  test('an answer there that nothing counted is missing from the bill, and that is said', () => {
    const { session, counts } = read([
      user('u1', null, 'go'),
      assistant('a1', 'u1', 'm1', text('First try.'), usage(0, 0)),
      assistant('a2', 'u1', 'm2', text('Second try.'), u(10)),
    ]);
    expect(session.abandoned).toEqual([]);
    expect(counts).toEqual({ 'request-not-billed:of a branch that was left': 1 });
  });
});

describe('broken trees fall back to the order of the file', () => {
  const talk = (roots: (string | null)[]) => [
    user('u1', roots[0] ?? null, 'one'),
    assistant('a1', 'u1', 'm1', text('1'), u(10)),
    user('u2', roots[1] ?? null, 'two'),
    assistant('a2', 'u2', 'm2', text('2'), u(20)),
  ];

  test.each([
    ['two roots', [null, null]],
    ['dangling parents', ['gone', 'lost']],
    ['a circle', ['a2', 'a1']],
    ['a line that is its own parent', [null, 'u2']],
  ])('%s', (_name, roots) => {
    const { session, counts } = read(talk(roots));
    expect(log(session)).toEqual(['prompt one', 'reply 1', 'prompt two', 'reply 2']);
    expect(session.abandoned).toEqual([]);
    expect(counts).toEqual({ 'broken-tree': 1 });
  });

  test('one root and too many missing parents', () => {
    const lines = Array.from({ length: 30 }, (_, n) =>
      user(`n${n}`, n === 0 ? null : n % 10 === 5 ? 'gone' : `n${n - 1}`, `say ${n}`),
    );
    expect(read(lines)).toMatchObject({ session: { turns: { length: 30 } }, counts: { 'broken-tree': 1 } });
  });

  test('a file that was cut at its start is no broken tree, nor is one missing parent among many', () => {
    expect(read(talk(['cut', 'a1'])).counts).toEqual({});
    const many = Array.from({ length: 30 }, (_, n) =>
      user(`n${n}`, n === 0 ? null : n === 15 ? 'gone' : `n${n - 1}`, `say ${n}`),
    );
    const { session, counts } = read(many);
    expect(session.turns).toHaveLength(30);
    expect(counts).toEqual({});
  });

  test('a file without any ids is read in order, without complaint', () => {
    const bare = talk([null, null]).map(({ uuid: _u, parentUuid: _p, ...line }) => line);
    const { session, counts } = read(bare);
    expect(session.requests).toHaveLength(2);
    expect(counts).toEqual({});
  });
});

describe('resets', () => {
  const summary = (uuid: string, parent: string, words: string) =>
    user(uuid, parent, words, { isCompactSummary: true, isVisibleInTranscriptOnly: true });

  test('a compaction is a segment that begins with its summary and, in the middle of a turn, with a turn that goes on', () => {
    const { session, counts } = read([
      user('u1', null, 'go'),
      assistant('a1', 'u1', 'm1', call('t1'), u(100)),
      result('r1', 'a1', 't1'),
      system('b1', null, 'compact_boundary', { logicalParentUuid: 'r1', compactMetadata: { trigger: 'auto' } }),
      summary('s1', 'b1', 'What was.'),
      assistant('a2', 's1', 'm2', text('On.'), u(30)),
      user('u2', 'a2', 'next'),
      assistant('a3', 'u2', 'm3', text('Off.'), u(40)),
    ]);
    expect(log(session)).toEqual([
      'prompt go',
      'call t1',
      'result t1',
      'summary What was.',
      'reply On.',
      'prompt next',
      'reply Off.',
    ]);
    expect(session.segments).toEqual([
      { reason: 'start', keeps: [], firstBlock: 0, firstRequest: 0, firstTurn: 0 },
      { reason: 'compaction', keeps: [], firstBlock: 3, firstRequest: 1, firstTurn: 1 },
    ]);
    expect(session.turns).toEqual([{ firstBlock: 0 }, { firstBlock: 3, continues: true }, { firstBlock: 5 }]);
    expect(counts).toEqual({});
  });

  test('two compactions, rows written again and a logical parent that is nowhere (vector 6)', () => {
    const first = [
      user('u1', null, 'one'),
      assistant('a1', 'u1', 'm1', text('1'), u(100)),
      system('b1', null, 'compact_boundary', { logicalParentUuid: 'nowhere' }),
      summary('s1', 'b1', 'first summary'),
      user('u2', 's1', 'two'),
      assistant('a2', 'u2', 'm2', text('2'), u(50)),
    ];
    const { session, counts } = read([
      ...first,
      system('b2', null, 'compact_boundary', { logicalParentUuid: 'nowhere else' }),
      ...first,
      summary('s2', 'b2', 'second summary'),
      user('u3', 's2', 'three'),
      assistant('a3', 'u3', 'm3', text('3'), u(20)),
    ]);
    expect(session.segments.map(({ reason, firstRequest }) => [reason, firstRequest])).toEqual([
      ['start', 0],
      ['compaction', 1],
      ['compaction', 2],
    ]);
    expect(session.requests).toHaveLength(3);
    expect(session.turns).toHaveLength(3);
    expect(counts).toEqual({ 'repeated-line': 6 });
  });

  test.each([
    ['named', { preservedMessages: { anchorUuid: 's1', uuids: ['a1', 'u2'], allUuids: ['a1', 'h1', 'u2'] } }],
    ['as a stretch', { preservedSegment: { headUuid: 'a1', anchorUuid: 's1', tailUuid: 'u2' } }],
  ])('messages that a compaction keeps, %s, stay in the context (vector 7)', (_name, compactMetadata) => {
    const { session } = read([
      user('u1', null, 'one'),
      assistant('a1', 'u1', 'm1', text('1'), u(100)),
      system('h1', 'a1', 'turn_duration'),
      user('u2', 'h1', 'two'),
      system('b1', null, 'compact_boundary', { compactMetadata }),
      summary('s1', 'b1', 'sum'),
      assistant('a2', 's1', 'm2', text('2'), u(50)),
    ]);
    expect(session.segments[1]).toMatchObject({ keeps: [1, 2], firstBlock: 3 });
  });

  test('a rewind to before a compaction leaves the compacted branch', () => {
    const { session } = read([
      user('u1', null, 'one'),
      assistant('a1', 'u1', 'm1', text('1'), u(100)),
      system('b1', null, 'compact_boundary'),
      summary('s1', 'b1', 'sum'),
      assistant('a2', 's1', 'm2', text('2'), u(50)),
      user('u2', 'a1', 'two'),
      assistant('a3', 'u2', 'm3', text('3'), u(110)),
    ]);
    expect(log(session)).toEqual(['prompt one', 'reply 1', 'prompt two', 'reply 3']);
    expect(session.segments).toHaveLength(1);
    expect(session.abandoned).toHaveLength(1);
  });

  test('a cleared context in the same file is a segment that keeps nothing', () => {
    const { session, counts } = read([
      user('u1', null, 'one'),
      assistant('a1', 'u1', 'm1', text('1'), u(100)),
      {
        type: 'progress',
        uuid: 'p1',
        parentUuid: null,
        sessionId: 'S',
        data: { type: 'hook_progress', hookName: 'SessionStart:clear' },
      },
      user('u2', 'p1', 'two'),
      assistant('a2', 'u2', 'm2', text('2'), u(50)),
    ]);
    expect(session.segments[1]).toEqual({ reason: 'clear', keeps: [], firstBlock: 2, firstRequest: 1, firstTurn: 1 });
    expect(session.turns).toHaveLength(2);
    expect(counts).toEqual({});
  });

  test('a microcompaction is counted, and the smaller prompt behind it is no surprise (vector 8)', () => {
    const { session, counts } = read([
      user('u1', null, 'go'),
      assistant('a1', 'u1', 'm1', call('t1'), u(900)),
      result('r1', 'a1', 't1'),
      system('c1', 'r1', 'microcompact_boundary', { microcompactMetadata: { compactedToolIds: ['t1'] } }),
      assistant('a2', 'c1', 'm2', text('On.'), u(300)),
    ]);
    expect(session.segments).toHaveLength(1);
    expect(counts).toEqual({ microcompaction: 1 });
  });
});
