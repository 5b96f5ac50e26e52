import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { resultSchema } from '../../src/results/result.ts';
import { writeNative } from '../../src/session/native.ts';
import { sessionOf, type TurnShape } from '../sessions.ts';
import { tempFolder } from '../temp.ts';
import { ctxsim } from './run.ts';

let cwd: string;
const turns = (result: number): TurnShape[] =>
  Array.from({ length: 5 }, () => ({
    prompt: 60,
    reply: 60,
    rounds: Array.from({ length: 12 }, () => ({ call: 80, result })),
  }));

function write(name: string, lines: Iterable<string>): string {
  writeFileSync(join(cwd, name), `${[...lines].join('\n')}\n`);
  return name;
}

beforeAll(() => {
  cwd = tempFolder();
  mkdirSync(join(cwd, 'empty'));
  for (const n of [1, 2, 3, 4, 5, 6])
    write(`s${n}.jsonl`, writeNative(sessionOf(turns(500 + 20 * n), { id: `s${n}` })));
  write('text.jsonl', [
    '{"type":"session","format":"ctxsim.session/1","id":"t","model":"claude-sonnet-4-5"}',
    '{"type":"turn"}',
    '{"type":"block","kind":"prompt","text":"one two three"}',
    '{"type":"request"}',
    '{"type":"block","kind":"reply","text":"four"}',
  ]);
  write('unknown-model.jsonl', writeNative({ ...sessionOf(turns(500), { id: 'u' }), model: 'no-such-model-9' }));
  write('notes.jsonl', ['{"hello":"world"}']);
  write('idle.jsonl', ['{"type":"session","format":"ctxsim.session/1","id":"i","model":"claude-sonnet-4-5"}']);
  write('broken.jsonl', [
    '{"type":"session","format":"ctxsim.session/1","id":"b","model":"claude-sonnet-4-5"}',
    '{"type":',
  ]);
});

