import { describe, expect, test } from 'vitest';
import { Findings } from '../../../src/session/findings.ts';
import { humanTurns } from '../../../src/session/session.ts';
import { assistant, call, log, read, result, text, usage, user } from './transcript.ts';

const u = (prompt: number) => usage(prompt, 5);
const side = { isSidechain: true };
const run = () => ({ findings: new Findings(), seenRequests: new Set<string>() });

const main = [
  user('u1', null, 'go'),
  assistant('a1', 'u1', 'm1', call('t1', 'Agent', { description: 'look around', prompt: 'look' }), u(10)),
  {
    type: 'progress',
    uuid: 'p1',
    parentUuid: 'a1',
    sessionId: 'S',
    data: { type: 'agent_progress', message: { message: { id: 's1', usage: u(7) } } },
  },
  result('r1', 'a1', 't1', 'seen'),
  assistant('a2', 'r1', 'm2', text('Done.'), u(20)),
];

const sub = [
  user('v1', null, 'look', { ...side, agentId: 'k' }),
  assistant('w1', 'v1', 's1', text('Seen.'), u(7), { ...side, agentId: 'k' }),
];

describe('sub-agents', () => {
  test('in a file of their own are sessions with a parent; the copy in the progress of the parent is not billed (vector 11)', () => {
    const context = run();
    const first = read(main, context);
    const second = read(sub, context, 'S/subagents/agent-k.jsonl');
    expect(first.sessions).toHaveLength(1);
    expect(first.session.requests).toHaveLength(2);
    expect(first.counts).toEqual({ 'progress-usage': 1 });
    expect(second.sessions).toHaveLength(1);
    expect(second.session).toMatchObject({ id: 'S/agent-k', parent: 'S', requests: [{ usage: { fresh: 7 } }] });
    expect(second.counts).toEqual({});
  });

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
    const { sessions, counts } = read([...replay, ...main]);
    expect(sessions.map(({ id, requests }) => [id, requests.length])).toEqual([
      ['S', 2],
      ['S/agent-btw', 1],
    ]);
    expect(log(sessions[1] as never)).toEqual(['prompt go', 'reply as before', 'prompt by the way', 'reply Yes.']);
    expect(counts).toMatchObject({ 'replayed-request': 1 });
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
    expect(counts).toMatchObject({ 'replayed-request': 2 });
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
    expect(read(renamed, context, 'R.jsonl').session.requests).toEqual([]);
  });

  test('are not confused between runs', () => {
    expect(read(main, run()).session.requests).toHaveLength(2);
    expect(read(main, run()).session.requests).toHaveLength(2);
  });

  test('the id is that of the file where its lines carry it, else that of the first line', () => {
    const resumed = [...main, user('z', 'a2', 'on', { sessionId: 'Z' })];
    expect(read(resumed, run(), 'Z.jsonl').session.id).toBe('Z');
    expect(read(resumed, run(), 'copy.jsonl').session.id).toBe('S');
  });
});
