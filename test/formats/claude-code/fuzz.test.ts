import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Session } from '../../../src/session/session.ts';
import { tempFolder } from '../../temp.ts';
import { assistant, at, attachment, call, readFile, result, system, text, usage, user } from './transcript.ts';

const more = { timestamp: at(1), version: '2.1.0', cwd: 'w' };
const side = { isSidechain: true, agentId: 'k', ...more };
const lines = [
  { type: 'summary', summary: 'x', leafUuid: 'u1' },
  user('u1', null, 'go', more),
  attachment('x1', 'u1', { type: 'file', filename: 'a.ts', content: { type: 'text', file: { content: 'x' } } }, more),
  assistant(
    'a1',
    'x1',
    'm1',
    { type: 'thinking', thinking: '' },
    { ...usage(3, 2, 10, 20, 30), output_tokens_details: { thinking_tokens: 7 } },
    more,
  ),
  assistant('a2', 'a1', 'm1', call('t1'), usage(3, 9, 10, 20, 30), more),
  assistant('a3', 'a2', 'm1', call('t2', 'Bash', { command: 'ls' }), usage(3, 90, 10, 20, 30), more),
  result('r1', 'a2', 't1', '<persisted-output>\nx\n</persisted-output>', more),
  result('r2', 'a3', 't2', [text('Exit code 1'), { type: 'image' }], more),
  user('v1', null, 'look', side),
  assistant('w1', 'v1', 's1', text('seen'), usage(5, 5), side),
  assistant(
    'a4',
    'r2',
    'm2',
    text('Done.'),
    {
      ...usage(2, 10, 60),
      iterations: [
        { ...usage(1, 5, 30), type: 'message' },
        { ...usage(1, 5, 30), type: 'message' },
        { ...usage(8, 8), type: 'advisor_message' },
      ],
    },
    more,
  ),
  user('u2', 'a4', 'wrong', more),
  assistant('a5', 'u2', 'm3', text('No.'), usage(70, 1), more),
  system('c1', 'a4', 'microcompact_boundary', more),
  user('u3', 'c1', '<system-reminder>r</system-reminder>right 😀', more),
  system('b1', null, 'compact_boundary', { compactMetadata: { preservedMessages: { uuids: ['a4', 'u3'] } }, ...more }),
  user('s1', 'b1', 'sum', { isCompactSummary: true, isVisibleInTranscriptOnly: true, ...more }),
  assistant('a6', 's1', 'm4', text('Bye.'), usage(9, 1, 1, 1, 1), more),
].map((line) => `${JSON.stringify(line)}\n`);

const path = join(tempFolder(), 'S.jsonl');

function readBytes(bytes: Uint8Array) {
  writeFileSync(path, bytes);
  const { sessions } = readFile(path);
  for (const session of sessions) checkSession(session);
  return sessions;
}

/** Every number is finite and not negative, every index points into the session. */
function checkSession(session: Session): void {
  const numbers: number[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === 'number') numbers.push(value);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
  };
  collect([session.blocks, session.turns, session.segments, session.abandoned]);
  collect(session.requests.map(({ turn, ...request }) => [request, turn + 1]));
  expect(numbers.filter((number) => !Number.isSafeInteger(number) || number < 0)).toEqual([]);
  for (const { at: start, outputs } of session.requests)
    expect(start + outputs).toBeLessThanOrEqual(session.blocks.length);
  for (const { keeps, firstBlock } of session.segments) expect(keeps.every((block) => block < firstBlock)).toBe(true);
}

const spot = fc.nat({ max: 1_000_000 });
const damage = fc.oneof(
  fc.record({ kind: fc.constant('byte' as const), spot, value: fc.nat({ max: 255 }) }),
  fc.record({ kind: fc.constant('cut' as const), spot, value: fc.nat({ max: 400 }) }),
  fc.record({ kind: fc.constant('double' as const), spot, value: spot }),
  fc.record({ kind: fc.constant('swap' as const), spot, value: spot }),
);

test('the undamaged transcript says what it says', () => {
  const [main, sub] = readBytes(Buffer.from(lines.join('')));
  expect(main).toMatchObject({
    id: 'S',
    requests: [{}, {}, {}],
    segments: [{}, { keeps: [7, 8, 9] }],
    // The first pass of the doubled response, the advice, and the rewound answer.
    abandoned: [{}, {}, {}],
  });
  expect(sub).toMatchObject({ id: 'S/agent-k', requests: [{}] });
});

test('bytes flipped, lines cut, shuffled and doubled: no crash, no impossible number', () => {
  const property = fc.property(fc.array(damage, { minLength: 1, maxLength: 12 }), (steps) => {
    const rows = [...lines];
    for (const { kind, spot: place, value } of steps) {
      const [a, b] = [place % rows.length, value % rows.length];
      if (kind === 'double') rows.splice(a, 0, rows[b] as string);
      if (kind === 'swap') [rows[a], rows[b]] = [rows[b] as string, rows[a] as string];
      if (kind === 'cut') rows[a] = (rows[a] as string).slice(0, value);
    }
    const bytes = Buffer.from(rows.join(''));
    for (const { kind, spot: place, value } of steps)
      if (kind === 'byte' && bytes.length > 0) bytes[place % bytes.length] = value;
    readBytes(bytes);
  });
  fc.assert(property, { numRuns: 400, seed: 1, interruptAfterTimeLimit: 3500 });
});

test('any JSON in the place of any field: no crash', () => {
  const fields = [
    'type',
    'uuid',
    'parentUuid',
    'message',
    'attachment',
    'timestamp',
    'requestId',
    'isMeta',
    'content',
    'usage',
    'id',
    'iterations',
    'cache_creation',
    'input_tokens',
    'compactMetadata',
    'preservedMessages',
    'agentId',
    'text',
    'input',
    'prompt',
    'source',
  ];
  const property = fc.property(
    spot,
    fc.constantFrom(...fields),
    fc.jsonValue({ maxDepth: 2 }),
    (place, field, value) => {
      const rows = lines.map((line, index) =>
        index % 3 === place % 3
          ? JSON.stringify(JSON.parse(line, (key, was: unknown) => (key === field ? value : was)))
          : line.trimEnd(),
      );
      readBytes(Buffer.from(rows.join('\n')));
    },
  );
  fc.assert(property, { numRuns: 400, seed: 2, interruptAfterTimeLimit: 3500 });
});
