import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { HeavyFirst } from './test/support/heavy-first.ts';

/**
 * Files that change what others of their worker would see: the environment, the working folder, a
 * module. All other files share two workers, as loading the same modules for each file anew takes a
 * third of the time.
 */
const apart = [
  'test/action/inputs.test.ts',
  'test/command-line/unnamed-user.test.ts',
  'test/run/records/transcript.test.ts',
  'test/github/app-tokens.test.ts',
  'test/github/create-octokit.test.ts',
  'test/github/staged-writes.test.ts',
  'test/permissions/tree/tree-watch.test.ts',
  'test/project/system-packages.test.ts',
  'test/tools/code/code-search.test.ts',
  'test/tools/services/syntax-parser.test.ts',
  'test/tools/search/hostile-trees.test.ts',
  'test/extensions/toolbox/toolbox-tool.test.ts',
  'test/webhooks/plan/read-failing-checks.test.ts',
  'test/webhooks/plan/read-triage.test.ts',
  'test/workspace/files/confined-files.test.ts',
  'test/workspace/every-swap.test.ts',
  'test/workspace/git/run-git.test.ts',
];

/**
 * Files that play each attack, each way to fail, each verb, event, tool or command through the built
 * program, or each rule of the stand-in for GitHub. They take most of the time. `npm test` leaves
 * them out and keeps one test of each use; `npm test -- --whole` and CI play all.
 */
export const wholeFiles = [
  'test/demo/whole-demo.test.ts',
  'test/red-team/**/*.test.ts',
  'test/approve-once.test.ts',
  'test/finding-lifecycle.test.ts',
  'test/text-time.test.ts',
  'test/unfinished-runs.test.ts',
  'test/action/air-gapped.test.ts',
  'test/action/approve.test.ts',
  'test/action/attestation-artifact.test.ts',
  'test/action/config-input.test.ts',
  'test/action/endings.test.ts',
  'test/action/every-event.test.ts',
  'test/action/example-replies.test.ts',
  'test/action/examples.test.ts',
  'test/action/failed-build.test.ts',
  'test/action/keyless.test.ts',
  'test/action/killed.test.ts',
  'test/action/no-sandbox.test.ts',
  'test/action/outward-inputs.test.ts',
  'test/action/permissions.test.ts',
  'test/action/real-checkouts.test.ts',
  'test/action/reviews-at-once.test.ts',
  'test/action/staged-boxes.test.ts',
  'test/action/stray-errors.test.ts',
  'test/action/stricter-inputs.test.ts',
  'test/action/talk.test.ts',
  'test/action/told.test.ts',
  'test/action/turns-at-once.test.ts',
  'test/action/turns.test.ts',
  'test/action/two-jobs.test.ts',
  'test/action/unsafe-checkout.test.ts',
  'test/action/waiting.test.ts',
  'test/action/working-inputs.test.ts',
  'test/agent/long-run.test.ts',
  'test/command-line/approve.test.ts',
  'test/command-line/broken-runs.test.ts',
  'test/command-line/ends.test.ts',
  'test/command-line/eval-polyglot.test.ts',
  'test/command-line/every-command.test.ts',
  'test/command-line/failures.test.ts',
  'test/command-line/hooks.test.ts',
  'test/command-line/kept-files.test.ts',
  'test/command-line/mcp.test.ts',
  'test/command-line/protocols.test.ts',
  'test/command-line/provider-answers.test.ts',
  'test/command-line/subfolder.test.ts',
  'test/command-line/temporary-folder.test.ts',
  'test/command-line/toolbox.test.ts',
  'test/command-line/tools-of-others.test.ts',
  'test/command-line/tools.test.ts',
  'test/extensions/language/real-servers.test.ts',
  'test/permissions/shell/against-bash.test.ts',
  'test/permissions/shell/limits.test.ts',
  'test/pipeline/agent-commits/check-agent-commits.test.ts',
  'test/pipeline/controls/apply-on-click.test.ts',
  'test/pipeline/controls/record-results.test.ts',
  'test/project/installed-package.test.ts',
  'test/reporting/publish-again.test.ts',
  'test/reporting/review/real-diffs.test.ts',
  'test/sandbox/escapes.test.ts',
  'test/scripts/mutate/try-mutant.test.ts',
  'test/scripts/release-workflow.test.ts',
  'test/support/github/**/*.test.ts',
  'test/tools/patch/fuzzed-patches.test.ts',
  'test/uses/approve.test.ts',
  'test/uses/broken-answers.test.ts',
  'test/uses/endings.test.ts',
  'test/uses/every-tool.test.ts',
  'test/uses/every-verb.test.ts',
  'test/uses/faults.test.ts',
  'test/uses/file-kinds.test.ts',
  'test/uses/github-conditions.test.ts',
  'test/uses/github-flows.test.ts',
  'test/uses/github-sizes.test.ts',
  'test/uses/instructions.test.ts',
  'test/uses/kept-files.test.ts',
  'test/uses/mappings.test.ts',
  'test/uses/model-view.test.ts',
  'test/uses/own-commits.test.ts',
  'test/uses/permissions.test.ts',
  'test/uses/plans.test.ts',
  'test/uses/pull-request-life.test.ts',
  'test/uses/questions.test.ts',
  'test/uses/refusals.test.ts',
  'test/uses/secrets.test.ts',
  'test/uses/set-up.test.ts',
  'test/uses/stray-errors.test.ts',
  'test/uses/thread-talk.test.ts',
  'test/uses/verbs.test.ts',
  'test/uses/waiting-requests.test.ts',
  'test/uses/yaml.test.ts',
  'test/webhooks/deliveries/queue.test.ts',
  'test/workspace/every-swap.test.ts',
  'test/workspace/files/write-files.test.ts',
];
const leftOut = process.env.ANODE_TEST_PART === 'short' ? wholeFiles : [];

