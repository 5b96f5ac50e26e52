import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { resultSchema } from '../../src/results/result.ts';
import { writeNative } from '../../src/session/native.ts';
import { ctxsim } from '../cli/run.ts';
import { sessionOf } from '../sessions.ts';
import { tempFolder } from '../temp.ts';

let cwd: string;

/** A policy file: what it declares, and what it does. */
function write(name: string, body: string, declares = ''): string {
  writeFileSync(
    join(cwd, name),
    `export default { summary: 'a test', ${declares} create: (settings) => (${body}) };\n`,
  );
  return `./${name}`;
}

/** One that has this plan at these events. */
const planning = (plan: string, events = "'turn_start'") =>
  `{ events: [${events}], on: (event, state) => state.turn < 2 ? undefined : (${plan}) }`;

beforeAll(() => {
  cwd = tempFolder();
  const turns = Array.from({ length: 4 }, () => ({
    prompt: 200,
    reply: 200,
    rounds: Array.from({ length: 3 }, () => ({ call: 100, result: 3000 })),
  }));
  for (const id of ['s1', 's2'])
    writeFileSync(join(cwd, `${id}.jsonl`), `${[...writeNative(sessionOf(turns, { id }))].join('\n')}\n`);
});

const replay = (...args: string[]) => ctxsim(cwd, ['replay', 's*.jsonl', ...args.flatMap((arg) => ['--policy', arg])]);

const stubAll = `{ events: ['turn_start'], on: (event, state) => {
  const { first, end } = state.turnBlocks(state.turn - 1);
  const edits = [];
  if (state.turn > 1)
    for (let id = first; id < end; id += 1)
      if (state.block(id).kind === 'result')
        edits.push({ from: id, to: id, with: [{ kind: 'stub', tokens: settings.size ?? 15, of: id }], sticky: true, reason: 'old' });
  return { edits };
} }`;

describe('a policy from a file', () => {
  test('is a row like any other, under its path and with its settings, alone and in a chain', async () => {
    const path = write('own.mjs', stubAll, "params: { size: { type: 'integer', default: 15, min: 1, doc: 'stub' } },");
    const { out, err } = await ctxsim(cwd, [
      ...['replay', 's*.jsonl', '--format', 'json', '--policy', `${path}:size=15,9`],
      ...['--policy', `${path}+fold`, '--policy', 'elide'],
    ]);
    expect(err).toBe('');
    const { rows } = resultSchema.parse(JSON.parse(out));
    expect(rows.map(({ label, policy }) => [label, policy])).toEqual([
      ['full', 'full'],
      ['./own.mjs:size=15', './own.mjs'],
      ['./own.mjs:size=9', './own.mjs'],
      ['./own.mjs+fold', './own.mjs+fold'],
      ['elide', 'elide'],
    ]);
    expect(rows[2]?.params).toEqual({ size: 9 });
    expect(rows[3]?.params).toMatchObject({ './own.mjs.size': 15 });
    expect(rows[2]?.cost.total).toBeLessThan(rows[1]?.cost.total ?? 0);
    expect(rows[1]?.cost.total).toBeLessThan(rows[0]?.cost.total ?? 0);
  });

  test('may be the baseline', async () => {
    const path = write('base.mjs', stubAll);
    const { out } = await ctxsim(cwd, ['replay', 's*.jsonl', '--format', 'json', '--baseline', path, '-p', 'elide']);
    const [own, elide] = resultSchema.parse(JSON.parse(out)).rows;
    expect(own?.isBaseline).toBe(true);
    expect(elide?.usage.output).toBe(own?.usage.output);
  });

  test('is known only where it is named', async () => {
    const { status, err } = await replay('own.mjs2');
    expect([status, err.includes('unknown policy "own.mjs2"')]).toEqual([2, true]);
  });
});

