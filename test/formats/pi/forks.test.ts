import { describe, expect, it } from 'vitest';
import { addUsage, zeroUsage } from '../../../src/session/usage.ts';
import {
  answer,
  at,
  header,
  type Line,
  ms,
  promptOf,
  read,
  readAll,
  type Tokens,
  tree,
  usages,
  user,
} from './transcript.ts';

const uuid = '01234567-89ab-cdef-0123-456789abcdef';
const parent = tree([user('a'), answer([10, 0, 0, 1], 'A'), user('b'), answer([12, 0, 0, 2], 'B')], header(uuid));

/** The first round of the parent, copied into a session of its own half a minute later. */
const fork = [
  header('child', { timestamp: at(30), parentSession: `/sessions/2026-01-01T00-00-00-000Z_${uuid}.jsonl` }),
  ...parent.slice(1, 3),
  ...tree([user('c'), answer([13, 0, 0, 3], 'C')], header(), 31)
    .slice(1)
    .map((line, index) => ({ ...line, id: `f${index}`, parentId: index === 0 ? 'e2' : 'f0' })),
];

describe('a fork', () => {
  it('has the copied rounds as context, and its own as requests', () => {
    const { session, counts } = read(fork);
    expect(session).toMatchObject({ id: 'child', parent: uuid, turns: [{}, {}] });
    expect(usages(session)).toEqual([[13, 0, 0, 3]]);
    expect(promptOf(session, 0)).toEqual(['a', 'A', 'c']);
    expect(counts).toEqual({ 'copied-request: from the parent session': 1 });
  });

  it.each([
    ['before its parent', [fork, parent]],
    ['behind its parent', [parent, fork]],
    ['twice', [parent, fork, fork, parent]],
  ])('is billed once, %s', (_, files) => {
    const seen = new Set<string>();
    const requests = files.flatMap((lines) => readAll(lines, seen).sessions.flatMap((session) => session.requests));
    const total = requests.reduce((sum, { usage }) => addUsage(sum, usage ?? zeroUsage), zeroUsage);
    expect(total).toMatchObject({ fresh: 35, output: 6 });
  });

  it('names an older kind of parent', () => {
    const branched = [header('child', { timestamp: at(30), branchedFrom: 'other' }), ...parent.slice(1)];
    const { findings } = readAll(branched);
    expect(findings.count('copied-request')).toBe(2);
  });

  it('that adds nothing is no session', () => {
    const { sessions, findings } = readAll(fork.slice(0, 3));
    expect(sessions).toEqual([]);
    expect(findings.count('duplicate-session')).toBe(1);
  });

  it('copies what the parent was not billed for in silence', () => {
    const dead = answer([0, 0, 0, 0], [], { stopReason: 'error' });
    const lines = tree([user('a'), dead], header('child', { timestamp: at(30), parentSession: 'p' }));
    const own = { ...user('b'), id: 'f1', parentId: 'e2', timestamp: at(31) };
    const compaction = { type: 'compaction', id: 'x', parentId: 'e2', summary: 's', timestamp: at(3) };
    const reply = { ...answer([9, 0, 0, 1]), id: 'f2', parentId: 'f1', timestamp: at(32) };
    expect(read([...lines, compaction, own, reply]).counts).toEqual({});
  });

  it('is none where only the header knows a parent', () => {
    const handedOver = [header('child', { parentSession: 'p' }), ...parent.slice(1)];
    const { session, counts } = read(handedOver);
    expect(session).toMatchObject({ parent: 'p', requests: [{}, {}] });
    expect(counts).toEqual({});
  });
});

