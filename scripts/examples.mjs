// Runs every example that the help and the README give, as printed, so that neither can lie. Needs dist/.
import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { exampleProject } from './example-project.mjs';

/** Every command ends its help with this many examples. */
const perCommand = 3;

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const readme = readFileSync('README.md', 'utf8');
const { root, project, env } = exampleProject();
let passed = 0;
try {
  // In order within a project, where one command reads what another wrote; the shipped sessions are read by nobody else.
  const lanes = [helpThenProject(), runAll(commandsOfClone(), '.'), ofOwnPolicy(), native()];
  await Promise.all(lanes.map((lane) => lane.catch(failed)));
  process.stdout.write(`${passed} passed${process.exitCode ? ', and at least one failed' : ', 0 failed'}\n`);
} finally {
  rmSync(root, { recursive: true });
}

async function helpThenProject() {
  const texts = await helpTexts();
  await shell('ctxsim convert session.jsonl --content-free -q -o sessions/s13.jsonl', project);
  for (const [day, name] of [
    ['monday', 's05'],
    ['tuesday', 's10'],
  ])
    await shell(`ctxsim replay sessions/${name}.jsonl --policy elide -q -o ${day}.json`, project);
  // What stands in several places is run once, where it stands first.
  await runAll(new Set([...texts.flatMap(examplesIn), ...commandsOfProject()]), project);
  await configuration();
}

/** The help of ctxsim and of each command, as the program prints them. */
async function helpTexts() {
  const { stdout: top } = await shell('ctxsim --help', project);
  const [, commands = ''] = top.split('\nCommands:\n');
  const names = [...commands.matchAll(/^ {2}(\w+)/gm)]
    .map(([, name]) => name)
    .filter((name) => !['ctxsim', 'help'].includes(name));
  const helps = names.map(async (name) => (await shell(`ctxsim ${name} --help`, project)).stdout);
  return [top, ...(await Promise.all(helps))];
}

function examplesIn(help) {
  const [, block = ''] = help.split('\nExamples:\n');
  const lines = block.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
  if (lines.length === perCommand) return lines;
  throw new Error(`not ${perCommand} but ${lines.length} examples end: ${help.split('\n', 1)[0]}`);
}

/** Blocks of the README in one language. */
function blocks(language) {
  return [...readme.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, text]) => text);
}

function withoutRemark(line) {
  return line.replace(/\s+# .*$/, '');
}

/** What the README runs on the shipped sessions. */
function commandsOfClone() {
  return blocks('sh')
    .flatMap((block) => block.split('\n'))
    .map((line) => withoutRemark(line).replace(/^npm ci && /, ''))
    .filter((line) => line.startsWith('npx ctxsim'));
}

/** What the README runs in a project of one's own: in text blocks, in CI files, and within sentences where it has settings. */
function commandsOfProject() {
  const inText = blocks('text').flatMap((block) => block.split('\n').map(withoutRemark));
  const inFiles = blocks('yaml').flatMap((block) => [...block.matchAll(/npx ctxsim [^\n}]*/g)].map(([line]) => line));
  const inSentences = [...readme.matchAll(/`(ctxsim [^`]* --[^`]*)`/g)].map(([, line]) => line);
  return [...inText, ...inFiles, ...inSentences].map((line) => line.trim()).filter((line) => line !== '');
}

/** The configuration of the README, pasted into a project, passes where nothing has changed. */
async function configuration() {
  const configs = blocks('json').filter((block) => JSON.parse(block).checks);
  if (configs.length !== 1) throw new Error(`the README has ${configs.length} examples of a configuration, not one`);
  writeFileSync(join(project, 'ctxsim.config.json'), configs[0]);
  await runAll(['ctxsim check sessions --policy heph:config=heph.toml --against costs.json'], project);
}

async function ofOwnPolicy() {
  const [policy = ''] = blocks('js');
  if (!readFileSync('examples/newest-results.mjs', 'utf8').endsWith(`\n${policy}`))
    throw new Error('the policy in the README is not examples/newest-results.mjs');
  ok('the policy of your own');
}

async function native() {
  const [example = ''] = blocks('jsonl');
  writeFileSync(join(root, 'native.jsonl'), example);
  const { stdout } = await shell('ctxsim inspect native.jsonl --format json', root);
  const { files, findings } = JSON.parse(stdout);
  if (findings.length > 0 || files[0].requests !== 2)
    throw new Error(`the native example of the README is not valid: ${stdout}`);
  ok('the native example');
}

async function runAll(commands, cwd) {
  for (const command of commands) {
    await shell(command, cwd);
    ok(command);
  }
}

/** Runs a line in bash; what is not 0 fails. `npx ctxsim` is the built command as well. */
async function shell(line, cwd) {
  const command = line.replace(/^npx ctxsim/, 'ctxsim');
  try {
    return await promisify(execFile)('bash', ['-c', command], { cwd, env, maxBuffer: 2 ** 28 });
  } catch (error) {
    throw Object.assign(new Error(`${line} (exit status ${error.code})`), { stderr: error.stderr });
  }
}

function failed({ message, stderr = '' }) {
  process.exitCode = 1;
  process.stderr.write(`FAILED  ${message}\n${stderr}\n`);
}

function ok(what) {
  passed += 1;
  process.stdout.write(`ok  ${what}\n`);
}
