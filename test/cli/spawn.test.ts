import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeNative } from '../../src/session/native.ts';
import { sessionOf } from '../sessions.ts';
import { tempFolder } from '../temp.ts';
import { runAction } from './action.ts';
import { ctxsim as runHere } from './run.ts';

/** A build of its own, below node_modules so that packages resolve, so that these tests never see a stale dist/. */
const root = fileURLToPath(new URL('../../', import.meta.url));
const build = join(root, 'node_modules', '.cache', 'ctxsim-spawn-test');
const main = join(build, 'dist', 'cli', 'main.js');
let cwd: string;

beforeAll(() => {
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  mkdirSync(build, { recursive: true });
  copyFileSync(join(root, 'package.json'), join(build, 'package.json'));
  // Types are checked by `npm run types`.
  const flags = ['--noCheck', '--noResolve', '--declaration', 'false', '--outDir', join(build, 'dist')];
  execFileSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.json'), ...flags]);
  cpSync(join(root, 'examples'), join(build, 'examples'), { recursive: true });
  cwd = tempFolder();
  const turn = {
    prompt: 60,
    reply: 60,
    pauseSeconds: 30,
    rounds: Array.from({ length: 6 }, () => ({ call: 80, result: 1200 })),
  };
  for (const n of [1, 2, 3]) {
    const session = sessionOf([turn, turn, turn, turn], { id: `s${n}` });
    writeFileSync(join(cwd, `s${n}.jsonl`), `${[...writeNative(session)].join('\n')}\n`);
  }
}, 120_000);
afterAll(() => {
  rmSync(cwd, { recursive: true });
  rmSync(build, { recursive: true });
});

function ctxsim(args: readonly string[], options: { input?: string; env?: Record<string, string> } = {}) {
  const env = { ...process.env, HOME: cwd, NO_COLOR: '', ...options.env };
  return spawnSync(process.execPath, [main, ...args], { cwd, encoding: 'utf8', env, input: options.input ?? '' });
}

test('the same bytes whatever the time zone and the language', () => {
  const here = ctxsim(['replay', 's*.jsonl', '--format', 'json']);
  const there = ctxsim(['replay', 's*.jsonl', '--format', 'json'], {
    env: { TZ: 'Asia/Kolkata', LANG: 'de_DE.UTF-8', LC_ALL: 'de_DE.UTF-8' },
  });
  expect(here.status).toBe(0);
  expect(there.stdout).toBe(here.stdout);
});

/** One thread replays in this process, as every test but these does. */
test('the same bytes however many threads replay', async () => {
  const session = sessionOf([{ prompt: 9, reply: 9, rounds: [] }], { id: 'x' });
  writeFileSync(join(cwd, 'x.jsonl'), `${[...writeNative({ ...session, model: 'nobodys' })].join('\n')}\n`);
  const own = `${join(build, 'examples', 'newest-results.mjs')}:keep=5`;
  const files = ['s1.jsonl', 's2.jsonl', 'x.jsonl'];
  const commands = [
    ['replay', ...files, '--format', 'json', '--policy', own, '--model', 'claude-opus-4-5,gpt-5'],
    ['sweep', ...files, '--format', 'json', '--no-store'],
    ['recommend', ...files, '--format', 'json', '--no-store'],
    ['explain', ...files, '--format', 'json'],
    ['check', ...files, '--format', 'json', '--max', '1'],
  ];
  for (const command of commands) {
    const one = await runHere(cwd, [...command, '--jobs', '1'], { home: cwd });
    const two = ctxsim([...command, '--jobs', '2']);
    expect(one.out.length).toBeGreaterThan(100);
    expect([two.status, two.stdout, two.stderr]).toEqual([one.status, one.out, one.err]);
    if (!command.includes('--model')) expect(two.stderr).toContain('nobodys');
  }
  rmSync(join(cwd, 'x.jsonl'));
}, 60_000);

test('what a policy of one’s own does wrong in another thread names its file', () => {
  const faulty = join(cwd, 'faulty.mjs');
  writeFileSync(
    faulty,
    "export default { summary: 'x', params: {}, create() { return { events: ['turn_start'], on() { throw new Error('no'); } }; } };",
  );
  const { status, stdout, stderr } = ctxsim(['replay', 's*.jsonl', '-p', './faulty.mjs', '--jobs', '2']);
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/faulty\.mjs:1.*no/);
});

