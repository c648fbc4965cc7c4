// biome-ignore-all lint/suspicious/noTemplateCurlyInString: GitHub's own syntax
import { expect, test } from 'vitest';
import { ConfigError } from '../../src/contract/errors.ts';
import { checkWorkflow, workflowRules } from '../../src/workflow-files/check-workflow.ts';
import { about, clean, pin, remarks, swap } from './support/clean-workflow.ts';

test('a workflow without a mistake has no remark', async () => {
  expect(await remarks(clean)).toEqual([]);
});

test('an identity token is used where a step may commit and the configuration lets it sign', async () => {
  const identity = swap('issues: write\n', 'issues: write\n      id-token: write\n');
  const step = (input: string) =>
    identity.replace('timeout_minutes: 25', `timeout_minutes: 25\n          ${input}`);
  const call = identity
    .replace(/ {4}steps:\n[\s\S]*/, '    uses: OWNER/anode-ci/.github/workflows/one-job.yml@v1\n')
    .replace(/ {4}(?:runs-on|timeout-minutes): .*\n/g, '');
  const unused = async (text: string, signsKeyless = true) =>
    (await remarks(text, { signsKeyless })).filter((one) => one.includes('too-wide')).length;
  expect({
    signs: await unused(identity),
    task: await unused(step("prompt: Raise it\n          create_pull_request: 'true'")),
    byKey: await unused(identity, false),
    review: await unused(step('mode: review')),
    agent: await unused(step('job: agent')),
    onlyReads: await unused(step('prompt: Tell it')),
    call: await unused(call),
  }).toEqual({ signs: 0, task: 0, byKey: 1, review: 1, agent: 1, onlyReads: 1, call: 1 });
});

const task = swap(
  '          timeout_minutes: 25',
  '          prompt: Write the changelog since the last tag.',
);

