import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const folders: string[] = [];

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A new folder, removed after the last test of the file. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ctxsim-test-'));
  folders.push(folder);
  return folder;
}
