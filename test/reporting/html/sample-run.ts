import type { Outcome } from '../../../src/contract/outcome.ts';
import type { RunPlan } from '../../../src/contract/plan.ts';
import type { RunEntry, RunLedgerLine } from '../../../src/contract/run-ledger.ts';
import { createStoryFold } from '../../../src/reporting/html/fold-story.ts';
import type { RunReport } from '../../../src/reporting/html/page-context.ts';
import { finding, headSha, sampleOutcome, samplePlan } from '../samples.ts';

type Entry<Type extends RunEntry['type']> = Extract<RunEntry, { type: Type }>;

export const lineOf = (entry: RunEntry, seq: number, second = seq): RunLedgerLine => ({
  v: 1,
  seq,
  at: new Date(Date.UTC(2026, 10, 22, 4, 0, second)).toISOString(),
  entry,
});

/** Entries as the lines of a ledger, some seconds apart. */
export const linesOf = (entries: readonly RunEntry[]): RunLedgerLine[] =>
  entries.map((entry, index) => lineOf(entry, index + 1, index * 3));

export const call = (
  id: string,
  tool: string,
  what: string,
  input: Entry<'tool.call'>['input'],
  decision: Entry<'tool.call'>['decision'] = null,
): RunEntry => ({ type: 'tool.call', call_id: id, tool, input, what, decision });

export const result = (
  id: string,
  tool: string,
  content: string,
  more: Partial<Entry<'tool.result'>> = {},
): RunEntry => ({
  type: 'tool.result',
  ...{ call_id: id, tool, ok: true, content, error_kind: null, spill: null, duration_ms: 41 },
  ...more,
});

const usage = (
  turn: number,
  input: number,
  output: number,
  cache_read: number,
  cost_usd: number,
): RunEntry => ({
  type: 'usage',
  turn,
  usage: { input, output, cache_read, cache_write: turn === 1 ? 3_100 : 420 },
  cost_usd,
});

const says = (text: string): RunEntry => ({
  type: 'message',
  message: { role: 'assistant', parts: [{ type: 'text', text }] },
});

export const diff = `diff --git a/src/range.js b/src/range.js
index 83f2a11..c90d7e2 100644
--- a/src/range.js
+++ b/src/range.js
@@ -4,9 +4,12 @@ import { addDays, isAfter } from './day.js';
 /** All days of a range, both ends included. */
 export function days({ from, to }) {
   const found = [];
-  for (let day = from; day < to; day = addDays(day, 1)) {
+  for (let day = from; day <= to; day = addDays(day, 1)) {
     found.push(day);
   }
+  if (found.length === 0) {
+    throw new RangeError(\`\${to} is before \${from}\`);
+  }
   return found;
 }
 
`;

const testDiff = `diff --git a/test/range.test.js b/test/range.test.js
index 1d0b4a2..9f6e1c3 100644
--- a/test/range.test.js
+++ b/test/range.test.js
@@ -10,3 +10,9 @@ test('a range of one day has that day', () => {
 test('the last day belongs to the range', () => {
   assert.deepEqual(days({ from: 1, to: 3 }), [1, 2, 3]);
 });
+
+test('a range that ends before it begins is refused', () => {
+  assert.throws(() => days({ from: 3, to: 1 }), {
+    name: 'RangeError',
+  });
+});
`;

const failing = `TAP version 13
# Subtest: the last day belongs to the range
not ok 2 - the last day belongs to the range
  ---
  duration_ms: 1.93
  location: 'test/range.test.js:10:1'
  failureType: 'testCodeFailure'
  error: |-
    Expected values to be strictly deep-equal:
    + actual - expected

      [
        1,
        2,
    -   3
      ]
  ...
1..7
# pass 6
# fail 1

[exit code 1]`;

const change = (path: string, patch: string, call_id: string): RunEntry => ({
  type: 'change',
  change: {
    ...{ path, kind: 'modify', before: 'a'.repeat(64), after: 'b'.repeat(64), diff: patch },
    ...{ risk: 'low', validation: 'passed', tool: 'edit_file', call_id },
  },
});

const npmDecision: NonNullable<Entry<'tool.call'>['decision']> = {
  action: 'reject',
  level: 'confirm_execute',
  reason: 'Publishing is for people: the rule "releases" rejects it.',
  rule: 'releases (.github/anode.yml:9)',
  hard: false,
  commands: [],
};