describe('ctxsim replay', () => {
  test('prints the table on stdout and nothing else there', async () => {
    const { status, out, err } = await ctxsim(cwd, ['replay', 's*.jsonl']);
    expect([status, err]).toEqual([0, '']);
    expect(out).toMatch(/^Best of 4: elide/);
    for (const label of [
      'full',
      'elide:recent_turns=0',
      'elide:recent_turns=1',
      'elide:recent_turns=2',
      'elide:recent_turns=4',
    ]) {
      expect(out).toContain(label);
    }
  });

  test('json is one object that fits its schema, with two savings a row', async () => {
    const { out } = await ctxsim(cwd, ['replay', 's*.jsonl', '--format', 'json']);
    const result = resultSchema.parse(JSON.parse(out));
    expect(result.rows.map(({ label }) => label)).toHaveLength(6);
    expect(result.rows[0]).toMatchObject({ isBaseline: true, saving: null });
    expect(result.rows[1]?.saving).toBeGreaterThan(0);
    expect(result.rows[1]?.savingRecordedMarkers).not.toBe(result.rows[1]?.saving);
    expect(result.rows[1]?.ci95).not.toBeNull();
    expect(result.corpus).toMatchObject({ sessions: 6, turns: 30, requests: 390 });
    const { shares } = result.corpus;
    expect(Object.values(shares).reduce((a, b) => a + b, 0)).toBeCloseTo(1, 9);
  });

  test('a bill is the sum of its classes, and the rows of sessions add up to it', async () => {
    const { out } = await ctxsim(cwd, ['replay', 's*.jsonl', '--format', 'json']);
    const { rows, sessions } = resultSchema.parse(JSON.parse(out));
    for (const { cost, label, usage } of rows) {
      expect(cost.total).toBeCloseTo(cost.fresh + cost.cacheRead + cost.cacheWrite + cost.output, 12);
      expect(cost.total).toBeCloseTo(
        sessions.reduce((sum, session) => sum + (session.cost[label] ?? 0), 0),
        9,
      );
      const byHand = (usage.fresh * 3 + usage.cacheRead * 0.3 + usage.cacheWrite5m * 3.75 + usage.output * 15) / 1e6;
      expect(cost.total).toBeCloseTo(byHand, 9);
    }
  });

  test('the same bytes in any order of files, and on a second run', async () => {
    const names = [1, 2, 3, 4, 5, 6].map((n) => `s${n}.jsonl`);
    const forward = await ctxsim(cwd, ['replay', ...names, '--format', 'json']);
    const backward = await ctxsim(cwd, ['replay', ...names.reverse(), '--format', 'json']);
    expect(backward.out).toBe(forward.out);
  });

  test('inputs are never modified', async () => {
    const hash = () =>
      [1, 2, 3].map((n) =>
        createHash('sha256')
          .update(readFileSync(join(cwd, `s${n}.jsonl`)))
          .digest('hex'),
      );
    const before = hash();
    await ctxsim(cwd, ['replay', 's1.jsonl', 's2.jsonl', 's3.jsonl']);
    expect(hash()).toEqual(before);
  });

  test('-o writes several formats from one run, and stdout stays empty', async () => {
    const { out } = await ctxsim(cwd, ['replay', 's1.jsonl', '-o', 'a.csv', '-o', 'a.json', '-o', 'a.md']);
    expect(out).toBe('');
    expect(readFileSync(join(cwd, 'a.csv'), 'utf8').split('\n')).toHaveLength(8);
    expect(resultSchema.parse(JSON.parse(readFileSync(join(cwd, 'a.json'), 'utf8'))).schema).toBe('ctxsim.result/1');
    expect(readFileSync(join(cwd, 'a.md'), 'utf8')).toContain('| ');
    for (const file of ['a.csv', 'a.json', 'a.md']) rmSync(join(cwd, file));
  });

  test('a pinned planner has one saving; a cache without markers too', async () => {
    for (const flags of [
      ['--breakpoints', 'tail'],
      ['--cache', 'ideal'],
      ['--cache', 'none'],
    ]) {
      const { out } = await ctxsim(cwd, ['replay', 's*.jsonl', '--format', 'json', ...flags]);
      expect(resultSchema.parse(JSON.parse(out)).rows[1]?.savingRecordedMarkers).toBeNull();
    }
  });

  test('--model replays as another model', async () => {
    const { out } = await ctxsim(cwd, [
      'replay',
      's1.jsonl',
      '--format',
      'json',
      '--model',
      'anthropic/claude-opus-4.5',
    ]);
    expect(resultSchema.parse(JSON.parse(out)).rows[0]?.model).toBe('claude-opus-4-5');
  });

  test('one bad file among many does not stop the others; it is named at the end', async () => {
    const { status, out, err } = await ctxsim(cwd, [
      'replay',
      's1.jsonl',
      'notes.jsonl',
      'unknown-model.jsonl',
      's2.jsonl',
    ]);
    expect(status).toBe(0);
    expect(out).toContain('2 sessions');
    expect(err).toContain('notes.jsonl: no known transcript format');
    expect(err).toContain('no-such-model-9');
    expect(out).toContain('Left out');
  });

  test('a window too small makes a session unsendable, and it is not compared', async () => {
    const { out } = await ctxsim(cwd, [
      'replay',
      's1.jsonl',
      '--format',
      'json',
      '--window',
      '60000',
      '--policy',
      'elide',
    ]);
    const rows = resultSchema.parse(JSON.parse(out)).rows;
    expect(rows.map(({ verdict }) => verdict)).toEqual(['unsendable', 'no baseline']);
    expect(rows.map(({ cost }) => cost.total)).toEqual([null, null]);
  });

  test('the answer names the row that could not be sent, not the one that could, and what to do', async () => {
    const small = ['s1.jsonl', '--window', '60000'];
    const { out } = await ctxsim(cwd, ['replay', ...small, '--policy', 'elide']);
    expect(out.split('\n')[0]).toBe(
      'full could not be sent over 1 session: elide has nothing to be compared with (--baseline POLICY).',
    );
    expect(out).toContain('Could not be sent: full in 1 of 1 session.');
    expect(out).toContain('shorten the prompt or use /clear');
    const alone = await ctxsim(cwd, ['replay', ...small, '--policy', 'full']);
    expect(alone.out).toMatch(/^Nothing to compare: .*, and full could not be sent\.$/m);
    expect(alone.out).toContain('shorten the prompt or use /clear');
    const explained = await ctxsim(cwd, ['explain', ...small, '--policy', 'full']);
    expect(explained.out).toContain('shorten the prompt or use /clear');
  });

  test('a row that never fires still costs what it costs against another baseline', async () => {
    const { out } = await ctxsim(cwd, [
      'replay',
      's*.jsonl',
      '--format',
      'json',
      '--baseline',
      'elide:recent_turns=0',
      '-p',
      'full',
    ]);
    const row = resultSchema.parse(JSON.parse(out)).rows[1];
    expect([row?.label, row?.verdict]).toEqual(['full', 'costs more']);
  });

  test('a native file with an invalid record is not priced in part', async () => {
    const lines = [...writeNative(sessionOf(turns(500), { id: 'bad' }))];
    write('half.jsonl', [...lines, '{"type":"request","tokens":4}']);
    const { status, err } = await ctxsim(cwd, ['replay', 'half.jsonl']);
    rmSync(join(cwd, 'half.jsonl'));
    expect([status, err.includes('half.jsonl: 1 invalid record of the native format')]).toEqual([2, true]);
  });

  test('shows no bill for what could not be sent', async () => {
    const small = ['replay', 's1.jsonl', '--window', '1', '--output-reserve', '0'];
    expect((await ctxsim(cwd, small)).out).not.toContain('$0.00');
    const [head = '', row = ''] = (await ctxsim(cwd, [...small, '--format', 'csv'])).out.split('\n');
    expect(row.split(',')[head.split(',').indexOf('cost_usd')]).toBe('');
  });

  test('says so when a request starts before the one that it follows', async () => {
    const session = sessionOf(turns(500), { id: 'back' });
    const requests = session.requests.map((request, at) => (at === 3 ? { ...request, time: 1 } : request));
    write('back.jsonl', writeNative({ ...session, requests }));
    const { status, err } = await ctxsim(cwd, ['replay', 'back.jsonl', '-v']);
    rmSync(join(cwd, 'back.jsonl'));
    expect([status, err]).toEqual([0, 'time-goes-back: 1, first at back.jsonl\n']);
  });

  test('says why for every file, and what was found, when nothing is left', async () => {
    const { status, out, err } = await ctxsim(cwd, ['replay', 'notes.jsonl', 'unknown-model.jsonl', 'broken.jsonl']);
    expect([status, out]).toEqual([2, '']);
    expect(err).toContain('left out: notes.jsonl: no known transcript format');
    expect(err).toContain('left out: unknown-model.jsonl: ');
    expect(err).toContain('-v lists them');
    expect(err).toContain('ctxsim: all 3 files or sessions were left out');
  });

  test('the same session twice is billed once, whatever its file is called', async () => {
    const lines = [...writeNative(sessionOf(turns(500), { id: 'twice' }))];
    write('a1.jsonl', lines);
    write('a2.jsonl', lines.slice(0, -2));
    const once = await ctxsim(cwd, ['replay', 'a1.jsonl', '--format', 'json']);
    const twice = await ctxsim(cwd, ['replay', 'a1.jsonl', 'a2.jsonl', '--format', 'json']);
    const [a, b] = [once, twice].map(({ out }) => resultSchema.parse(JSON.parse(out)).rows[0]?.cost.total);
    expect(b).toBe(a);
    for (const file of ['a1.jsonl', 'a2.jsonl']) rmSync(join(cwd, file));
  });

  test('a command that mends what is left out ends its line', async () => {
    const { err } = await ctxsim(cwd, ['replay', 's1.jsonl', 's2.jsonl', '--model', 'gpt-5.5', '--ttl', '5m']);
    expect(err).toMatch(/^left out: s1\.jsonl: .*\. .* See: ctxsim list providers openai$/m);
  });

  test('what is left out is named even when quiet', async () => {
    const { err } = await ctxsim(cwd, ['replay', '-q', 's1.jsonl', 'unknown-model.jsonl']);
    expect(err).toContain('no-such-model-9');
  });

  test('text is counted, and no model asks for one', async () => {
    const { status, out } = await ctxsim(cwd, ['replay', 'text.jsonl', '--format', 'json']);
    expect(status).toBe(0);
    expect(resultSchema.parse(JSON.parse(out)).assumptions.estimatedShare).toBe(1);
  });

  test('--prices prices a model that nobody knows', async () => {
    writeFileSync(join(cwd, 'prices.json'), '{"models":{"no-such-model-9":{"input":1,"output":2,"cacheRead":0.1}}}');
    const { status, out } = await ctxsim(cwd, [
      'replay',
      'unknown-model.jsonl',
      '--prices',
      'prices.json',
      '--format',
      'json',
    ]);
    expect(status).toBe(0);
    const [row] = resultSchema.parse(JSON.parse(out)).rows;
    expect(row).toMatchObject({ model: 'no-such-model-9', cache: 'ideal' });
    expect(row?.cost.total).toBeCloseTo(
      ((row?.usage.fresh ?? 0) + (row?.usage.cacheRead ?? 0) * 0.1 + (row?.usage.output ?? 0) * 2) / 1e6,
      9,
    );
  });
});