describe('a copy in another file', () => {
  it('is known by its time and its counts', () => {
    const seen = new Set<string>();
    read(parent, seen);
    const longer = [...parent.slice(1), { ...user('c'), id: 'g', parentId: 'e4' }];
    const { session, counts } = read(
      [header('other'), ...longer, { ...answer([20, 0, 0, 4]), id: 'h', parentId: 'g' }],
      seen,
    );
    expect(usages(session)).toEqual([[20, 0, 0, 4]]);
    expect(counts).toEqual({ 'copied-request: in an earlier file': 2 });
  });

  const named = (id: string, sent: number, written: number, more: Line = {}) => [
    header(id),
    { ...answer([9, 0, 0, 1], 'A', { responseId: 'r1', timestamp: ms(sent), ...more }), timestamp: at(written) },
  ];

  it('is known by its name, counts and time, whenever its line was written', () => {
    const seen = new Set<string>();
    expect(read(named('s1', 1, 1), seen).session.requests).toMatchObject([{ id: 'r1' }]);
    expect(readAll(named('s2', 1, 9), seen).sessions).toEqual([]);
  });

  it('is none at another time: a relay may give every answer one name, and two may count alike', () => {
    const seen = new Set<string>();
    read(named('s1', 1, 1), seen);
    expect(read(named('s2', 2, 2), seen).session.requests).toHaveLength(1);
    expect(read(named('s3', 0, 4, { timestamp: undefined }), seen).session.requests).toHaveLength(1);
  });

  it('is no output of the answer before it', () => {
    const seen = new Set<string>();
    const copy = { ...answer([9, 0, 0, 1], 'A', { responseId: 'r1' }), timestamp: at(1) };
    read([header(), copy], seen);
    const { session } = read([header('s2'), answer([8, 0, 0, 1], 'B', { responseId: 'r2' }), copy], seen);
    expect(session.requests.map(({ id, outputs }) => [id, outputs])).toEqual([['r2', 1]]);
    expect(session.blocks).toHaveLength(2);
  });

  it('is none where nothing tells two answers apart', () => {
    const timeless = [header(), answer([9, 0, 0, 1]), answer([9, 0, 0, 1])];
    expect(read(timeless).session.requests).toHaveLength(2);
  });
});

describe('answers of one name in one file', () => {
  const named = (tokens: Tokens, more: Line = {}) => answer(tokens, 'A', { responseId: 'chatcmpl-1', ...more });
  const lines = tree([
    user('a'),
    named([9, 0, 0, 1]),
    user('b'),
    named([12, 0, 0, 1]),
    user('c'),
    named([12, 0, 0, 1]),
  ]);

  it('are each billed: small servers count their answers from one', () => {
    const { session, counts } = read(lines);
    expect(usages(session)).toEqual([
      [9, 0, 0, 1],
      [12, 0, 0, 1],
      [12, 0, 0, 1],
    ]);
    expect(counts).toEqual({});
  });

  it('are billed once where one is the copy of another', () => {
    const copy = { ...lines[2], id: 'other', parentId: 'e6', timestamp: at(90) };
    const { session, counts } = read([...lines, copy]);
    expect(session.requests).toHaveLength(3);
    expect(counts).toEqual({ 'copied-request: in the same file': 1 });
  });

  it('are copies in another file, and others of that name are not', () => {
    const seen = new Set<string>();
    read(lines, seen);
    const other = tree([user('x'), named([500, 0, 0, 1], { model: 'gpt-y' }), named([700, 0, 0, 1])], header('s2'));
    const { session, counts } = read([...other, { ...lines[2], id: 'copy', parentId: 'e3' }], seen);
    expect(usages(session)).toEqual([
      [500, 0, 0, 1],
      [700, 0, 0, 1],
    ]);
    expect(counts['copied-request: in an earlier file']).toBe(1);
  });
});

describe('a session in the folder of another', () => {
  const path = `sessions/2026-01-01_${uuid}/run/session.jsonl`;

  it('is its sub-agent: no person began its turns', () => {
    const { session } = read(tree([user('task'), answer([9, 0, 0, 1])]), new Set(), path);
    expect(session).toMatchObject({ id: 's1', parent: uuid, turns: [{ continues: true }] });
  });

  it('is no other one where it has the name of the folder', () => {
    const { session } = read(tree([user('task'), answer([9, 0, 0, 1])], header(uuid)), new Set(), path);
    expect(session.parent).toBeUndefined();
    expect(session.turns).toEqual([{ firstBlock: 0 }]);
  });
});
