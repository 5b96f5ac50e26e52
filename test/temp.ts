import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';

/** A new folder, removed at the end of the run. */
export function tempFolder(): string {
  return mkdtempSync(join(inject('tempRoot'), 't'));
}