/**
 * Cases that others wrote are no part of the repository. `.ci/run` names the folder that has them,
 * where there is one; without it their tests do not exist.
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

/**
 * Each group has workers of its own. A worker grows with every module that a file of it loads, and
 * `fork(2)` copies the page tables of its caller: a start of git takes 6 ms in a small worker, and
 * 60 ms in one of 500 MB.
 */
const programs = ['uses', 'command-line', 'red-team', 'action', 'project', 'demo'].map(
  (one) => `test/${one}/**/*.test.ts`,
);
const processes = ['tools', 'extensions', 'workspace', 'permissions', 'sandbox', 'network'].map(
  (one) => `test/${one}/**/*.test.ts`,
);
const groups: readonly { readonly name: string; readonly include: string[]; readonly exclude?: string[] }[] =
  [
    { name: 'programs', include: programs },
    { name: 'processes', include: processes },
    { name: 'rest', include: ['test/**/*.test.ts'], exclude: [...programs, ...processes] },
  ];

export default defineConfig({
  test: {
    // A worker waits a third of its time for the processes that its tests start. Three on two
    // cores.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    sequence: { sequencer: HeavyFirst },
    // The embedded database and the parsers are WebAssembly: optimising it costs more than a test
    // gets back.
    execArgv: ['--liftoff-only'],
    setupFiles: process.env.ANODE_COVERAGE ? ['test/support/coverage/record-calls.ts'] : [],
    globalSetup: ['test/support/shared/shared-folder.ts'],
    // Many times what a test takes: a busy machine is no failure. They only end what would never
    // end.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 120_000, interval: 20 } },
    projects: [
      { extends: true, test: { name: 'apart', include: apart, exclude: leftOut } },
      ...groups.map(({ name, include, exclude = [] }) => ({
        extends: true as const,
        test: { name, include, exclude: [...apart, ...foreignFiles, ...leftOut, ...exclude], isolate: false },
      })),
      ...foreign,
    ],
  },
});
