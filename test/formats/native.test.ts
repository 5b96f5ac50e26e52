import { describe, expect, it } from 'vitest';
import { native } from '../../src/formats/native/index.ts';
import { Findings } from '../../src/session/findings.ts';
import type { Session } from '../../src/session/session.ts';

type Line = Readonly<Record<string, unknown>>;

const header = (id = 's'): Line => ({ type: 'session', format: 'ctxsim.session/1', id, model: 'm' });
const block = (kind: string, text = kind): Line => ({ type: 'block', kind, text });
const request = (fresh: number, more: Line = {}): Line => ({
  type: 'request',
  usage: { fresh, cacheRead: 0, output: 1 },
  ...more,
});

async function read(lines: readonly Line[], seenRequests = new Set<string>()) {
  const findings = new Findings();
  const records = () => lines.map((value, at) => ({ line: at + 1, value }));
  const sessions: Session[] = [];
  for await (const session of native.read({ path: 'f.jsonl', records }, { findings, seenRequests }))
    sessions.push(session);
  return { sessions, findings, fresh: sessions.map(({ requests }) => requests.map(({ usage }) => usage?.fresh)) };
}

const rounds = (more: (at: number) => Line = () => ({})) =>
  [10, 20, 30].flatMap((fresh, at) => [block('prompt'), request(fresh, more(at)), block('reply')]);

describe('requests of the native format', () => {
  it('are each billed where all have one id', async () => {
    const { fresh, findings } = await read([header(), ...rounds(() => ({ id: 'always' }))]);
    expect(fresh).toEqual([[10, 20, 30]]);
    expect(findings.list()).toEqual([]);
  });

  it('are each billed where they are alike in all', async () => {
    const alike = [header(), block('prompt'), request(5, { id: 'a' }), request(5, { id: 'a' })];
    const seen = new Set<string>();
    expect((await read(alike, seen)).fresh).toEqual([[5, 5]]);
    expect((await read([...alike, request(5, { id: 'a' })], seen)).fresh).toEqual([[5]]);
  });

  it('are no copies of those of another session with the same id', async () => {
    const seen = new Set<string>();
    await read([header(), ...rounds(() => ({ id: 'always' }))], seen);
    const other = [
      header(),
      block('prompt'),
      request(11, { id: 'always' }),
      block('reply'),
      block('prompt'),
      request(20),
    ];
    expect((await read(other, seen)).fresh).toEqual([[11, 20]]);
    const later = [header(), ...rounds((at) => ({ time: Date.UTC(2026, 1, 1 + at) }))];
    expect((await read(later, seen)).fresh).toEqual([[10, 20, 30]]);
    const evenLater = [header(), ...rounds((at) => ({ time: new Date(Date.UTC(2026, 1, 1 + at)).toISOString() }))];
    expect((await read(evenLater, seen)).sessions).toEqual([]);
  });

  it('outside the conversation are billed once, too', async () => {
    const lines = [header(), ...rounds(), { type: 'abandoned', usage: { fresh: 7, cacheRead: 0, output: 1 } }];
    const seen = new Set<string>();
    expect((await read(lines, seen)).sessions[0]?.abandoned).toHaveLength(1);
    const { sessions, findings } = await read(lines, seen);
    expect(sessions).toEqual([]);
    expect(findings.count('replayed-request')).toBe(4);
    expect(findings.count('duplicate-session')).toBe(1);
  });

  it('of a copy that is kept in the same stream are those of the longest', async () => {
    const whole = [header(), ...rounds()];
    const { fresh, findings } = await read([...whole.slice(0, 4), header('t'), ...rounds(), ...whole]);
    expect(fresh).toEqual([
      [10, 20, 30],
      [10, 20, 30],
    ]);
    expect(findings.count('replayed-request')).toBe(1);
  });
});

it('a line of a kind that the native format does not have is a fault, and its usage is said', async () => {
  const strange = { type: 'side_request', usage: { fresh: 40, cacheRead: 2, output: 3 } };
  const { findings } = await read([header(), ...rounds(), strange]);
  expect(findings.count('invalid-native-record')).toBe(1);
  expect(findings.list()).toContainEqual(
    expect.objectContaining({ kind: 'unread-usage', tokens: { input: 42, output: 3 } }),
  );
});