/** A run as it could have been, with something of everything that a report tells of. */
export const sampleEntries: readonly RunEntry[] = [
  {
    type: 'run.started',
    run_id: 'run_mws1k0a93f20c1d4e5',
    session_id: 'sess_mws1k0a8b7d6e5f4a3',
    parent_run_id: null,
    ...{ model: 'anthropic/claude-sonnet-4-5', profile: 'craft', preset: 'careful', sandbox: 'on' },
    prompt:
      'The last day of a range is missing. Find out why, fix it, and add a test for ranges that end before they begin.',
    max_turns: 40,
    base_sha: headSha,
  },
  {
    type: 'diagnostic',
    level: 'info',
    message: 'Set-up: npm ci took 4.1 s; node_modules is there for reading.',
  },
  { type: 'turn.started', turn: 1 },
  usage(1, 4_212, 310, 0, 0.0291),
  says('I will look at how days are counted, and run the tests to see which one fails.'),
  call('c1', 'grep', 'days(', { pattern: 'days(', path: 'src' }),
  result(
    'c1',
    'grep',
    "src/range.js:5:export function days({ from, to }) {\nsrc/index.js:2:export { days } from './range.js';",
    { duration_ms: 12 },
  ),
  call(
    'c2',
    'bash',
    'node --test',
    { command: 'node --test' },
    {
      ...{
        action: 'allow',
        level: 'confirm_execute',
        rule: 'tests (.github/anode.yml:4)',
        hard: false,
        commands: [],
      },
      reason: 'A rule allows it.',
    },
  ),
  result('c2', 'bash', failing, { ok: false, error_kind: 'exit_code', duration_ms: 1_240 }),
  {
    type: 'todos',
    todos: [
      { id: '1', content: 'Find where the last day is lost', status: 'completed' },
      { id: '2', content: 'Fix the loop', status: 'in_progress', active_form: 'Fixing the loop' },
      { id: '3', content: 'Add a test for ranges that end before they begin', status: 'pending' },
    ],
  },
  { type: 'turn.started', turn: 2 },
  usage(2, 1_904, 642, 7_300, 0.0187),
  says(
    'The loop in `src/range.js` stops **before** `to`. I mend it and say so when a range ends before it begins.',
  ),
  call('c3', 'batch', '2 calls', { calls: [{ tool: 'edit_file' }, { tool: 'edit_file' }] }),
  call('c3.1', 'edit_file', 'src/range.js', {
    path: 'src/range.js',
    old_str: 'for (let day = from; day < to; day = addDays(day, 1)) {\n    found.push(day);\n  }',
    new_str:
      'for (let day = from; day <= to; day = addDays(day, 1)) {\n    found.push(day);\n  }\n  if (found.length === 0) {',
  }),
  change('src/range.js', diff, 'c3.1'),
  result('c3.1', 'edit_file', 'Edited src/range.js: 1 replacement. Checks passed.', { duration_ms: 38 }),
  call('c3.2', 'edit_file', 'test/range.test.js', {
    path: 'test/range.test.js',
    insert_after: 12,
    text: testDiff,
  }),
  change('test/range.test.js', testDiff, 'c3.2'),
  result('c3.2', 'edit_file', 'Edited test/range.test.js: 6 lines added. Checks passed.', {
    duration_ms: 35,
  }),
  result('c3', 'batch', '2 calls made.', { duration_ms: 76 }),
  { type: 'turn.started', turn: 3 },
  usage(3, 1_320, 210, 9_800, 0.0121),
  call(
    'c4',
    'bash',
    'npm version patch && npm publish',
    { command: 'npm version patch && npm publish' },
    npmDecision,
  ),
  {
    type: 'refusal',
    refusal: {
      tool: 'bash',
      what: 'npm version patch && npm publish',
      reason: npmDecision.reason,
      call_id: 'c4',
    },
  },
  result('c4', 'bash', `Refused: ${npmDecision.reason} Nothing of the call was done.`, {
    ok: false,
    error_kind: 'refused',
  }),
  call(
    'c5',
    'code_review',
    'the changes so far',
    { focus: 'edge cases' },
    {
      ...{
        action: 'allow',
        level: 'delegated',
        rule: null,
        hard: false,
        commands: [],
        reason: 'Children that only read are allowed.',
      },
    },
  ),
  {
    type: 'child_run.started',
    child_run_id: 'child_1',
    title: 'Review the changes so far',
    profile: 'review',
  },
  {
    type: 'child_run.result',
    child_run_id: 'child_1',
    conclusion: 'success',
    summary: 'One finding: `isAfter` is imported in `src/range.js` and not used any more.',
    turns: 3,
    usage: { input: 5_200, output: 380, cache_read: 4_100, cache_write: 0 },
  },
  result('c5', 'code_review', '1 finding.', { duration_ms: 8_412 }),
  {
    type: 'compaction',
    before_tokens: 48_211,
    after_tokens: 31_007,
    note: 'Old results that words replaced: 3.',
  },
  { type: 'turn.started', turn: 4 },
  usage(4, 980, 450, 12_400, 0.0136),
  says('Days now include the last one.'),
  {
    type: 'run.finished',
    ...{ conclusion: 'success', answer: 'Days now include the last one.', stop: null, turns: 4 },
    usage: { input: 13_616, output: 1_992, cache_read: 33_600, cache_write: 4_360 },
    ...{ cost_usd: 0.0735, duration_ms: 64_200 },
  },
];