describe('what cannot be answered: exit 2, one message that names the thing and the remedy', () => {
  test.each<[string, string[], string[]]>([
    ['no such path', ['replay', 'nothing.jsonl'], ['nothing.jsonl', 'Check the path']],
    ['an empty path', ['replay', ''], ['a path is empty']],
    ['a path through a file', ['replay', 's1.jsonl/x'], ['s1.jsonl/x', 'Check the path']],
    ['no match', ['replay', 'x*.jsonl'], ['nothing matches x*.jsonl']],
    ['a directory without transcripts', ['replay', 'empty'], ['no transcripts in empty']],
    [
      'an unknown policy',
      ['replay', 's1.jsonl', '--policy', 'elid'],
      ['unknown policy "elid"', 'Nearest: elide, ', 'All of them: ctxsim list policies\n'],
    ],
    [
      'an unknown parameter',
      ['replay', 's1.jsonl', '--policy', 'elide:recent=1'],
      ['unknown parameter of elide "recent"'],
    ],
    [
      'out of range',
      ['replay', 's1.jsonl', '--policy', 'elide:recent_turns=-1'],
      ['recent_turns=-1 is out of range', 'at least 0'],
    ],
    ['an unknown model', ['replay', 's1.jsonl', '--model', 'claude-opus-9'], ['claude-opus-9', '--prices']],
    ['an unpriced recording', ['replay', 'unknown-model.jsonl'], ['no-such-model-9', '--prices']],
    [
      'an unknown format',
      ['replay', 's1.jsonl', '--format', 'tabel'],
      ['unknown output format "tabel"', 'Did you mean "table"?'],
    ],
    [
      'an unknown input format',
      ['replay', 's1.jsonl', '--input-format', 'codx'],
      ['unknown transcript format "codx"', '"codex"'],
    ],
    ['an unknown cache', ['replay', 's1.jsonl', '--cache', 'antropic'], ['unknown cache model', '"anthropic"']],
    [
      'an unknown planner',
      ['replay', 's1.jsonl', '--breakpoints', 'ancor'],
      ['unknown breakpoint planner', '"anchor"'],
    ],
    ['an unknown ending', ['replay', 's1.jsonl', '-o', 'x.xyz'], ['.xyz', '.json']],
    ['a transcript of nobody', ['replay', 'notes.jsonl'], ['notes.jsonl', '"hello"', '--input-format']],
    ['a session without requests', ['replay', 'idle.jsonl'], ['no request']],
    [
      'a damaged native file',
      ['replay', 'broken.jsonl'],
      ['broken.jsonl: 1 invalid record', 'inspect -v broken.jsonl'],
    ],
    ['a bad seed', ['replay', 's1.jsonl', '--seed', 'x'], ['--seed x is out of range']],
    ['a missing price file', ['replay', 's1.jsonl', '--prices', 'none.json'], ['none.json']],
    ['no paths and no agents', ['replay'], ['no paths were given']],
    ['an unknown command', ['repaly'], ['unknown command "repaly"', '"replay"']],
    ['an unknown option', ['replay', '--polcy', 'full'], ["unknown option '--polcy'", '--policy']],
    ['an unknown list', ['list', 'polices'], ["'polices'", 'policies, models', 'See: ctxsim list --help\n']],
    [
      'an unknown entry of a long list',
      ['list', 'models', 'claude-sonet-4-5'],
      [
        'unknown entry of "list models" "claude-sonet-4-5"',
        'Nearest: claude-sonnet-4-5, ',
        'All of them: ctxsim list models\n',
      ],
    ],
    [
      'an unknown option',
      ['sweep', '--polcy', 'elide'],
      ["ctxsim sweep: unknown option '--polcy'", 'Did you mean --policy?', 'See: ctxsim sweep --help\n'],
    ],
    [
      'a missing argument',
      ['convert'],
      ["ctxsim convert: missing required argument 'paths'", 'See: ctxsim convert --help\n'],
    ],
    [
      'a bad choice',
      ['inspect', '--format', 'md'],
      ['ctxsim inspect: option', 'Allowed choices are table', 'See: ctxsim inspect --help\n'],
    ],
    ['an unknown option of none', ['--polcy'], ["ctxsim: unknown option '--polcy'", 'See: ctxsim --help\n']],
  ])('%s', async (_, args, words) => {
    const { status, out, err } = await ctxsim(cwd, args);
    expect([status, out]).toEqual([2, '']);
    for (const word of words) expect(err).toContain(word);
    expect(err).not.toContain('    at ');
  });
});

