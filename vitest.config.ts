import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Two cores: more workers only take turns, and the tests start real processes of their own.
    maxWorkers: 2,
    globalSetup: ['test/support/shared/shared-folder.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
