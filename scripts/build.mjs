// Compiles src/ to dist/, writes the JSON Schemas to dist/schema/, and sets the run bit of the bin: tsc writes 0644, and a second `npx` would then fail.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
rmSync('dist', { recursive: true, force: true });
execFileSync(process.execPath, [tsc, '-p', 'tsconfig.json'], { stdio: 'inherit' });
chmodSync('dist/cli/main.js', 0o755);

const { jsonSchemas } = await import('../dist/results/schemas.js');
mkdirSync('dist/schema');
for (const [name, schema] of Object.entries(jsonSchemas()))
  writeFileSync(`dist/schema/${name}`, `${JSON.stringify(schema, null, 2)}\n`);
