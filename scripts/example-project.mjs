// A project as the examples of the help and the README name it, and a home with sessions of Claude Code. Nothing of the user's is in it.
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';

/** Small shipped sessions; `recorded` is one of Claude Code, with words and usage, and the others have sizes only. */
const sized = ['s01', 's05', 's10', 's19', 's28'];
const recorded = 'sessions/s13.jsonl';

/** Makes the folders; `ctxsim` is in its PATH, as the built command of this clone. */
export function exampleProject() {
  const root = mkdtempSync(join(tmpdir(), 'ctxsim-examples-'));
  const [bin, home, project] = ['bin', 'home', 'project'].map((name) => join(root, name));
  const kept = join(home, '.claude', 'projects', 'demo');
  for (const folder of [bin, kept, join(project, 'sessions')]) mkdirSync(folder, { recursive: true });
  // As the shells that they belong to make them.
  for (const folder of ['.zfunc', '.config/fish/completions']) mkdirSync(join(home, folder), { recursive: true });

  const main = resolve('dist/cli/main.js');
  chmodSync(main, 0o755);
  symlinkSync(main, join(bin, 'ctxsim'));
  const write = (name, text) => writeFileSync(join(project, name), text);
  for (const name of sized) copyFileSync(`sessions/${name}.jsonl`, join(project, 'sessions', `${name}.jsonl`));
  copyFileSync(recorded, join(kept, 's13.jsonl'));
  copyFileSync(recorded, join(project, 'session.jsonl'));
  write('heph.toml', '[context]\nrecent_turns = 1\n');
  write('usage.csv', 'day,input,cacheRead,output\nMonday,1200,90000,800\nTuesday,3400,120000,1500\n');
  write('table.csv', 'row,input,cacheRead,output,cost\na,2.1,30.5,0.4,5.6625\nb,1.2,18,0.3,3.6\nc,4,9.5,1.1,8.6625\n');
  const rows = requestRows();
  write('log.csv', csv(['trace_id', 'model', 'prompt_tokens', 'completion_tokens'], rows));
  const columns = ['trace', 'model', 'in', 'out', 't_s', 'input_types', 'tool_tokens', 'system_tokens'];
  write('log.csv.gz', gzipSync(csv(columns, rows)));

  return {
    root,
    project,
    env: {
      PATH: `${bin}:${process.env.PATH}`,
      HOME: home,
      XDG_CACHE_HOME: join(home, '.cache'),
      CI: 'true',
    },
  };
}

/** Two conversations of a proxy's log: prompts that grow, a turn in the middle. */
function requestRows() {
  return ['a', 'b'].flatMap((trace) =>
    Array.from({ length: 6 }, (_, at) => {
      const kind = at % 3 === 0 ? 'text' : 'tool_result';
      return [trace, 'claude-sonnet-4-5', 6000 + 1500 * at, 120, 20 * at, kind, 900, 1100];
    }),
  );
}

function csv(columns, rows) {
  return [columns, ...rows].map((row) => `${row.slice(0, columns.length).join(',')}\n`).join('');
}
