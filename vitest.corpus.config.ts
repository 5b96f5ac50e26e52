import { defineConfig } from 'vitest/config';

/** `npm run corpus`: the tests that need the shared folder of real transcripts and published tables beside this checkout. */
export default defineConfig({
  test: {
    include: ['test/corpus/**/*.test.ts'],
    globalSetup: ['test/temp-root.ts'],
    setupFiles: ['test/setup.ts'],
    isolate: false,
    env: { TZ: 'UTC', NO_COLOR: '1' },
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
