import { describe, expect, test } from 'vitest';
import { Findings } from '../../../src/session/findings.ts';
import { humanTurns } from '../../../src/session/session.ts';
import { assistant, at, call, log, ms, read, readTogether, result, text, usage, user } from './transcript.ts';

const u = (prompt: number) => usage(prompt, 5);
const side = { isSidechain: true };
const run = () => ({ findings: new Findings(), seenRequests: new Set<string>() });

/** An answer of a sub-agent as the progress of its parent shows it. */
const progressOf = (id: string, prompt: number) => ({
  requestId: `req_${id}`,
  message: { id, role: 'assistant', model: 'claude-x', content: [text('Seen.')], usage: u(prompt) },
});

const main = [
  user('u1', null, 'go'),
  assistant('a1', 'u1', 'm1', call('t1', 'Agent', { description: 'look around', prompt: 'look' }), u(10)),
  {
    type: 'progress',
    uuid: 'p1',
    parentUuid: 'a1',
    sessionId: 'S',
    data: { type: 'agent_progress', agentId: 'k', message: { type: 'assistant', ...progressOf('s1', 7) } },
  },
  result('r1', 'a1', 't1', 'seen'),
  assistant('a2', 'r1', 'm2', text('Done.'), u(20)),
];

const sub = [
  user('v1', null, 'look', { ...side, agentId: 'k' }),
  assistant('w1', 'v1', 's1', text('Seen.'), u(7), { ...side, agentId: 'k' }),
];

describe('sub-agents', () => {
  test.each([
    ['behind the parent', { 'S.jsonl': main, 'S/subagents/agent-k.jsonl': sub }],
    ['before it', { 'S/subagents/agent-k.jsonl': sub, 'S.jsonl': main }],
  ])(
    'in a file of their own %s are sessions with a parent; what progress shows of them is not billed (vector 11)',
    (_, files) => {
      const { sessions, counts } = readTogether(files);
      expect(
        sessions.map(({ id, parent, requests }) => [id, parent, requests.map(({ usage: it }) => it?.fresh)]),
      ).toEqual([
        ['S', undefined, [10, 20]],
        ['S/agent-k', 'S', [7]],
      ]);
      expect(counts).toEqual({ 'progress-usage': 1 });
    },
  );

  test('their task is a prompt, and no turn of a person', () => {
    const { session } = read(sub, run(), 'agent-k.jsonl');
    expect(log(session)).toEqual(['prompt look', 'reply Seen.']);
    expect(session.turns).toEqual([{ firstBlock: 0, continues: true }]);
    expect(session.requests[0]?.turn).toBe(0);
    expect(humanTurns(session)).toBe(0);
  });

  test('in the file of the parent are lanes, by agent', () => {
    const { sessions } = read([...main.slice(0, 2), ...sub, ...main.slice(3)]);
    expect(sessions.map(({ id, requests }) => [id, requests.length])).toEqual([
      ['S', 2],
      ['S/agent-k', 1],
    ]);
  });

  test('of old files are told apart by their root', () => {
    const one = [user('v1', null, 'look', side), assistant('w1', 'v1', 's1', text('a'), u(7), side)];
    const two = [user('v2', null, 'read', side), assistant('w2', 'v2', 's2', text('b'), u(8), side)];
    const { sessions, counts } = read([
      ...main.slice(0, 2),
      one[0] as object,
      two[0] as object,
      one[1] as object,
      two[1] as object,
      ...main.slice(3),
    ] as never);
    expect(sessions.map(({ id, blocks }) => [id, blocks[0]?.text])).toEqual([
      ['S', 'go'],
      ['S/agent-1', 'look'],
      ['S/agent-2', 'read'],
    ]);
    expect(counts).toEqual({});
  });

  test('that replay an answer of the parent under another request id are not billed for it (vector 13)', () => {
    const replay = [
      user('v1', null, 'go', { ...side, agentId: 'btw' }),
      assistant('w1', 'v1', 'm1', text('as before'), u(10), { ...side, agentId: 'btw', requestId: 'req_other' }),
      user('v2', 'w1', 'by the way', { ...side, agentId: 'btw' }),
      assistant('w2', 'v2', 's9', text('Yes.'), u(12), { ...side, agentId: 'btw' }),
    ];
    // The parent wins wherever its lines stand.
    const { sessions, counts } = read([...replay, ...main.filter(({ type }) => type !== 'progress')]);
    expect(sessions.map(({ id, requests }) => [id, requests.length])).toEqual([
      ['S', 2],
      ['S/agent-btw', 1],
    ]);
    expect(log(sessions[1] as never)).toEqual(['prompt go', 'reply as before', 'prompt by the way', 'reply Yes.']);
    expect(counts).toMatchObject({ 'replayed-request': 1 });
  });
});

