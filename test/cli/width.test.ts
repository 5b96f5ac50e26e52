import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import stringWidth from 'string-width';
import { beforeAll, describe, expect, test } from 'vitest';
import { writeNative } from '../../src/session/native.ts';
import { sessionOf } from '../sessions.ts';
import { tempFolder } from '../temp.ts';
import { ctxsim } from './run.ts';

const root = join(import.meta.dirname, '../..');
const cwd = tempFolder();
const folder = 'recordings/-home-somebody-work-on-a-project';
const long = `${folder}/5f920ccf-e146-2053-c720-3c41a9b7d5cc`;

beforeAll(async () => {
  mkdirSync(join(cwd, folder), { recursive: true });
  const turn = { prompt: 100, rounds: [{ call: 50, result: 1000 }], reply: 20 };
  const turns = [turn, { ...turn, pauseSeconds: 600 }, turn];
  for (const name of [long, 'b', 'c', 'd', 'e', 'f'])
    writeFileSync(
      join(cwd, `${name}.jsonl`),
      `${[...writeNative(sessionOf(turns, { id: `s${name.length}` }))].join('\n')}\n`,
    );
  const two = ['one', 'two'].flatMap((id) => [...writeNative(sessionOf(turns, { id }))]);
  writeFileSync(join(cwd, 'two.jsonl'), `${two.join('\n')}\n`);
  const rows = [
    'a,1000,9000,800,100,0.01',
    'a row with a name that is as long as people make them,8000,100,1,10,0.02',
    'c,10,10,5,9000,0.13',
    'd,500,500,1,500,9',
  ];
  writeFileSync(join(cwd, 'table.csv'), `name,input,cacheRead,cacheWrite,output,cost\n${rows.join('\n')}\n`);
  await ctxsim(cwd, ['replay', 'b.jsonl', '-o', 'result.json']);
  await ctxsim(cwd, ['check', 'b.jsonl', `${long}.jsonl`, '--against', 'cheap.json', '--update', '-q']);
});

/** Lines that are wider than a terminal, but for a command to copy and for a single word. */
function tooWide(text: string, width: number): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => stringWidth(line) > width && line.includes(' ') && !line.startsWith('ctxsim '));
}

const session = `${long}.jsonl`;
/** Every session, by its own path and in one file with others. */
const all = '**/*.jsonl';
const heavy = ['--policy', 'anthropic-clear-tool-uses:trigger=50000,keep_uses=3', '--policy', 'heph:recent_turns=0..2'];
const commands: readonly (readonly string[])[] = [
  [],
  ['replay', all],
  ['replay', session, ...heavy, '--break-even', '--ttl', '5m,1h'],
  ['replay', all, '--model', 'claude-opus-4-5,gpt-5.5', '--refetch-rate', '1'],
  ['sweep', all, '--no-store'],
  ['sweep', all, '--no-store', '--policy', 'bi:recent_turns_full=2,3,slack=0..8'],
  ['recommend', all, '--no-store'],
  ['explain', session, '--policy', 'elide:recent_turns=0'],
  ['explain', session, '--policy', 'full', '--window', '33000'],
  ['explain', all, '--policy', 'elide:recent_turns=0'],
  ['explain', 'two.jsonl'],
  ['check', all, '--policy', 'heph', '--max', '0.0001/turn'],
  [
    'check',
    'b.jsonl',
    session,
    '--policy',
    'recorded',
    '--ttl',
    '1h',
    '--against',
    'cheap.json',
    '--max-increase',
    '0%',
  ],
  ['inspect', all],
  ['list', 'policies'],
  ['list', 'policies', 'heph'],
  ['list', 'models'],
  ['list', 'models', 'gpt-5.5'],
  ['list', 'providers'],
  ['list', 'providers', 'openai'],
  ['list', 'formats'],
  ['list', 'formats', 'request-log'],
  ['report', 'result.json'],
  ['reprice', 'table.csv', '--model', 'claude-sonnet-4-6'],
  ['reprice', 'table.csv', '--solve', '-v'],
  ['store', '--store', 'kept'],
  ['convert', session, '--content-free', '-o', 'out.jsonl', '--force'],
  ['replay', 'nothing-of-that-name.jsonl'],
  ['replay', session, '--policy', 'elid'],
  ['replay', session, '--model', 'claude-sonnet-9'],
  ['explain', session, '--format', 'xml'],
  ['sweep', session, '--formatt', 'csv'],
];

/** The same is drawn at other widths: a few show that it is. */
const few = new Set(['replay', 'explain', 'inspect']);

describe.each([60, 80, 200])('%d columns', (width) => {
  const run = width === 80 ? commands : commands.filter(([name = '', , flag]) => few.has(name) && flag !== '--policy');
  test.each(run.map((args) => [args.join(' '), args] as const))('ctxsim %s', async (_, args) => {
    const { out, err } = await ctxsim(cwd, args, { width, errWidth: width });
    expect(`${out}${err}`).not.toBe('');
    expect(tooWide(out, width)).toEqual([]);
    expect(tooWide(err, width)).toEqual([]);
  });

  test.each([
    ['backtest', 'sessions/s13.jsonl'],
    ['backtest', '--only', 'edits', 'sessions/s13.jsonl'],
    ['inspect', 'sessions/s13.jsonl', '-v'],
  ])('ctxsim %s %s', async (...args) => {
    const { out, err } = await ctxsim(root, args, { width, errWidth: width });
    expect(`${out}${err}`).not.toBe('');
    expect(tooWide(`${out}${err}`, width)).toEqual([]);
  });
});

test('a pipe gets whole sentences and whole tables', async () => {
  const piped = await ctxsim(cwd, ['explain', all, '--policy', 'elide:recent_turns=0']);
  const shown = await ctxsim(cwd, ['explain', all, '--policy', 'elide:recent_turns=0'], { width: 60 });
  expect(piped.out).not.toContain('No room for');
  expect(shown.out).toContain('No room for');
  expect(
    piped.out
      .split('\n\n')[0]
      ?.split('\n')
      .every((line) => line.endsWith('.') || line.includes('ctxsim')),
  ).toBe(true);
  expect(shown.out.split('\n\n')[0]?.replace(/\s+/g, ' ')).toBe(piped.out.split('\n\n')[0]?.replace(/\s+/g, ' '));
});

test('a command to copy stays on one line', async () => {
  const { out } = await ctxsim(cwd, ['recommend', session, 'b.jsonl', 'c.jsonl', '--no-store'], { width: 60 });
  expect(out).toMatch(new RegExp(`\nctxsim replay ${session} b.jsonl c.jsonl --policy \\S+\n`));
});