const mistakes: readonly (readonly [
  rule: string,
  title: string,
  text: string,
  expected: readonly string[],
])[] = [
  [
    'permissions-not-stated',
    'no permissions at all',
    swap('permissions: {}\n', '').replace(/ {4}permissions:\n(?: {6}.*\n)+/, ''),
    ['9 error permissions-not-stated'],
  ],
  [
    'permission-missing',
    'a scope that the event needs',
    swap('      issues: write\n', ''),
    ['14 error permission-missing'],
  ],
  [
    'permission-missing',
    'a level that is too low',
    swap('contents: write', 'contents: read'),
    ['14 error permission-missing'],
  ],
  [
    'permission-missing',
    'the empty permissions of the workflow',
    clean.replace(/ {4}permissions:\n(?: {6}.*\n)+/, ''),
    ['5 error permission-missing'],
  ],
  [
    'permission-too-wide',
    'write-all',
    clean.replace(/permissions:\n(?: {6}.*\n)+/, 'permissions: write-all\n'),
    ['14 error permission-too-wide'],
  ],
  [
    'permission-too-wide',
    'a scope that nothing uses',
    swap('issues: write\n', 'issues: write\n      id-token: write\n'),
    ['14 warning permission-too-wide'],
  ],
  [
    'runner-not-linux',
    'a runner with macOS',
    swap('runs-on: ubuntu-24.04', 'runs-on: macos-15'),
    ['10 error runner-not-linux'],
  ],
  [
    'event-starts-nothing',
    'an event without a thread',
    swap('permissions: {}', '  schedule:\n    - cron: 0 3 * * *\npermissions: {}'),
    ['5 error event-starts-nothing'],
  ],
  [
    'type-starts-nothing',
    'a type beside one that starts a run',
    swap('[created]', '[created, deleted]'),
    ['3 warning type-starts-nothing'],
  ],
  [
    'type-starts-nothing',
    'only types that start nothing',
    swap('[created]', '[deleted]'),
    ['3 error type-starts-nothing'],
  ],
  [
    'head-with-secrets',
    'a checkout of the head for pull_request_target',
    swap('issue_comment:\n    types: [created]', 'pull_request_target:')
      .replace('event.comment.body', 'event.pull_request.title')
      .replace(
        '          persist-credentials: false',
        '          persist-credentials: false\n          ref: ${{ github.event.pull_request.head.sha }}',
      ),
    ['21 error head-with-secrets'],
  ],
  [
    'head-with-secrets',
    'a script that checks out the head',
    swap('issue_comment:\n    types: [created]', 'pull_request_target:')
      .replace('event.comment.body', 'event.pull_request.title')
      .replace(`printf '%s' "$ANSWER"`, 'gh pr checkout 1'),
    ['29 error head-with-secrets'],
  ],
  [
    'concurrency-across-threads',
    'a group by ref',
    swap('github.event.issue.number', 'github.ref'),
    ['6 error concurrency-across-threads'],
  ],
  [
    'concurrency-cancels-tasks',
    'a group that cancels',
    swap('cancel-in-progress: false', 'cancel-in-progress: true'),
    ['6 error concurrency-cancels-tasks'],
  ],
  [
    'credentials-in-checkout',
    'a checkout that stores its token',
    swap('        with:\n          persist-credentials: false\n', ''),
    ['19 error credentials-in-checkout'],
  ],
  [
    'secret-for-all-steps',
    'a secret in the environment of the job',
    swap('    steps:', '    env:\n      KEY: ${{ secrets.KEY }}\n    steps:'),
    ['19 error secret-for-all-steps'],
  ],
  [
    'secret-for-all-steps',
    'a secret in the environment of the workflow',
    swap('jobs:', 'env: { KEY: "${{ secrets[\'KEY\'] }}" }\njobs:'),
    ['9 error secret-for-all-steps'],
  ],
  [
    'secret-in-file',
    'a key as it is',
    swap('${{ secrets.ANTHROPIC_API_KEY }}', 'sk-live'),
    ['25 error secret-in-file'],
  ],
  [
    'text-in-script',
    'the text of the agent in a script',
    swap('"$ANSWER"', '"${{ steps.anode.outputs.final_message }}"'),
    ['30 error text-in-script'],
  ],
  [
    'text-in-script',
    'the text of a comment in a script',
    swap('"$ANSWER"', '"${{ github.event.comment.body }}"'),
    ['30 error text-in-script'],
  ],
  [
    'text-in-script',
    'the text of the agent, handed to another job',
    `${swap('    steps:', '    outputs: { said: "${{ steps.anode.outputs.final_message }}" }\n    steps:')}  other:
    needs: anode
    runs-on: ubuntu-24.04
    steps:
      - run: echo \${{ needs.anode.outputs.said }}
`,
    ['36 error text-in-script'],
  ],
  ['action-not-pinned', 'a tag of GitHub', swap(pin, 'v5'), ['19 warning action-not-pinned']],
  [
    'action-not-pinned',
    'a tag of somebody else',
    swap(`actions/checkout@${pin}`, 'someone/thing@v5'),
    ['19 error action-not-pinned'],
  ],
  [
    'action-not-pinned',
    'a branch of ours',
    swap('anode-ci@v1', 'anode-ci/action@main'),
    ['22 error action-not-pinned'],
  ],
  ['no-timeout', 'a job without a limit', swap('    timeout-minutes: 30\n', ''), ['10 warning no-timeout']],
  [
    'job-ends-first',
    'a job that ends before the run',
    swap('timeout_minutes: 25', 'timeout_minutes: 30'),
    ['26 error job-ends-first'],
  ],
  [
    'no-checkout',
    'a task without a checkout',
    swap('          timeout_minutes: 25', '          prompt: Do it.').replace(
      / {6}- uses: actions\/checkout.*\n {8}with:\n.*\n/,
      '',
    ),
    ['19 error no-checkout'],
  ],
  ['no-history', 'a task about history on one commit', task, ['19 error no-history']],
  [
    'condition-without-phrase',
    'a phrase that the condition does not look for',
    swap('          timeout_minutes: 25', "          trigger_phrase: '@helper'"),
    ['26 error condition-without-phrase'],
  ],
  [
    'wrong-input',
    'a misspelt input, a misspelt preset, and two that contradict each other',
    swap(
      '          timeout_minutes: 25',
      '          timeout_minutes: 25\n          presets: strict\n          preset: carefull\n          budget_usd: 1\n          max_cost_usd: 2',
    ),
    ['27 error wrong-input', '28 error wrong-input', '30 error wrong-input'],
  ],
  [
    'wrong-input',
    'an input of the other way to run',
    swap('          timeout_minutes: 25', '          timeout_minutes: 25\n          output_schema: x.json'),
    ['27 error wrong-input'],
  ],
  [
    'state-without-secret',
    'a folder that anyone could forge',
    swap('          timeout_minutes: 25', '          timeout_minutes: 25\n          state_dir: /var/anode'),
    ['27 warning state-without-secret'],
  ],
  [
    'permission-missing',
    'a state that is not found',
    swap(
      '          timeout_minutes: 25',
      '          timeout_minutes: 25\n          state_secret: ${{ secrets.ANODE_STATE_SECRET }}',
    ),
    ['14 error permission-missing'],
  ],
  [
    'no-model-key',
    'no key at all',
    swap('          anthropic_api_key: ${{ secrets.ANTHROPIC_API_KEY }}\n', ''),
    ['22 warning no-model-key'],
  ],
  [
    'wrong-input',
    'a model without its provider',
    swap('          timeout_minutes: 25', '          timeout_minutes: 25\n          model: gpt-5'),
    ['27 error wrong-input'],
  ],
  [
    'wrong-input',
    'a prompt that no model reads',
    swap(
      '          timeout_minutes: 25',
      "          timeout_minutes: 25\n          prompt: Do it.\n          checks_only: 'true'",
    ),
    ['28 error wrong-input'],
  ],
  [
    'condition-without-field',
    'a condition on a comment, for a schedule',
    swap('issue_comment:\n    types: [created]', 'schedule: [{ cron: 0 3 * * * }]\n  push:').replace(
      '          timeout_minutes: 25',
      '          timeout_minutes: 25\n          prompt: Do it.',
    ),
    ['10 warning condition-without-field'],
  ],
  [
    'wrong-input',
    'a flag that is no flag, with nothing else that follows from it',
    swap('          timeout_minutes: 25', '          timeout_minutes: 25\n          prompt: Do it.')
      .replace(/ {6}- uses: actions\/checkout.*\n {8}with:\n.*\n/, '')
      .replace(
        'prompt: Do it.',
        'prompt: Do it.\n          create_pull_request: yes\n          staged: true',
      ),
    ['25 error wrong-input'],
  ],
];