describe('exit 2, and the file is named, where', () => {
  const cases: [string, () => string, string[]][] = [
    ['it is not there', () => './none.mjs', ['./none.mjs: cannot be loaded']],
    [
      'it does not parse',
      () => {
        writeFileSync(join(cwd, 'torn.mjs'), 'export default {');
        return './torn.mjs';
      },
      ['./torn.mjs: cannot be loaded'],
    ],
    [
      'the package is not installed beside it',
      () => {
        writeFileSync(
          join(cwd, 'lone.mjs'),
          "import { definePolicy } from 'ctxsim';\nexport default definePolicy({});",
        );
        return './lone.mjs';
      },
      ["cannot be loaded: Cannot find package 'ctxsim'", 'or export the plain object'],
    ],
    [
      'it has no default export',
      () => {
        writeFileSync(join(cwd, 'named.mjs'), 'export const policy = {};');
        return './named.mjs';
      },
      ['./named.mjs: its default export: the whole: Invalid input'],
    ],
    ['it has no create', noCreate, ['create: must be a function']],
    ['it has an unknown key', () => write('k.mjs', 'null', 'evnets: [],'), ['./k.mjs: its default', '"evnets"']],
    [
      'a default is out of range',
      () => write('d.mjs', 'null', "params: { n: { type: 'integer', default: 0, min: 1, doc: 'n' } },"),
      ['./d.mjs: its default export: params.n: the default is out of range'],
    ],
    ['a setting is unknown', () => `${write('s.mjs', planning('undefined'))}:keep=1`, ['parameter of ./s.mjs "keep"']],
    [
      'a setting is out of range',
      () => `${write('r.mjs', stubAll, "params: { n: { type: 'integer', default: 1, min: 1, doc: 'n' } },")}:n=0`,
      ['--policy ./r.mjs:n=0: n=0 is out of range'],
    ],
    [
      'settings contradict each other',
      () => write('x.mjs', "(() => { throw new Error('low is above high'); })()"),
      ['./x.mjs:1: create: low is above high'],
    ],
    ['create returns no policy', () => write('n.mjs', '{}'), ['./n.mjs: create: events: Invalid input']],
    ['it wants an unknown event', () => write('e.mjs', planning('undefined', "'turn'")), ['./e.mjs: create: events.0']],
    ['it throws', () => write('t.mjs', planning('state.nothing.at')), ['./t.mjs:1: at turn_start of turn 2']],
    [
      'its plan has an unknown key',
      () => write('p.mjs', planning('{ edit: [] }')),
      ['./p.mjs: at turn_start', '"edit"'],
    ],
    [
      'an edit is incomplete',
      () => write('i.mjs', planning('{ edits: [{ from: 1, to: 1, with: [] }] }')),
      ['edits.0.sticky: Invalid input', 'edits.0.reason: Invalid input'],
    ],
    [
      'an edit leaves half of a call',
      () =>
        write(
          'half.mjs',
          planning(`{ edits: [state.turnBlocks(1)].map(({ first, end }) => {
            let at = first;
            while (state.block(at).kind !== 'result') at += 1;
            return { from: at, to: at, with: [], sticky: true, reason: 'gone' };
          }).filter(() => state.turn === 2) }`),
        ),
      ['./half.mjs: in session s1: an edit removes block', 'the other half of its call'],
    ],
    [
      'an edit names what is not in the view',
      () => write('gone.mjs', planning("{ edits: [{ from: 9999, to: 9999, with: [], sticky: true, reason: '' }] }")),
      ['./gone.mjs: in session s1: block 9999 is not in the view'],
    ],
    [
      'it edits inside a turn and does not say so',
      () =>
        write(
          'inside.mjs',
          planning(
            "state.round === 2 ? { edits: [{ from: 0, to: 0, with: [{ kind: 'system', tokens: 1 }], sticky: true, reason: '' }] } : {}",
            "'pre_request'",
          ),
        ),
      ['./inside.mjs: at pre_request of turn 2, request 2', 'editsInsideTurns: true'],
    ],
    [
      'it does not do the same twice',
      () => {
        const path = write(
          'random.mjs',
          `{ events: ['turn_start'], on: () => ({ calls: [{ purpose: 'summary',
          prefix: 'fresh', input: globalThis.ctxsimTestCount = (globalThis.ctxsimTestCount ?? 0) + 1, output: 1, reason: '' }] }) }`,
        );
        return path;
      },
      ['./random.mjs: in session s1: a second replay of it came out otherwise'],
    ],
    [
      'a call names a model without a price',
      () =>
        write(
          'model.mjs',
          planning(
            "{ calls: [{ purpose: 'summary', prefix: 'fresh', input: 1, output: 1, model: 'm-9', reason: '' }] }",
          ),
        ),
      ['./model.mjs: in session s1: no price for model "m-9"', '--prices'],
    ],
  ];

  function noCreate(): string {
    writeFileSync(join(cwd, 'c.mjs'), "export default { summary: 'a test' };");
    return './c.mjs';
  }

  test.each(cases)('%s', async (_, path, words) => {
    const { status, out, err } = await replay('elide', path());
    for (const word of words) expect(err).toContain(word);
    expect([status, out]).toEqual([2, '']);
    expect(err).not.toContain('    at ');
  });
});

test('what only refers to a block, comes too late, or is no size of a block is refused, and names the file', async () => {
  const edit = (from: string, put: string) =>
    `({ edits: [{ from: ${from}, to: ${from}, with: [${put}], sticky: true, reason: 'r' }] })`;
  const cases: [string, string][] = [
    [write('async.mjs', "{ events: ['turn_start'], on: async () => undefined }"), 'on is async'],
    [write('stable.mjs', planning('{ stable: 99999 }')), 'stable: block 99999 is not in the view'],
    [write('of.mjs', planning(edit('1', "{ kind: 'stub', tokens: 5, of: 99999 }"))), 'has not entered the context'],
    [write('huge.mjs', planning(edit('1', "{ kind: 'stub', tokens: 3e9 }"))), 'tokens: Too big'],
    [
      write(
        'late.mjs',
        `{ events: ['ingest'], on: (event, state) => state.round === 1 ? ${edit('1', "{ kind: 'stub', tokens: 5 }")} : undefined }`,
      ),
      'it changes what was sent inside a turn',
    ],
  ];
  for (const [path, message] of cases) {
    const { status, out, err } = await replay(path);
    expect({ path, status, out }).toEqual({ path, status: 2, out: '' });
    expect(err).toContain(path);
    expect(err).toContain(message);
  }
});
