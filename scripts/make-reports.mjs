// Writes the golden reports of the shipped sessions, or with --check compares them. Needs dist/.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { adviceReport } from './seed-advice.mjs';

const synthetic = { 'seed-case': 'sessions', long: 'sessions/long' };
const corpora = { ...synthetic, real: 'sessions/real' };
/** Tables of the README, and which of their columns it shows. */
const tables = [
  { name: 'seed-case', columns: Number.POSITIVE_INFINITY },
  { name: 'real', columns: 6 },
];
const endings = ['txt', 'csv', 'json', 'md'];

// Reports name their files: relative paths keep this machine out of them.
process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
if (values.check) check();
else {
  writeReports('reports');
  const readme = readFileSync('README.md', 'utf8');
  writeFileSync('README.md', withTables(readme));
}

function check() {
  const folder = mkdtempSync(join(tmpdir(), 'ctxsim-reports-'));
  try {
    const differing = writeReports(folder).filter((name) => !isSame(join('reports', name), join(folder, name)));
    const readme = readFileSync('README.md', 'utf8');
    if (withTables(readme) !== readme) differing.push('*.md (a table in README.md)');
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
    adviceReport(Object.values(synthetic).map((corpus) => [corpus, sessionsOf(corpus)])),
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

/** The README with the tables of golden reports between their comments. */
function withTables(readme) {
  return tables.reduce((text, { name, columns }) => {
    const lines = readFileSync(`reports/${name}.md`, 'utf8').split('\n');
    const rows = lines.filter((line) => line.startsWith('|')).map((line) => line.split('|').slice(1, -1));
    const table = rows.map((cells) => `|${cells.slice(0, columns).join('|')}|\n`).join('');
    // A function, because the dollars of the table would be taken for group numbers.
    return text.replace(
      new RegExp(`(<!-- the table of reports/${name}\\.md -->\n)[\\s\\S]*?(?=<!-- end of the table -->)`),
      (_, start) => `${start}${table}`,
    );
  }, readme);
}

/** By name and with slashes, so that every file system gives the same list. */
function sessionsOf(corpus) {
  return readdirSync(corpus)
    .filter((name) => /\.jsonl(\.gz)?$/.test(name))
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
