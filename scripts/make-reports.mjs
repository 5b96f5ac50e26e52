// Writes the golden reports of the shipped sessions, or with --check compares them. Needs dist/.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { adviceReport } from './seed-advice.mjs';

const corpora = { 'seed-case': 'sessions', long: 'sessions/long' };
const endings = ['txt', 'csv', 'json', 'md'];

// Reports name their files: relative paths keep this machine out of them.
process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
if (values.check) check();
else {
  writeReports('reports');
  const readme = readFileSync('README.md', 'utf8');
  writeFileSync('README.md', withTable(readme));
}

function check() {
  const folder = mkdtempSync(join(tmpdir(), 'ctxsim-reports-'));
  try {
    const differing = writeReports(folder).filter((name) => !isSame(join('reports', name), join(folder, name)));
    const readme = readFileSync('README.md', 'utf8');
    if (withTable(readme) !== readme) differing.push('seed-case.md (its table in README.md)');
    for (const name of differing) process.stderr.write(`reports/${name} differs; npm run reports writes it anew\n`);
    process.exitCode = differing.length > 0 ? 1 : 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** One replay of each corpus, written in every format, and the tables of the seeds' advice; returns the names of the files. */
function writeReports(folder) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'seed-advice.md'),
    adviceReport(Object.values(corpora).map((corpus) => [corpus, sessionsOf(corpus)])),
  );
  const replays = Object.entries(corpora).flatMap(([name, corpus]) => {
    const files = endings.map((ending) => `${name}.${ending}`);
    const outputs = files.flatMap((file) => ['-o', join(folder, file)]);
    execFileSync(process.execPath, ['dist/cli/main.js', 'replay', ...sessionsOf(corpus), '-q', ...outputs], {
      stdio: 'inherit',
    });
    return files;
  });
  return [...replays, 'seed-advice.md'];
}

/** The README with the table of the golden report between its two comments. */
function withTable(readme) {
  const lines = readFileSync('reports/seed-case.md', 'utf8').split('\n');
  const table = lines.filter((line) => line.startsWith('|')).join('\n');
  // A function, because the dollars of the table would be taken for group numbers.
  return readme.replace(
    /(<!-- the table of .*? -->\n)[\s\S]*?(?=<!-- end of the table -->)/,
    (_, start) => `${start}${table}\n`,
  );
}

/** By name and with slashes, so that every file system gives the same list. */
function sessionsOf(corpus) {
  return readdirSync(corpus)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .map((name) => `${corpus}/${name}`);
}

function isSame(golden, fresh) {
  try {
    return readFileSync(golden).equals(readFileSync(fresh));
  } catch (error) {
    if (error.code === 'ENOENT') return false;
    throw error;
  }
}