test.for(mistakes)('%s: %s', async ([, , text, expected]) => {
  expect(await remarks(text)).toEqual(expected);
});

test('commit-starts-no-ci: other workflows do not start for what the job’s own token pushed', async () => {
  const facts = { otherWorkflows: ['ci.yml'] as never[] };
  const ownToken = swap(
    '          timeout_minutes: 25',
    '          github_token: ${{ steps.app.outputs.token }}',
  );
  expect([await remarks(clean, facts), await remarks(ownToken, facts)]).toEqual([
    ['22 warning commit-starts-no-ci'],
    [],
  ]);
});

test('a job that only runs the agent needs a token that reads, and one that publishes needs more', async () => {
  const apart = (job: string) =>
    swap('          timeout_minutes: 25\n', `          timeout_minutes: 25\n          job: ${job}\n`).replace(
      'contents: write\n      issues: write\n      pull-requests: write',
      'contents: read\n      issues: read\n      pull-requests: read',
    );
  expect([await remarks(apart('agent')), await remarks(apart('publish'))]).toEqual([
    [],
    ['14 error permission-missing'],
  ]);
});

test('a task whose change becomes a pull request needs to write it, and no checkout', async () => {
  const text = (permissions: string) =>
    swap(
      '          timeout_minutes: 25\n',
      '          timeout_minutes: 25\n          prompt: x\n          create_pull_request: true\n',
    ).replace('contents: write\n      issues: write\n      pull-requests: write', permissions);
  const facts = { otherWorkflows: ['ci.yml'] as never[] };
  expect([
    await remarks(text('contents: write\n      pull-requests: write')),
    await remarks(text('contents: read')),
    (await remarks(text('contents: write\n      pull-requests: write'), facts)).map((one) => one.slice(3)),
  ]).toEqual([[], ['14 error permission-missing'], ['warning commit-starts-no-ci']]);
});

test('each rule has a workflow with its mistake', () => {
  const tried = new Set([...mistakes.map(([rule]) => rule), 'commit-starts-no-ci']);
  expect(workflowRules.map(({ name }) => name).filter((name) => !tried.has(name))).toEqual([]);
});

test('a remark has the line, the consequence, and the lines to write', async () => {
  expect(await checkWorkflow(swap('      issues: write\n', ''), 'a.yml', about)).toEqual([
    {
      rule: 'permission-missing',
      line: 14,
      level: 'error',
      what: 'The token of the job anode lacks issues: write.',
      why: 'For issue_comment, Anode CI could not read or publish what the run is about.',
      write: ['permissions:', '  issues: write'],
    },
  ]);
});

test.for([
  ['on: push\njobs: {}', 'a.yml is no workflow: it needs `on:` and `jobs:`.'],
  ['on: [push\njobs:', /^a\.yml:2: .*[^:.]\.$/],
  [
    'on: push\njobs: { a: { steps: [{ run: echo }] } }',
    /^a\.yml has no step of Anode CI\. docs\/action\.md has workflows/,
  ],
  [
    `a: &a [1]\n${Array.from({ length: 9 }, (_, at) => `b${at}: &b${at} [${`*${at === 0 ? 'a' : `b${at - 1}`},`.repeat(9)}]`).join('\n')}`,
    /^a\.yml: it has over 50000 nodes\.$/,
  ],
  ['on: push\njobs: &a [*a]', /^a\.yml: it is nested deeper than 100\.$/],
] as const)('%s is refused with the reason', async ([text, reason]) => {
  const failed = await checkWorkflow(text, 'a.yml', about).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(ConfigError);
  expect((failed as ConfigError).message).toMatch(reason);
});