const answer = `\`days\` now includes the **last day**, and a range that ends before it begins is refused with a \`RangeError\`.

1. The loop in \`src/range.js\` stopped one day early (\`<\` in place of \`<=\`).
2. A new test holds the second case.

All 8 tests pass. I did not publish a version: a rule keeps that for people.`;

export const sampleRunOutcome: Outcome = sampleOutcome({
  run_id: 'run_mws1k0a93f20c1d4e5',
  session_id: 'sess_mws1k0a8b7d6e5f4a3',
  model: 'anthropic/claude-sonnet-4-5',
  answer,
  ...{ turns: 4, tool_calls: 7, cost_usd: 0.0735, duration_ms: 64_200 },
  usage: { input: 13_616, output: 1_992, cache_read: 33_600, cache_write: 4_360 },
  todos: [
    { id: '1', content: 'Find where the last day is lost', status: 'completed' },
    { id: '2', content: 'Fix the loop', status: 'completed' },
    { id: '3', content: 'Add a test for ranges that end before they begin', status: 'completed' },
  ],
  findings: [
    {
      ...finding,
      path: 'src/range.js',
      line: 1,
      severity: 'low',
      category: 'unused',
      title: 'isAfter is not used any more',
      body: 'Since the loop compares days itself, the import of `isAfter` has no use.',
      suggestion: "import { addDays } from './day.js';",
    },
  ],
  refusals: [
    { tool: 'bash', what: 'npm version patch && npm publish', reason: npmDecision.reason, call_id: 'c4' },
  ],
  changes: {
    base_sha: headSha,
    patch: diff + testDiff,
    files: [
      ...[
        { path: 'src/range.js', diff },
        { path: 'test/range.test.js', diff: testDiff },
      ].map((file) => ({
        ...file,
        ...{ kind: 'modify' as const, mode: '100644', old_mode: '100644', content: '', binary: false },
      })),
    ],
  },
});

export const sampleRunPlan: RunPlan = samplePlan({
  thread: { kind: 'pull_request', number: 7, title: 'Ranges of days' },
});

/** The report of that run, or of other entries in its place. */
export function sampleReport(
  entries: readonly RunEntry[] = sampleEntries,
  change: Partial<RunReport> = {},
): RunReport {
  const fold = createStoryFold();
  for (const line of linesOf(entries)) fold.add(line);
  const site = 'https://github.com/acme/shop';
  return {
    story: fold.story(),
    outcome: sampleRunOutcome,
    plan: sampleRunPlan,
    published: {
      commit: { sha: 'c90d7e2'.repeat(6).slice(0, 40), url: `${site}/commit/c90d7e2`, branch: 'ranges' },
      review: { id: 1, url: `${site}/pull/7#pullrequestreview-1`, comments: 1 },
      comment: { id: 2, url: `${site}/pull/7#issuecomment-2` },
      issues: [],
      downgrades: [],
      failures: [],
      patch: '',
    },
    runUrl: null,
    ...change,
  };
}
