import { defineConfig } from 'vitest/config';

/**
 * Tests of plain functions, which change nothing that another file could see: they share their workers, as
 * loading the same modules for each file anew takes longer than the tests.
 */
const light = ['agent', 'config', 'permissions', 'permissions/shell', 'reporting', 'tools/edit'];
const lightFiles = light
  .map((folder) => `test/${folder}/*.test.ts`)
  .concat(
    'test/agent/*/*.test.ts',
    // All but `html`, which starts a browser.
    'test/reporting/!(html)/*.test.ts',
  );

/**
 * Cases that others wrote are no part of the repository. `.ci/run` names the folder that has them, where there
 * is one; without it their tests do not exist.
 */
const foreignCases = process.env.ANODE_FOREIGN_CASES;
const foreignFiles = ['test/foreign/**/*.test.ts'];
const foreign = foreignCases
  ? [
      {
        extends: true as const,
        test: { name: 'foreign', include: foreignFiles, isolate: false, provide: { foreignCases } },
      },
    ]
  : [];

export default defineConfig({
  test: {
    // Two cores: more workers only take turns, and the tests start real processes of their own.
    maxWorkers: 2,
    // The embedded database and the parsers are WebAssembly: optimising it costs more than a test gets back.
    execArgv: ['--liftoff-only'],
    globalSetup: ['test/support/shared/shared-folder.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      { extends: true, test: { name: 'light', include: lightFiles, isolate: false } },
      {
        extends: true,
        test: { name: 'whole', include: ['test/**/*.test.ts'], exclude: [...lightFiles, ...foreignFiles] },
      },
      ...foreign,
    ],
  },
});
