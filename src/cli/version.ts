import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Version of this package, from its package.json (which stands two folders up in src/ and in dist/ alike). */
export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return version;
}

/**
 * Names the code that runs: a digest of every module of this package, of the versions that it depends on, and of Node.
 * A build that differs in a byte has another name, so nothing that an older one kept is taken for its own.
 */
export function codeDigest(): string {
  const root = fileURLToPath(new URL('../', import.meta.url));
  const modules = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.[jt]s$/.test(name) && !name.endsWith('.d.ts'),
  );
  const hash = createHash('sha256').update(process.version);
  for (const file of ['../package.json', ...modules.sort()])
    hash.update(`\n${file}\n`).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}
