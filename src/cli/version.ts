import { readFileSync } from 'node:fs';

/** Version of this package, from its package.json (which stands two folders up in src/ and in dist/ alike). */
export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return version;
}