describe('ctxsim inspect', () => {
  test('counts per file, as json', async () => {
    const { status, out } = await ctxsim(cwd, ['inspect', 's1.jsonl', '--format', 'json']);
    expect(status).toBe(0);
    expect(JSON.parse(out).files).toMatchObject([
      { file: 's1.jsonl', format: 'native', sessions: 1, turns: 5, requests: 65 },
    ]);
  });

  test('validates the native format: what is wrong, and where', async () => {
    write('bad-native.jsonl', [
      '{"type":"session","format":"ctxsim.session/1","id":"b"}',
      '{"type":"block","kind":"prmpt","text":""}',
    ]);
    const { status, out, err } = await ctxsim(cwd, ['inspect', '-v', 'bad-native.jsonl']);
    expect(status).toBe(2);
    expect(out).toContain('native');
    expect(err).toMatch(/invalid-native-record kind.*bad-native\.jsonl:2/);
  });

  test('a file that is there twice, by a link, is read once', async () => {
    symlinkSync(join(cwd, 's1.jsonl'), join(cwd, 'link.jsonl'));
    const { out } = await ctxsim(cwd, ['inspect', 's1.jsonl', 'link.jsonl', '--format', 'json']);
    expect(JSON.parse(out).files).toHaveLength(1);
    rmSync(join(cwd, 'link.jsonl'));
  });
});

