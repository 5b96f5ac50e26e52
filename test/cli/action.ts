import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../.github/actions/ctxsim/', import.meta.url));

/** A run of the action: the status of its last step, what the steps printed, and what `gh` was called with. */
export interface ActionRun {
  readonly status: number;
  readonly printed: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
  readonly calls: readonly string[];
}

/**
 * Runs the shell steps of the composite action as a runner would: the same variables, one shell per step. A `gh` on the path
 * records its calls; `comments` is what it lists.
 */
export function runAction(
  cwd: string,
  inputs: Readonly<Record<string, string>>,
  { comments = '', ref = 'refs/pull/7/merge', forbidden = false } = {},
): ActionRun {
  const action = readFileSync(join(folder, 'action.yml'), 'utf8');
  const temp = join(cwd, '.runner');
  mkdirSync(join(temp, 'bin'), { recursive: true });
  const files = { output: join(temp, 'output'), summary: join(temp, 'summary'), calls: join(temp, 'calls') };
  for (const file of Object.values(files)) writeFileSync(file, '');
  const gh = join(temp, 'bin', 'gh');
  const answer = forbidden ? 'exit 1' : `case "$*" in *--paginate*) printf '%s' '${comments}' ;; esac`;
  writeFileSync(gh, `#!/usr/bin/env bash\necho "$*" >>'${files.calls}'\n${answer}\n`);
  chmodSync(gh, 0o755);
  const values = { ...defaultsOf(action), ...inputs };
  let printed = '';
  let status = 0;
  for (const { run, env } of stepsOf(action)) {
    const outputs = outputsIn(files.output);
    const filled = Object.entries(env).map(([name, text]) => [name, fill(text, values, outputs)]);
    const ran = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run], {
      cwd,
      encoding: 'utf8',
      env: {
        PATH: `${join(temp, 'bin')}${delimiter}${process.env.PATH}`,
        HOME: cwd,
        CI: 'true',
        GITHUB_ACTIONS: 'true',
        GITHUB_ACTION_PATH: folder,
        GITHUB_REPOSITORY: 'someone/project',
        GITHUB_REF: ref,
        GITHUB_OUTPUT: files.output,
        GITHUB_STEP_SUMMARY: files.summary,
        RUNNER_TEMP: temp,
        ...Object.fromEntries(filled),
      },
    });
    printed += ran.stdout + ran.stderr;
    status = ran.status ?? -1;
    if (status !== 0) break;
  }
  const calls = readFileSync(files.calls, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return { status, printed, outputs: outputsIn(files.output), summary: readFileSync(files.summary, 'utf8'), calls };
}

/** The steps that run a shell, as the file has them: `run` on one line, then `env`. */
function stepsOf(action: string): { run: string; env: Record<string, string> }[] {
  const steps = action
    .slice(action.indexOf('\n  steps:'))
    .split(/\n {4}- /)
    .slice(1);
  return steps.map((step) => ({
    run: /^\s*run: (.*)$/m.exec(step)?.[1] ?? '',
    env: Object.fromEntries([...step.matchAll(/^ {8}(\w+): (.*)$/gm)].map(([, name = '', text = '']) => [name, text])),
  }));
}

function defaultsOf(action: string): Record<string, string> {
  const inputs = action.slice(action.indexOf('\ninputs:'), action.indexOf('\noutputs:')).split(/\n {2}(?=\w)/);
  return Object.fromEntries(
    inputs
      .slice(1)
      .map((input) => [
        input.slice(0, input.indexOf(':')),
        (/^ {4}default: (.*)$/m.exec(input)?.[1] ?? '').replace(/^(['"])(.*)\1$/, '$2'),
      ]),
  );
}

function fill(
  text: string,
  inputs: Readonly<Record<string, string>>,
  outputs: Readonly<Record<string, string>>,
): string {
  return text.replace(/\$\{\{ (\S+) \}\}/g, (_, name: string) => {
    const value = name.startsWith('inputs.')
      ? inputs[name.slice(7)]
      : outputs[name.replace('steps.check.outputs.', '')];
    if (value === undefined) throw new Error(`action.yml: nothing is known of ${name}`);
    return value;
  });
}

function outputsIn(file: string): Record<string, string> {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}