test('a policy of one’s own imports the package and is a row', () => {
  const own = join(build, 'examples', 'newest-results.mjs');
  const { status, stderr, stdout } = ctxsim(['replay', 's*.jsonl', '-p', `${own}:keep=0,5`, '--format', 'csv']);
  expect([status, stderr]).toEqual([0, '']);
  const savings = stdout.trim().split('\n').slice(1);
  expect(savings).toHaveLength(3);
  expect(savings[1]).toContain('saves');
});

test('- reads one transcript from standard input', () => {
  const input = `${[...writeNative(sessionOf([{ prompt: 9, reply: 9, rounds: [] }]))].join('\n')}\n`;
  const { status, stdout } = ctxsim(['inspect', '-'], { input });
  expect([status, stdout.startsWith('-: native')]).toEqual([0, true]);
});

test('no colour in a pipe', () => {
  expect(ctxsim(['replay', 's*.jsonl']).stdout).not.toContain('\u001b');
});

test('a reader that goes away early is no error', async () => {
  const child = spawn(process.execPath, [main, 'replay', 's*.jsonl', '--format', 'json'], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  let err = '';
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  const status = await new Promise((resolve) => child.on('close', resolve));
  expect([status, err]).toEqual([0, '']);
});

test('help and lists load neither zod nor prices nor the tokenizer', () => {
  for (const args of [['--help'], ['list', 'policies']]) {
    const { status, stderr } = spawnSync(process.execPath, ['--import', loadSpy(), main, ...args], {
      cwd,
      encoding: 'utf8',
    });
    expect(status).toBe(0);
    expect(stderr).toContain('commander');
    expect(stderr).not.toMatch(/zod|genai-prices|js-tiktoken|observablehq|linkedom/);
  }
});

test('only a page loads what draws its charts', () => {
  const drawing = /observablehq|linkedom|d3-/;
  const replayed = (...more: string[]) =>
    spawnSync(process.execPath, ['--import', loadSpy(), main, 'replay', 's1.jsonl', ...more], {
      cwd,
      encoding: 'utf8',
    });
  const others = replayed('-o', 'r.txt', '-o', 'r.json', '-o', 'r.md');
  expect(others.status).toBe(0);
  expect(others.stderr).not.toMatch(drawing);
  expect(replayed('-o', 'r.html').stderr).toMatch(drawing);
});

test('a promise of a policy that fails later is named with its stack, and is not the status of a failed check', () => {
  const policy =
    "export default { summary: 'x', create: () => ({ events: ['turn_start'], on() { Promise.reject(new Error('late')); } }) };";
  writeFileSync(join(cwd, 'late.mjs'), policy);
  const { status, stderr } = ctxsim(['check', 's1.jsonl', '--policy', './late.mjs', '--max', '9']);
  expect([status, stderr]).toEqual([3, expect.stringMatching(/Error: late\n.*late\.mjs:1/s)]);
});

test.each([
  ['--prices <(echo \'{"models":{"nobodys":{"input":3,"output":15}}}\') --model nobodys'],
  ["--policy heph:config=<(printf '[context]\\nrecent_turns = 1\\n')"],
])('what stands in a pipe is read once, however many threads are asked for: %s', (flags) => {
  const command = `"${process.execPath}" "${main}" replay s1.jsonl ${flags} --jobs 2 -q`;
  const { status, stderr } = spawnSync('bash', ['-c', command], { cwd, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
});

test.each([
  ['process.exit(0)', ''],
  ['', 'await new Promise(() => {})'],
])('a policy that ends the process (%j) or waits for ever (%j) is no run that went well', (inside, outside) => {
  const policy = `export default { summary: 'Ends.', params: {}, create: () => ({ events: ['turn_start'], on() { ${inside} } }) };`;
  writeFileSync(join(cwd, 'ends.mjs'), `${outside};\n${policy}\n`);
  for (const jobs of ['1', '2']) {
    const ran = ctxsim(['check', 's1.jsonl', 's2.jsonl', '--policy', './ends.mjs', '--max', '9', '--jobs', jobs]);
    expect([ran.status, ran.stdout]).toEqual([2, '']);
    expect(ran.stderr).toContain('the run ended before it was done');
  }
});

test('the GitHub action: one sticky comment that names session, cause and dollars, and a status', () => {
  const project = join(cwd, 'a project');
  mkdirSync(project);
  execFileSync('git', ['init', '-q'], { cwd: project });
  for (const n of [1, 2]) copyFileSync(join(cwd, `s${n}.jsonl`), join(project, `s${n}.jsonl`));
  const heph = (turns: number) => writeFileSync(join(project, 'heph.toml'), `[context]\nrecent_turns = ${turns}\n`);
  heph(0);
  const policy = 'heph:config=heph.toml';
  const update = ['check', 's*.jsonl', '--policy', policy, '--against', 'costs.json', '--update', '-q'];
  execFileSync(process.execPath, [main, ...update], { cwd: project });
  const inputs = { paths: 's1.jsonl\ns2.jsonl\n', policy, against: 'costs.json', 'max-increase': '2%' };
  const run = (more = {}, on = {}) =>
    runAction(project, { ...inputs, token: 't', command: `node ${main}`, ...more }, on);

  const passed = run();
  expect([passed.status, passed.outputs.status]).toEqual([0, '0']);
  const report = passed.outputs.report ?? '';
  expect(passed.calls).toEqual([
    'api --paginate repos/someone/project/issues/7/comments --jq .[] | select(.body | startswith(env.MARKER)) | .id',
    `api --method POST repos/someone/project/issues/7/comments -F body=@${report}`,
  ]);

  heph(2);
  const failed = run({}, { comments: '42\n43' });
  expect([failed.status, failed.outputs.status]).toEqual([1, '1']);
  expect(failed.calls[1]).toBe(`api --method PATCH repos/someone/project/issues/comments/42 -F body=@${report}`);
  const comment = readFileSync(report, 'utf8');
  expect(comment.split('\n')[0]).toBe('<!-- ctxsim:check -->');
  expect(comment).toMatch(/most in s\d \(\+\$0\.\d+\), most by ".+" \(\+\$0\.\d+\)/);
  expect(failed.summary).toBe(comment);
  expect(failed.printed).toContain('::error title=ctxsim%3A usd/turn');
  expect(failed.printed).toContain('FAIL  usd/turn of heph:config=heph.toml');
  expect(JSON.parse(readFileSync(failed.outputs.json ?? '', 'utf8')).passed).toBe(false);

  const unanswered = run({ against: 'none.json', name: 'my check' });
  expect([unanswered.status, unanswered.outputs.status]).toEqual([2, '2']);
  const apology = readFileSync(unanswered.outputs.report ?? '', 'utf8');
  expect(apology).toMatch(/^<!-- ctxsim:my-check -->\n\n\*\*ctxsim could not answer/);
  expect(apology).toContain('none.json: ENOENT');

  heph(0);
  const fork = run({}, { forbidden: true });
  expect([fork.status, fork.printed.includes('::warning title=ctxsim::')]).toEqual([0, true]);
  expect(run({}, { ref: 'refs/heads/main' }).calls).toEqual([]);

  const named = run({ name: 'cli/long\nstatus=0 --> x' });
  expect([named.status, named.outputs.status]).toEqual([0, '0']);
  expect(readFileSync(named.outputs.report ?? '', 'utf8')).toMatch(/^<!-- ctxsim:cli-long-status-0-x -->\n/);
  const costs = readFileSync(join(project, 'costs.json'), 'utf8');
  heph(2);
  const flag = run({ paths: 's1.jsonl\n--update' });
  expect([flag.status, flag.printed.includes('there is no file or directory --update')]).toEqual([2, true]);
  expect(readFileSync(join(project, 'costs.json'), 'utf8')).toBe(costs);
}, 60_000);

/** A loader that names every package that is loaded, on stderr. */
function loadSpy(): string {
  const hook = `export async function resolve(specifier, context, next) { process._rawDebug(specifier); return next(specifier, context); }`;
  const register = `import { register } from 'node:module'; register('data:text/javascript,${encodeURIComponent(hook)}');`;
  return `data:text/javascript,${encodeURIComponent(register)}`;
}

test('shells complete commands, options and their choices', () => {
  expect(ctxsim(['complete', 'bash']).stdout).toContain('ctxsim complete --');
  expect(
    ctxsim(['complete', '--', 'rep'])
      .stdout.split('\n')
      .map((line) => line.split('\t')[0]),
  ).toEqual(expect.arrayContaining(['replay', 'report', 'reprice']));
  expect(ctxsim(['complete', '--', 'replay', '--events', '']).stdout).toMatch(/^recorded\s/);
  expect(ctxsim(['complete', 'csh']).status).toBe(2);
});
