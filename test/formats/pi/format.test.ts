import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formats } from '../../../src/formats/index.ts';
import { pi } from '../../../src/formats/pi/index.ts';
import type { Session } from '../../../src/session/session.ts';
import {
  aborted,
  answer,
  call,
  header,
  listHeader,
  message,
  readAll,
  result,
  text,
  tree,
  usage,
  user,
} from './transcript.ts';

describe('sniff', () => {
  it.each([
    ['a tree', [header()]],
    ['a list', [listHeader({ provider: 'p', modelId: 'm' })]],
    ['a file with a title', [{ type: 'title', v: 1, title: '' }, header()]],
  ])('knows %s, and no other format does', (_, head) => {
    expect(formats.all.filter((format) => format.sniff(head)).map(({ name }) => name)).toEqual(['pi']);
  });

  it.each([
    [{ type: 'session', format: 'ctxsim.session/1', id: 'x', cwd: '/', timestamp: 't' }],
    [{ type: 'session', id: 'x', timestamp: 't' }],
    [{ type: 'session', cwd: '/', timestamp: 't' }],
    [{ type: 'session', id: 'x', cwd: '/' }],
    [{ type: 'session_meta', payload: { id: 'x', cwd: '/' }, timestamp: 't' }],
    [{ type: 'message', id: 'x', parentId: null, timestamp: 't', message: { role: 'user', content: '' } }],
    [null],
    ['session'],
    [[]],
  ])('leaves %j to others', (value) => {
    expect(pi.sniff([value])).toBe(false);
  });
});

const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' };
const whole = tree(
  [
    { type: 'session_init', systemPrompt: 'Be good.' },
    user([text('go'), image]),
    answer([3, 0, 100, 50], [{ type: 'thinking', thinking: '' }, call('c1', 'bash', { command: 'ls' })], {
      usage: usage([3, 0, 100, 50], { reasoning: 30, cacheWrite1h: 60 }),
      responseId: 'r1',
    }),
    result('c1', 'x\nCommand exited with code 1', {
      toolName: 'bash',
      isError: true,
      details: { results: [{ usage: {} }] },
    }),
    aborted([5, 100, 9, 1], [text('Half')]),
    message('bashExecution', { command: 'pwd', output: '/' }),
    { type: 'branch_summary', summary: 'left', parentId: 'e4' },
    answer([6, 110, 9, 9]),
    { type: 'compaction', summary: 'So far.', firstKeptEntryId: 'e3' },
    { type: 'custom_message', content: [text('news')] },
    answer([20, 0, 30, 9]),
    user('on'),
    aborted([0, 0, 0, 0]),
  ],
  header('s1', { parentSession: 'p' }),
);

const junk = fc.oneof(
  fc.constantFrom(
    null,
    '',
    '__proto__',
    'constructor',
    -1,
    1e308,
    0.5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    [],
    {},
    [[null]],
    true,
  ),
  fc.string(),
  fc.integer(),
  fc.constantFrom(...['e1', 'e3', 'e5', 'e9', 's1', 'message', 'session', 'compaction', 'assistant', 'user']),
  fc.jsonValue({ maxDepth: 2 }),
);

/** Puts something else at one place, however deep, of one line. */
const damage = fc.record({
  line: fc.nat(whole.length - 1),
  path: fc.array(fc.nat(8), { minLength: 1, maxLength: 6 }),
  value: junk,
});

function damaged(value: unknown, path: readonly number[], other: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined || typeof value !== 'object' || value === null) return other;
  const keys = Object.keys(value);
  const key = keys[step % Math.max(1, keys.length)];
  if (key === undefined) return other;
  const next = rest.length === 0 ? other : damaged((value as Record<string, unknown>)[key], rest, other);
  return Array.isArray(value) ? value.map((it, at) => (String(at) === key ? next : it)) : { ...value, [key]: next };
}

describe('damaged sessions', () => {
  it('say what they say where nothing is damaged', () => {
    const [session] = readAll(whole).sessions;
    expect(session?.requests).toHaveLength(3);
    expect(session?.abandoned).toHaveLength(1);
    expect(session?.segments).toHaveLength(2);
  });

  it('never crash, and never yield a number that is no count', () => {
    const property = fc.property(
      fc.shuffledSubarray([...whole.keys()]),
      fc.array(fc.nat(whole.length - 1), { maxLength: 5 }),
      fc.array(damage, { maxLength: 12 }),
      fc.boolean(),
      (order, doubled, damages, inOrder) => {
        const lines = [...order, ...doubled].map((at) => ({ at, value: whole[at] as unknown }));
        if (inOrder) lines.sort((a, b) => a.at - b.at);
        for (const { line, path, value } of damages) {
          for (const it of lines) if (it.at === line) it.value = damaged(it.value, path, value);
        }
        for (const session of readAll(lines.map((it) => it.value)).sessions) expectSound(session);
      },
    );
    fc.assert(property, { numRuns: 1500, seed: 7 });
  });

  it('never crash on lines that are anything', () => {
    const line = fc.record({ type: junk, id: junk, parentId: junk, message: junk, timestamp: junk });
    const property = fc.property(fc.array(fc.oneof(junk, line)), (values) => {
      for (const session of readAll(values).sessions) expectSound(session);
    });
    fc.assert(property, { numRuns: 500, seed: 7 });
  });
});

function expectSound(session: Session): void {
  const numbers: number[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === 'number') numbers.push(value);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
  };
  collect([session.blocks, session.turns, session.segments, session.abandoned]);
  collect(session.requests.map(({ turn, ...request }) => [request, turn + 1]));
  expect(numbers.filter((number) => !Number.isSafeInteger(number) || number < 0)).toEqual([]);
  for (const { at, outputs } of session.requests) expect(at + outputs).toBeLessThanOrEqual(session.blocks.length);
  for (const { keeps, firstBlock } of session.segments) {
    expect(keeps.every((block) => block < firstBlock)).toBe(true);
    expect(new Set(keeps).size).toBe(keeps.length);
  }
  for (const block of session.blocks) expect(typeof block.text).toBe('string');
}
