// Writes sessions/real/ from the reference corpus ($CTXSIM_SHARED, else ../shared): sizes only, no words. Needs dist/.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const shared = process.env.CTXSIM_SHARED ?? resolve(root, '../shared');
const out = join(root, 'sessions/real');

mkdirSync(out, { recursive: true });
for (const harness of ['claude-code', 'codex', 'pi']) {
  const paths = [join(shared, 'corpus', harness), '-o', join(out, `${harness}.jsonl.gz`)];
  execFileSync(
    process.execPath,
    [join(root, 'dist/cli/main.js'), 'convert', '--content-free', ...paths, '--force', '-q'],
    {
      stdio: 'inherit',
    },
  );
}
