import { defineConfig } from 'vitest/config';
import { HeavyFirst } from './test/support/heavy-first.ts';

/**
 * Files that change what others of their worker would see: the environment, the working folder, a module. All
 * other files share two workers, as loading the same modules for each file anew takes a third of the time.
 */
const apart = [
  'test/action/inputs.test.ts',
  'test/compose/run/heard-words.test.ts',
  'test/github/app-tokens.test.ts',
  'test/github/create-octokit.test.ts',
  'test/project/system-packages.test.ts',
  'test/tools/code/syntax-parser.test.ts',
  'test/tools/search/hostile-trees.test.ts',
  'test/tools/toolbox/toolbox-tool.test.ts',
  'test/webhooks/deliveries/open-boss.test.ts',
  'test/webhooks/deliveries/queue-settings.test.ts',
  'test/webhooks/plan/read-failing-checks.test.ts',
  'test/webhooks/plan/read-triage.test.ts',
  'test/workspace/confined-files.test.ts',
  'test/workspace/every-swap.test.ts',
  'test/workspace/run-git.test.ts',
];

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
    sequence: { sequencer: HeavyFirst },
    // The embedded database and the parsers are WebAssembly: optimising it costs more than a test gets back.
    execArgv: ['--liftoff-only'],
    globalSetup: ['test/support/shared/shared-folder.ts'],
    // Many times what a test takes: a busy machine is no failure. They only end what would never end.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 120_000, interval: 20 } },
    projects: [
      { extends: true, test: { name: 'apart', include: apart } },
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: [...apart, ...foreignFiles],
          isolate: false,
        },
      },
      ...foreign,
    ],
  },
});
