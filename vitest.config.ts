import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/corpus/**'],
    globalSetup: ['test/temp-root.ts'],
    setupFiles: ['test/setup.ts'],
    // A zone that is neither UTC nor the author's: a test that leans on local time fails here.
    env: { TZ: 'America/New_York', NO_COLOR: '1' },
    sequence: { shuffle: true, seed: 1 },
    // Modules are loaded once per worker, not once per file: the tokenizer alone takes most of a second.
    isolate: false,
    // One worker fewer is the default: of two processors one would idle.
    maxWorkers: '100%',
    testTimeout: 30_000,
  },
});
