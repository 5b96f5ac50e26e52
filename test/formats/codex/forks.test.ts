import { describe, expect, it } from 'vitest';
import { humanTurns } from '../../../src/session/session.ts';
import {
  context,
  count,
  event,
  type Line,
  message,
  meta,
  outline,
  prompt,
  read,
  readAll,
  reply,
  stamped,
  usages,
} from './rollout.ts';

/** Version 7 ids: the first twelve digits are the time. */
const uuid = (time: string, tail = '0') => {
  const hex = Date.parse(time).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${tail.padStart(12, '0')}`;
};
const parentId = uuid('2026-03-01T10:00:00Z');
const childId = uuid('2026-03-01T11:00:00Z');
const forkedAt = '2026-03-01T11:00:00.010Z';

const turn = (
  text: string,
  turnId: string | undefined,
  at: readonly [number, number],
  before: readonly [number, number],
): Line[] => [
  event('task_started', { turn_id: turnId }),
  context('gpt-5.5', turnId),
  ...prompt(text),
  reply(`${text}!`),
  count([at[0], 0, at[1]], [before[0] + at[0], 0, before[1] + at[1]]),
];

const oldTurns = (ids: boolean) => [
  ...turn('one', ids ? uuid('2026-03-01T10:00:01Z', '1') : undefined, [100, 10], [0, 0]),
  ...turn('two', ids ? uuid('2026-03-01T10:00:09Z', '2') : undefined, [120, 20], [100, 10]),
];
const ownTurn = (ids: boolean) =>
  turn('mine', ids ? uuid('2026-03-01T11:00:02Z', '3') : undefined, [150, 30], [220, 30]);

const childMeta = (more: object = { forked_from_id: parentId }) =>
  meta(childId, { timestamp: '2026-03-01T11:00:00Z', ...more });
const spawned = { source: { subagent: { thread_spawn: { parent_thread_id: parentId, depth: 1 } } } };

/** Parent and child as files; the copied lines carry the moment of the fork, or their own times. */
function files(style: 'stamped anew' | 'own times', ids: boolean, header = childMeta(), copiedHeader = true) {
  const copied = [...(copiedHeader ? [meta(parentId)] : []), ...oldTurns(ids)];
  const parent = stamped([meta(parentId), ...oldTurns(ids)]);
  const prefix = style === 'own times' ? stamped(copied) : stamped(copied, forkedAt, 0);
  const child = [...stamped([header], forkedAt), ...prefix, ...stamped(ownTurn(ids), '2026-03-01T11:00:02Z')];
  return { parent, child };
}

describe.each([true, false])('a fork (turn ids: %j)', (ids) => {
  describe.each(['stamped anew', 'own times'] as const)('with copied lines %s', (style) => {
    it('keeps the copy as context and not as spend, whether its parent is there or not', () => {
      const { parent, child } = files(style, ids);
      const seen = new Set<string>();
      expect(readAll(parent, seen).sessions[0]?.requests).toHaveLength(2);
      for (const { sessions, findings } of [readAll(child, seen), readAll(child)]) {
        const [session] = sessions;
        expect(session).toMatchObject({ id: childId, parent: parentId });
        expect(session && usages(session)).toEqual([[150, 0, 0, 30]]);
        expect(session && outline(session)).toEqual([
          'prompt one',
          'reply one!',
          'prompt two',
          'reply two!',
          'prompt mine',
          'reply mine!',
        ]);
        expect(session?.requests[0]).toMatchObject({ at: 5, outputs: 1, turn: 2 });
        expect(session && humanTurns(session)).toBe(3);
        expect(findings.list()).toMatchObject([
          { kind: 'copied-request', detail: 'from the parent session', count: 2 },
        ]);
      }
    });

    it('leaves the spend to a parent that is read later', () => {
      const { parent, child } = files(style, ids);
      const seen = new Set<string>();
      expect(readAll(child, seen).sessions[0]?.requests).toHaveLength(1);
      expect(readAll(parent, seen).sessions[0]?.requests).toHaveLength(2);
    });

    it('is found in a sub-agent that names its parent in its source only', () => {
      const { child } = files(style, ids, childMeta(spawned));
      expect(readAll(child).sessions[0]).toMatchObject({ parent: parentId, requests: [{ usage: { fresh: 150 } }] });
    });

    it('is found without the parent’s header', () => {
      const { child } = files(style, ids, childMeta(), false);
      expect(readAll(child).sessions[0]?.requests).toHaveLength(1);
    });
  });
});

describe('a fork whose copy took seconds to write', () => {
  it('is known by the age of its turns alone', () => {
    const lines = [childMeta(), ...oldTurns(true), ...ownTurn(true)];
    expect(readAll(stamped(lines, forkedAt, 2000)).sessions[0]?.requests).toHaveLength(1);
  });
});

describe('a fork by a writer that marks no turns', () => {
  it('is known by lines that are older than itself', () => {
    const unmarked = (lines: Line[]) => lines.filter((line) => line.type === 'response_item' || 'info' in line.payload);
    const child = [
      ...stamped([childMeta()], forkedAt),
      ...stamped(unmarked(oldTurns(false))),
      ...stamped(unmarked(ownTurn(false)), '2026-03-01T11:00:02Z'),
    ];
    expect(readAll(child).sessions[0]?.requests).toMatchObject([{ usage: { fresh: 150 } }]);
  });
});

describe('a fork that shows neither ids nor times', () => {
  it('is known by the counts that its parent’s file holds', () => {
    const { parent } = files('own times', false);
    const child = [
      childMeta({ forked_from_id: parentId, timestamp: undefined }),
      ...oldTurns(false),
      ...ownTurn(false),
    ];
    const seen = new Set<string>();
    readAll(parent, seen);
    expect(readAll(child, seen).sessions[0]?.requests).toHaveLength(1);
    expect(readAll(child).sessions[0]?.requests).toHaveLength(3);
  });

  it('that is still in its first second is all copy', () => {
    const copied = stamped([childMeta(), meta(parentId), ...oldTurns(false), message('user', 'mine')], forkedAt, 0);
    expect(readAll(copied).sessions[0]?.requests).toEqual([]);
  });
});

describe('a sub-agent that starts from zero', () => {
  const own = (ids: boolean) => turn('task', ids ? uuid('2026-03-01T11:00:02Z', '4') : undefined, [100, 10], [0, 0]);

  it.each([true, false])('keeps everything, even beside a parent with the same numbers (turn ids: %j)', (ids) => {
    const seen = new Set<string>();
    read([meta(parentId), ...oldTurns(ids)], seen);
    const { sessions, findings } = readAll(stamped([childMeta(spawned), ...own(ids)], '2026-03-01T11:00:02Z'), seen);
    expect(sessions[0]?.requests).toHaveLength(1);
    expect(sessions[0]?.parent).toBe(parentId);
    expect(findings.list()).toEqual([]);
  });

  it('keeps everything over several turns, which are its own by their ids', () => {
    const seen = new Set<string>();
    read([meta(parentId), ...oldTurns(true)], seen);
    const second = turn('more', uuid('2026-03-01T11:00:09Z', '5'), [130, 20], [100, 10]);
    const lines = [childMeta(spawned), ...own(true), ...second];
    expect(readAll(stamped(lines, '2026-03-01T11:00:02Z'), seen).sessions[0]?.requests).toHaveLength(2);
  });

  it('keeps everything when all its lines have one time', () => {
    expect(readAll(stamped([childMeta(), ...own(false)], forkedAt, 0)).sessions[0]?.requests).toHaveLength(1);
  });
});

describe('several files of one session', () => {
  it('are billed as a union: an archived copy adds nothing', () => {
    const lines = [meta('s1'), ...oldTurns(false)];
    const seen = new Set<string>();
    expect(read(lines, seen).session.requests).toHaveLength(2);
    const { sessions, findings } = readAll(stamped(lines, '2026-05-01T00:00:00Z'), seen);
    expect(sessions).toEqual([]);
    expect(findings.list().map((it) => `${it.kind} ${it.detail}`)).toEqual([
      'copied-request in an earlier file',
      'duplicate-session ',
    ]);
  });

  it('are billed as a union: a resumed one adds what is new, from its own baseline', () => {
    const seen = new Set<string>();
    read([meta('s1'), ...oldTurns(false)], seen);
    const resumed = read([meta('s1'), ...turn('three', undefined, [150, 30], [220, 30])], seen);
    expect(usages(resumed.session)).toEqual([[150, 0, 0, 30]]);
    const longer = read([meta('s1'), ...oldTurns(false), ...turn('four', undefined, [160, 40], [220, 30])], seen);
    expect(usages(longer.session)).toEqual([[160, 0, 0, 40]]);
  });

  it('are told from other sessions with the same numbers and the same small turn ids', () => {
    const seen = new Set<string>();
    const same = (id: string) => read([meta(id), ...turn('one', '1', [100, 10], [0, 0])], seen).session.requests;
    expect(same('s1')).toHaveLength(1);
    expect(same('s2')).toHaveLength(1);
  });
});