describe('sub-agents of which only the progress was shown', () => {
  const progress = (uuid: string, parentUuid: string, second: number, message: object, more: object = {}) => ({
    type: 'progress',
    uuid,
    parentUuid,
    sessionId: 'S',
    timestamp: at(second),
    parentToolUseID: 't1',
    data: { type: 'agent_progress', agentId: 'k', message, ...more },
  });
  const task = { type: 'user', uuid: 'q0', message: { role: 'user', content: [text('look')] } };
  const answer = (id: string, prompt: number) => ({
    type: 'assistant',
    timestamp: at(prompt),
    ...progressOf(id, prompt),
  });
  const lines = [
    main[0] as object,
    main[1] as object,
    progress('p1', 'a1', 3, task),
    progress('p2', 'p1', 7, answer('s1', 7)),
    progress('p3', 'p2', 9, answer('s2', 9)),
    result('r1', 'p3', 't1', 'seen', { toolUseResult: { agentId: 'k', usage: u(9) } }),
    main[4] as object,
  ] as never[];

  test('are sessions of their own, in the order of their lines, and the parent is as it was', () => {
    const { sessions, counts } = read(lines);
    expect(sessions.map(({ id, parent }) => [id, parent])).toEqual([
      ['S', undefined],
      ['S/agent-k', 'S'],
    ]);
    expect(sessions[0]?.requests.map(({ usage: it }) => it?.fresh)).toEqual([10, 20]);
    expect(sessions[1]?.requests.map(({ usage: it, time }) => [it?.fresh, time])).toEqual([
      [7, ms(3)],
      [9, ms(9)],
    ]);
    expect(log(sessions[1] as never)).toEqual(['prompt look', 'reply Seen.', 'reply Seen.']);
    expect(sessions[1]?.turns).toEqual([{ firstBlock: 0, continues: true }]);
    expect(counts).toEqual({ 'sub-agent-from-progress': 1 });
  });

  test('of old files are told apart by the call that started them', () => {
    const nameless = lines.map((line) =>
      (line as { type: string }).type === 'progress'
        ? { ...(line as object), data: { ...(line as { data: object }).data, agentId: undefined } }
        : line,
    );
    expect(read(nameless as never).sessions.map(({ id }) => id)).toEqual(['S', 'S/agent-t1']);
  });

  test('whose file was read in another session of the run are not billed again', () => {
    const context = run();
    const own = [
      user('v1', null, 'look', { ...side, agentId: 'k', sessionId: 'T' }),
      assistant('w1', 'v1', 's1', text('Seen.'), u(7), { ...side, agentId: 'k', sessionId: 'T', timestamp: at(7) }),
      assistant('w2', 'w1', 's2', text('Seen.'), u(9), { ...side, agentId: 'k', sessionId: 'T', timestamp: at(9) }),
    ];
    expect(read(own, context, 'agent-k.jsonl').session.requests).toHaveLength(2);
    const { sessions, counts } = read(lines, context);
    expect(sessions.map(({ id }) => id)).toEqual(['S']);
    expect(counts).toEqual({ 'duplicate-session': 1, 'replayed-request': 2 });
  });

  test('have all that their own file lacks counted', () => {
    const { sessions, counts, findings } = readTogether({
      'S.jsonl': lines,
      'agent-k.jsonl': sub.map((line) => ({ ...line, timestamp: at(7) })),
    });
    expect(sessions[1]?.requests).toHaveLength(1);
    expect(counts).toEqual({ 'progress-usage': 1, 'unread-usage:progress': 1 });
    expect(findings.list()[1]).toMatchObject({ first: 'S.jsonl:5', tokens: { input: 9, output: 5 } });
  });

  test('that left no line but their result are said to be missing, with what it counts', () => {
    const alone = lines
      .filter((line) => (line as { type: string }).type !== 'progress')
      .map((line) =>
        (line as { uuid: string }).uuid === 'r1' ? { ...(line as object), parentUuid: 'a1' } : line,
      ) as never;
    const { sessions, findings } = read(alone);
    expect(sessions).toHaveLength(1);
    expect(findings.list()).toEqual([
      { kind: 'sub-agent-missing', detail: '', count: 1, first: 'S.jsonl:3', tokens: { input: 9, output: 5 } },
    ]);
  });
});

describe('copies of a session', () => {
  const fork = [
    ...main.map((line) => ({ ...line, sessionId: 'F' })),
    user('f1', 'a2', 'and now?', { sessionId: 'F' }),
    assistant('f2', 'f1', 'm3', text('This.'), u(30), { sessionId: 'F' }),
  ];

  test('with other session ids are billed for what is new in them (vector 12)', () => {
    const context = run();
    read(main, context);
    const { session, counts } = read(fork, context, 'F.jsonl');
    expect(session.id).toBe('F');
    expect(session.requests.map(({ id }) => id)).toEqual(['req_m3']);
    expect(session.requests[0]?.at).toBe(5);
    // The sub-agent that only progress shows is a copy too.
    expect(counts).toEqual({ 'replayed-request': 3, 'duplicate-session': 1 });
  });

  test('that a resume wrote under new line ids are recognized by their message ids', () => {
    const context = run();
    read(main, context);
    const renamed = main.map((line) => ({
      ...line,
      uuid: `n${line.uuid}`,
      parentUuid: line.parentUuid && `n${line.parentUuid}`,
      sessionId: 'R',
    }));
    const { sessions, counts } = read(renamed, context, 'R.jsonl');
    expect(sessions).toEqual([]);
    expect(counts).toMatchObject({ 'replayed-request': 3, 'duplicate-session': 2 });
  });

  test('are not confused between runs', () => {
    expect(read(main, run()).session.requests).toHaveLength(2);
    expect(read(main, run()).session.requests).toHaveLength(2);
  });

  test('the id is that of the file where its lines carry it, else that of the last who went on', () => {
    const resumed = [...main, user('z', 'a2', 'on', { sessionId: 'Z' })];
    expect(read(resumed, run(), 'Z.jsonl').session.id).toBe('Z');
    expect(read(resumed, run(), 'copy.jsonl').session.id).toBe('Z');
  });
});
