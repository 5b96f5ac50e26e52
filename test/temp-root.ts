import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder that holds every temporary folder of a run. */
    tempRoot: string;
  }
}

/** One folder for the whole run, removed at its end: modules outlive the files that load them, so that no file can do it. */
export function setup({ provide }: TestProject): () => void {
  const root = mkdtempSync(join(tmpdir(), 'ctxsim-test-'));
  provide('tempRoot', root);
  return () => rmSync(root, { recursive: true, force: true });
}