describe('without a command, and lists', () => {
  test('ctxsim alone says what can be done here', async () => {
    const { status, out } = await ctxsim(cwd, []);
    expect(status).toBe(0);
    expect(out).toContain('ctxsim replay');
  });

  test('it finds the sessions of installed agents, and replay reads them', async () => {
    const home = join(cwd, 'home');
    mkdirSync(join(home, '.codex', 'sessions'), { recursive: true });
    mkdirSync(join(home, '.claude', 'projects', 'p'), { recursive: true });
    writeFileSync(join(home, '.claude', 'projects', 'p', 'x.jsonl'), readFileSync(join(cwd, 's1.jsonl')));
    expect((await ctxsim(cwd, [], { home })).out).toContain(join(home, '.claude'));
    const { status, out } = await ctxsim(cwd, ['replay'], { home });
    expect([status, out.includes('1 session')]).toEqual([0, true]);
    const moved = await ctxsim(cwd, ['replay'], { env: { CLAUDE_CONFIG_DIR: join(home, '.claude') } });
    expect(moved.out).toBe(out);
    rmSync(home, { recursive: true });
  });

  test.each(['policies', 'providers', 'formats', 'models'])(
    'list %s is an array of named entries as json',
    async (what) => {
      const { status, out } = await ctxsim(cwd, ['list', what, '--format', 'json']);
      expect(status).toBe(0);
      const entries = JSON.parse(out) as { name: string }[];
      expect(entries.length).toBeGreaterThan(1);
      expect(entries.every(({ name }) => name.length > 0)).toBe(true);
    },
  );

  test('lists name sources that a reader can find', async () => {
    for (const what of ['policies', 'models', 'providers', 'formats']) {
      const { out } = await ctxsim(cwd, ['list', what, '--format', 'json']);
      expect(out).not.toMatch(/§|seeds?[-/]|\bcases\b|(providers|policies|formats|ecosystem)\.md/);
    }
  });

  test('list models NAME says what the prices of each tier are for', async () => {
    const { out } = await ctxsim(cwd, ['list', 'models', 'claude-sonnet-4-5']);
    expect(out).toContain(
      '\n  abovePromptTokens 200000 · fresh 6 · cacheRead 0.6 · cacheWrite5m 7.5 · cacheWrite1h 12 · output 22.5\n',
    );
  });

  test('list policies NAME shows its parameters', async () => {
    expect((await ctxsim(cwd, ['list', 'policies', 'elide'])).out).toContain('recent_turns');
  });
});
