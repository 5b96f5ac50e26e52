import { describe, expect, it } from 'vitest';
import { humanTurns } from '../../../src/session/session.ts';
import { context, count, event, type Line, meta, prompt, readAll, reply, stamped, usages } from './rollout.ts';

/** Turns of one session, its counts running on; turn ids are of no help. */
function turns(from: number, to: number): Line[] {
  return Array.from({ length: to - from }, (_, at) => from + at).flatMap((at) => [
    event('task_started', { turn_id: String(at) }),
    context('gpt-5.5', String(at)),
    ...prompt(`ask ${at}`),
    reply(`say ${at}`),
    count([10 + at, 0, 1], [10 + at + 1000 * at, 0, 1 + at]),
  ]);
}

const start = '2026-03-01T10:00:00Z';
const later = '2026-03-02T10:00:00Z';
const inputs = (files: readonly (readonly object[])[]) =>
  readAll(files.flat()).sessions.map((session) => usages(session).map((it) => it?.[0]));

describe('a header that comes again', () => {
  it('is a resumed session where the session goes on', () => {
    const { sessions } = readAll([
      ...stamped([meta('s1'), ...turns(0, 2)], start),
      ...stamped([meta('s1'), ...turns(2, 4)], later),
    ]);
    expect(sessions).toHaveLength(1);
    expect(sessions.map(humanTurns)).toEqual([4]);
  });

  it('is a resumed session where it repeats the last count first', () => {
    const again = turns(0, 1).at(-1) as Line;
    const { sessions } = readAll([
      ...stamped([meta('s1'), ...turns(0, 1)], start),
      ...stamped([meta('s1'), again, ...turns(1, 2)], later),
    ]);
    expect(sessions.map((session) => usages(session).map((it) => it?.[0]))).toEqual([[10, 11]]);
  });

  it('is another copy where the session begins again, also one whose lines were stamped anew', () => {
    const whole = stamped([meta('s1'), ...turns(0, 3)], start);
    const part = stamped([meta('s1'), ...turns(0, 2)], start);
    const anew = stamped([meta('s1'), ...turns(0, 3)], later);
    for (const files of [
      [whole, part],
      [part, whole],
      [part, anew],
      [anew, part],
      [part, part, anew],
    ])
      expect(inputs(files)).toEqual([[10, 11, 12]]);
  });

  it('adds what only a shorter copy has', () => {
    const one = stamped([meta('s1'), ...turns(0, 4)], start);
    const other = stamped([meta('s1'), ...turns(0, 1), ...turns(7, 8)], start);
    expect(inputs([other, one])).toEqual([[10, 11, 12, 13], [17]]);
  });
});

describe('a header of another session', () => {
  const first = stamped([meta('s1'), ...turns(0, 2)], start);
  const second = stamped([meta('s2', { timestamp: '2026-02-01T10:00:00Z' }), ...turns(0, 2)], '2026-02-01T10:00:00Z');

  it('begins that, although both count alike', () => {
    expect(inputs([first, second])).toEqual([
      [10, 11],
      [10, 11],
    ]);
  });

  it('begins that, too, behind a session that has nothing but a header', () => {
    const { sessions } = readAll([...first.slice(0, 1), ...second]);
    expect(sessions).toMatchObject([{ id: 's2', requests: [{}, {}] }]);
    expect(sessions[0]?.parent).toBeUndefined();
  });

  it('begins that in files of early 2025', () => {
    const old = (id: string, text: string) => [
      { id, timestamp: '2025-04-20T10:00:00Z', instructions: 'be good', git: null },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'done' }] },
    ];
    const files = [old('a', 'one'), old('b', 'two')];
    expect(readAll(files.flat()).sessions).toEqual(files.flatMap((file) => readAll(file).sessions));
    expect(readAll([...old('a', 'one'), ...old('a', 'one')]).sessions[0]?.blocks).toHaveLength(3);
  });
});
