// Runs every `npx ctxsim …` line of the README's sh blocks, and its native example, so that the README cannot lie.
import { execFileSync, execSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const readme = readFileSync('README.md', 'utf8');
const blocks = (language) =>
  [...readme.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, text]) => text);
const commands = blocks('sh')
  .flatMap((block) => block.split('\n'))
  .map((line) => line.replace(/^npm ci && /, '').replace(/\s+# .*$/, ''))
  .filter((line) => line.startsWith('npx ctxsim'));

for (const command of commands) {
  execSync(command.replace('npx ctxsim', 'node dist/cli/main.js'), { stdio: ['ignore', 'pipe', 'inherit'] });
  console.log(`ok  ${command}`);
}

const [policy = ''] = blocks('js');
if (!readFileSync('examples/newest-results.mjs', 'utf8').endsWith(`\n${policy}`))
  throw new Error('the policy in the README is not examples/newest-results.mjs');
console.log('ok  the policy of your own');

const [example = ''] = blocks('jsonl');
const report = execFileSync(process.execPath, ['dist/cli/main.js', 'inspect', '-', '--format', 'json'], {
  input: example,
  encoding: 'utf8',
});
const { files, findings } = JSON.parse(report);
if (findings.length > 0 || files[0].requests !== 2)
  throw new Error(`the native example of the README is not valid: ${report}`);
console.log('ok  the native example');

console.log(`${commands.length + 2} passed, 0 failed`);
