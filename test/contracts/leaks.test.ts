import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { formats } from '../../src/formats/index.ts';
import { ctxsim } from '../cli/run.ts';
import * as pi from '../formats/pi/transcript.ts';
import { tempFolder } from '../temp.ts';

/** A text of as many private-use characters, which no format uses; the same for the same text. Cut, for they count slowly. */
const secret = (text: string) =>
  [...text.slice(0, 20)].map((it) => String.fromCodePoint(0xe000 + ((it.codePointAt(0) ?? 0) % 0x1000))).join('');

/** Keys whose values are the format's own words. */
const structural = new Set([
  'type',
  'role',
  'timestamp',
  'time',
  'model',
  'format',
  'kind',
  'action',
  'stopReason',
  'reason',
  'content',
]);

/** The value with every text replaced, also those inside of texts that are JSON. */
function masked(value: unknown, key: string, keeps: ReadonlySet<string>): unknown {
  if (typeof value === 'string') {
    if (keeps.has(key) && !(key === 'content' && value !== 'text')) return value;
    return key === 'arguments' ? JSON.stringify(masked(JSON.parse(value), '', keeps)) : secret(value);
  }
  if (Array.isArray(value)) return value.map((item) => masked(item, key, keeps));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, masked(item, name, keeps)]));
}

const shipped = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../../sessions/${path}`, import.meta.url)), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(0, 40)
    .map((line) => JSON.parse(line) as unknown);

const model = 'claude-sonnet-4-5';
const piSession = pi.tree(
  [
    pi.user('What is wrong?'),
    pi.answer([10, 0, 900, 40], [pi.text('I look.'), pi.call('c1', 'bash', { command: 'make' })], {
      stopReason: 'toolUse',
      model,
    }),
    pi.result('c1', 'it failed\nCommand exited with code 2', { toolName: 'bash', isError: true }),
    pi.answer([10, 900, 90, 12], 'A bracket.', { model }),
    pi.user('Thank you.'),
    pi.answer([10, 1000, 30, 12], [pi.call('c2', 'mine', { words: 'of mine' })], { model }),
  ],
  pi.header('session-of-mine', { parentSession: 'of-before' }),
);

const head = { type: 'session', format: 'ctxsim.session/1', id: 'mine', parent: 'yours', agent: 'home-made' };
const nativeSession = [
  { ...head, agentVersion: 'version of mine', project: 'secret-project', model: 'claude-sonnet-4-5' },
  { type: 'block', kind: 'system', text: 'You are careful.' },
  { type: 'turn' },
  { type: 'block', kind: 'prompt', text: 'Build it, please.' },
  {
    type: 'request',
    id: 'req-1',
    settings: { tools: 'mine', effort: 'unusual', thinking: 'long', speed: 'slow', toolChoice: 'that' },
    discarded: [{ kind: 'call', callId: 'c0', tool: 'home', target: 'secret', text: 'dropped words' }],
  },
  { type: 'block', kind: 'call', callId: 'c1', tool: 'home', action: 'exec', target: 'make all', text: 'make all' },
  { type: 'block', kind: 'result', callId: 'c1', exitCode: 1, text: 'first\nlast words' },
  { type: 'segment', reason: 'compaction', keeps: [0] },
  { type: 'block', kind: 'summary', text: 'What happened.' },
  { type: 'request', id: 'req-2', usage: { fresh: 90, cacheRead: 0, output: 9 } },
  { type: 'block', kind: 'reply', text: 'It is built.' },
  { type: 'abandoned', model: 'claude-sonnet-4-5', usage: { fresh: 90, cacheRead: 0, output: 9 } },
];

const log = [400, 900, 1500].map((input, at) => ({
  session: 'mine',
  time: at * 10,
  model: 'claude-sonnet-4-6',
  input,
  output: 20,
  kind: at === 0 ? 'text' : 'tool_result',
  user: 'a name',
}));

const transcripts: readonly (readonly [string, readonly unknown[]])[] = [
  ['native', nativeSession],
  ['native', shipped('s04.jsonl')],
  ['claude-code', shipped('s13.jsonl')],
  ['codex', shipped('long/codex.jsonl')],
  ['pi', piSession],
  ['request-log', log],
];

test('every format is tried', () => {
  expect(new Set(transcripts.map(([format]) => format))).toEqual(new Set(formats.names));
});

describe.each(transcripts)('%s: no character of any text is left', (format, lines) => {
  // With the names of tools as they are, targets are told; without them, the names are words as well.
  test.each([
    ['tools under their names', new Set([...structural, 'name', 'tool', 'toolName'])],
    ['tools of unknown names', structural],
  ])('%s', async (_, keeps) => {
    const cwd = tempFolder();
    const texts = lines.map((line) => JSON.stringify(masked(line, '', keeps)));
    writeFileSync(join(cwd, 'words.jsonl'), `${texts.join('\n')}\n`);
    const args = ['--content-free', 'words.jsonl', '--input-format', format];
    const { status, out } = await ctxsim(cwd, ['convert', ...args]);
    expect(status).toBe(0);
    expect(out.match(/"type":"block"/g)?.length).toBeGreaterThan(4);
    expect(texts.join('')).toMatch(/[\ue000-\uf8ff]/);
    expect(out).not.toMatch(/[\ue000-\uf8ff]|\\ue|words/);
    writeFileSync(join(cwd, 'bare.jsonl'), out);
    const rows = async (file: string) => {
      const replay = await ctxsim(cwd, [
        'replay',
        file,
        '--format',
        'json',
        '--policy',
        'elide',
        '--policy',
        'heph',
        '-q',
      ]);
      const { rows, sessions } = JSON.parse(replay.out);
      return { rows, costs: sessions.map(({ cost }: { cost: unknown }) => cost) };
    };
    expect(await rows('bare.jsonl')).toEqual(await rows('words.jsonl'));
  });
});
