import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { claudeCode } from '../../../src/formats/claude-code/index.ts';
import { tempFolder } from '../../temp.ts';
import { assistant, call, log, read, readFile, result, text, usage, user } from './transcript.ts';

describe('recognition', () => {
  const sniff = (...head: unknown[]) => claudeCode.sniff(head);

  test('by any line with a session id and a place, whatever stands before it', () => {
    expect(sniff(user('u1', null, 'go'))).toBe(true);
    expect(sniff(7, null, [], {}, { type: 'queue-operation', operation: 'enqueue', sessionId: 'S' })).toBe(true);
    expect(sniff({ type: 'summary', summary: 'x', leafUuid: 'u' })).toBe(true);
    expect(sniff({ type: 'file-history-snapshot', messageId: 'm', snapshot: {} })).toBe(true);
    expect(sniff({ type: 'mode', mode: 'plan', sessionId: 'S' })).toBe(true);
  });

  test('not of harnesses that took over the envelope, nor of others', () => {
    expect(sniff({ ...user('u1', null, 'go'), message: { role: 'user', parts: [{ text: 'go' }] } })).toBe(false);
    expect(sniff({ sessionId: 'S', projectHash: 'p', type: 'user', uuid: 'u' })).toBe(false);
    expect(sniff({ type: 'session_meta', payload: {} }, { type: 'event_msg', payload: {} })).toBe(false);
    expect(sniff({ type: 'session', version: 3, id: 'x', cwd: 'w' })).toBe(false);
    expect(sniff()).toBe(false);
  });
});

describe('files without a session (vector 30)', () => {
  test.each([
    ['empty', []],
    [
      'of metadata',
      [
        { type: 'summary', summary: 'x', leafUuid: 'u' },
        { type: 'mode', mode: 'plan', sessionId: 'S' },
      ],
    ],
    ['of command echoes', [user('u1', null, '<command-name>/exit</command-name>')]],
  ])('%s yield nothing and no findings', (_name, lines) => {
    const { sessions, counts } = read(lines);
    expect(sessions).toEqual([]);
    expect(counts).toEqual({});
  });
});

test('facts of the session come from its lines', () => {
  const more = { version: '2.1.0', cwd: 'work', sessionId: 'S' };
  const { session } = read(
    [user('u1', null, 'go', more), assistant('a1', 'u1', 'm1', text('ok'), usage(1, 1), more)],
    undefined,
    'x/S.jsonl',
  );
  expect(session).toMatchObject({
    id: 'S',
    agent: 'claude-code',
    agentVersion: '2.1.0',
    project: 'work',
    model: 'claude-x',
    content: 'text',
  });
  expect(session).not.toHaveProperty('parent');
});

test('what is unknown is counted by name, what is known to be idle is not', () => {
  const { session, counts } = read([
    { type: 'ai-title', aiTitle: 'x', sessionId: 'S' },
    { type: 'file-history-snapshot', messageId: 'u1', snapshot: {} },
    { type: 'queue-operation', operation: 'enqueue', sessionId: 'S' },
    { type: 'brand-new', sessionId: 'S' },
    { type: 'brand-new', sessionId: 'S' },
    { sessionId: 'S' },
    7,
    user('u1', null, [text('go'), { type: 'hologram' }]),
    // Its child must not lose the way up.
    { type: 'brand-new', uuid: 'n1', parentUuid: 'u1', sessionId: 'S' },
    assistant('a1', 'n1', 'm1', { type: 'dream' }, usage(1, 1)),
    assistant('a2', 'a1', 'm1', text('ok'), usage(1, 1)),
  ] as never);
  expect(log(session)).toEqual(['prompt go', 'reply ok']);
  expect(counts).toEqual({
    'unknown-block-type:dream': 1,
    'unknown-block-type:hologram': 1,
    'unknown-line-type:brand-new': 3,
    'unknown-line-type:none': 1,
    'unknown-line-type:not an object': 1,
  });
});

test('hostile names and shapes are data (vectors 19, 27)', () => {
  const lines = [
    user('u1', null, 'go'),
    assistant('a1', 'u1', 'm1', call('__proto__', 'constructor', { __proto__: null }), usage(1, 1), {
      message: { id: '__proto__', model: '__proto__', content: [call('__proto__', 'constructor')], usage: usage(1, 1) },
    }),
    result('r1', 'a1', '__proto__'),
    user('constructor', 'r1', [null, 7, 'x', { type: 'tool_result', content: [null, { type: 'text', text: 5 }] }]),
    assistant('toString', 'constructor', 'hasOwnProperty', text('ok'), usage(2, 2)),
  ];
  const { session } = read(lines);
  expect(session.model).toBe('__proto__');
  expect(session.requests).toHaveLength(2);
  expect(session.blocks[1]).toMatchObject({ kind: 'call', callId: '__proto__', tool: 'constructor', action: 'other' });
  expect(session.blocks[2]).toMatchObject({ kind: 'result', tool: 'constructor' });
});

test('a tool input nested beyond the stack is read without its text', () => {
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
  const line = JSON.stringify(
    assistant('a1', 'u1', 'm1', call('t1', 'Bash', { command: 'DEEP' }), usage(1, 1)),
  ).replace('"DEEP"', deep);
  const { session } = read([user('u1', null, 'go'), line]);
  expect(session.blocks[1]).toMatchObject({ kind: 'call', tool: 'Bash', action: 'exec' });
});

test('damage to the bytes costs the damaged lines only (vector 19)', () => {
  const path = join(tempFolder(), 'damage.jsonl');
  const line = (value: unknown) => JSON.stringify(value);
  const whole = [
    `\ufeff${line(user('u1', null, 'one\u2028two'))}\r`,
    '\0\0\0\0',
    `${line(assistant('a1', 'u1', 'm1', text('half'), usage(1, 1))).slice(0, 90)}${line(assistant('a1', 'u1', 'm1', text('\ud83d'), usage(1, 1)))}`,
    `${line(user('u2', 'a1', 'more'))}`,
    line(assistant('a2', 'u2', 'm2', text('torn'), usage(9, 1))).slice(0, -9),
  ];
  writeFileSync(path, whole.join('\n'));
  const { session, counts } = readFile(path);
  expect(log(session)).toEqual(['prompt one\u2028two', 'reply \ufffd', 'prompt more']);
  expect(counts).toEqual({ 'fused-line:a part is lost': 1, 'lone-surrogate': 1, 'nul-line': 1, 'torn-tail': 1 });
});
