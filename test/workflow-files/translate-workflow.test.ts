// biome-ignore-all lint/suspicious/noTemplateCurlyInString: GitHub's own syntax
import { expect, test } from 'vitest';
import { eventUse } from '../../src/command-line/doctor-workflow.ts';
import { ConfigError } from '../../src/contract/errors.ts';
import { foreignActions } from '../../src/contract/foreign-inputs.ts';
import { namedSecrets } from '../../src/workflow-files/adapt-workflow.ts';
import { checkWorkflow } from '../../src/workflow-files/check-workflow.ts';
import { translateWorkflow } from '../../src/workflow-files/translate-workflow.ts';

const translate = (text: string) => translateWorkflow(text, '.github/workflows/old.yml', 'acme/anode-ci@v1');

const mention = `name: Claude Code
on:
  issue_comment:
    types: [created]
  pull_request_review_comment:
    types: [created]
jobs:
  claude:
    # Only for those who ask.
    if: contains(github.event.comment.body, '@claude')
    runs-on: ubuntu-latest
    permissions:
      contents: read
      id-token: write
    steps:
      - name: Checkout repository
        uses: actions/checkout@v4
        with:
          fetch-depth: 1
      - name: Run Claude Code
        id: claude
        uses: anthropics/claude-code-action@v1 # v1
        with:
          claude_code_oauth_token: \${{ secrets.CLAUDE_CODE_OAUTH_TOKEN }}
          additional_permissions: |
            actions: read
          claude_args: |
            --model claude-opus-4-5
            --max-turns 15
            --allowedTools "Bash(npm test:*),Edit"
      - run: echo "$SESSION"
        env:
          SESSION: \${{ steps.claude.outputs.session_id }} \${{ steps.claude.outputs.github_token }}
`;

test('a workflow for mentions keeps its events, condition and comments, and says what has no counterpart', async () => {
  const { text, remarks } = await translate(mention);
  expect(text).toBe(`# Translated from old.yml by anode init.
# Without a counterpart:
#   line 24: claude_code_oauth_token (\${{ secrets.CLAUDE_CODE_OAUTH_TOKEN }}): Use a key of Anthropic's API.
#   line 25: additional_permissions (actions: read): Set the job's permissions; the Action uses what the token has.
#   line 27: claude_args (--allowedTools Bash(npm test:*),Edit): rules on tools belong in \`permissions.rules\`.
#   line 33: steps.claude.outputs.github_token has no counterpart.
name: Claude Code
on:
  issue_comment:
    types: [created]
  pull_request_review_comment:
    types: [created]
jobs:
  claude:
    # Only for those who ask.
    if: contains(github.event.comment.body, '@claude')
    runs-on: ubuntu-latest
    permissions:
      contents: write
      issues: write
      pull-requests: write
      checks: read
    timeout-minutes: 30
    steps:
      - name: Checkout repository
        uses: actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0
        with:
          fetch-depth: 1
          persist-credentials: false
      - name: Run Claude Code
        id: claude
        uses: acme/anode-ci@v1
        with:
          model: anthropic/claude-opus-4-5
          max_turns: "15"
          trigger_phrase: "@claude"
          anthropic_api_key: \${{ secrets.ANTHROPIC_API_KEY }}
      - run: echo "$SESSION"
        env:
          SESSION: \${{ steps.claude.outputs.session_id }} \${{ steps.claude.outputs.github_token }}
`);
  expect(remarks.filter(({ lost }) => !lost).map(({ line, message }) => `${line} ${message}`)).toEqual([
    '10 The permissions are contents: write, issues: write, pull-requests: write, checks: read; they were contents: read, id-token: write.',
    '10 timeout-minutes: 30 was added.',
    '16 The checkout keeps no token (persist-credentials: false).',
    '16 actions/checkout@v4 is pinned to the commit of v5.0.0.',
    '20 trigger_phrase is @claude, as before.',
    '20 anthropic_api_key was added: it needs the secret ANTHROPIC_API_KEY.',
  ]);
  expect(await checkWorkflow(text, 'a.yml', { otherWorkflows: [], signsKeyless: true, eventUse })).toEqual(
    [],
  );
});

test('a prompt on a pull request, whose result is not posted, is named in the file; lost secrets are not asked for', async () => {
  const { text } = await translate(`on: pull_request
jobs:
  review:
    runs-on: ubuntu-24.04
    steps:
      - uses: anthropics/claude-code-action@v1
        with:
          prompt: Comment on the lines.
          claude_code_oauth_token: \${{ secrets.CLAUDE_CODE_OAUTH_TOKEN }}
`);
  expect([text.split('\n').filter((line) => /^# {3}line 6/.test(line)), namedSecrets(text).secrets]).toEqual([
    [
      '#   line 6: With a prompt the result stays in the job, and nothing is posted for pull_request. Without the prompt, it is published on the thread.',
    ],
    ['ANTHROPIC_API_KEY'],
  ]);
});

/** A workflow with one step of an action. */
const withStep = (uses: string, inputs: string) =>
  `on: workflow_dispatch\njobs:\n  a:\n    runs-on: ubuntu-24.04\n    timeout-minutes: 30\n    permissions:\n      contents: read\n    steps:\n      - uses: ${uses}\n        id: run\n        with:\n${inputs}      - run: echo\n`;

test.for([
  [
    'openai/codex-action@v1',
    `          openai-api-key: \${{ secrets.KEY }}\n          prompt-file: .github/task.md\n          sandbox: read-only\n          model: gpt-5.5\n          allow-bots: 'true'\n          codex-args: '["--json"]'\n`,
    {
      openai_api_key: '${{ secrets.KEY }}',
      prompt_file: '.github/task.md',
      preset: 'strict',
      model: 'openai/gpt-5.5',
      allowed_bots: 'github-actions[bot]',
    },
    ['codex-args'],
  ],
  [
    'google-github-actions/run-gemini-cli@v0',
    `          gemini_api_key: \${{ secrets.KEY }}\n          google_api_key: \${{ secrets.OTHER }}\n          gemini_model: \${{ vars.MODEL }}\n          settings: '{}'\n          prompt: Do it.\n`,
    {
      gemini_api_key: '${{ secrets.KEY }}',
      model: "${{ vars.MODEL && format('gemini/{0}', vars.MODEL) }}",
      prompt: 'Do it.',
    },
    ['A second value for the input gemini_api_key', 'settings'],
  ],
  [
    'anthropics/claude-code-action@beta',
    `          direct_prompt: Do it.\n          allowed_bots: '*'\n          timeout_minutes: 20\n          custom_instructions: Be brief.\n          anthropic_api_key: \${{ secrets.KEY }}\n`,
    { prompt: 'Do it.', timeout_minutes: '20', anthropic_api_key: '${{ secrets.KEY }}' },
    ['allowed_bots', 'custom_instructions'],
  ],
  [
    'anthropics/claude-code-action@v1',
    `          prompt: /code-review:code-review 7\n          anthropic_api_key: \${{ secrets.KEY }}\n`,
    { anthropic_api_key: '${{ secrets.KEY }}' },
    ['prompt'],
  ],
] as const)('inputs of %s become ours, or are named', async ([uses, inputs, ours, lost]) => {
  const { text, remarks } = await translate(withStep(uses, inputs));
  const { parse } = await import('yaml');
  const given = parse(text).jobs.a.steps[0].with as Record<string, unknown>;
  expect(Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]))).toEqual(
    ours,
  );
  const named = remarks.filter((one) => one.lost).map(({ message }) => message);
  expect(named.map((message, index) => message.startsWith(lost[index] ?? '-'))).toEqual(lost.map(() => true));
});

test('each input of the other actions becomes one of ours or is named with the reason', async () => {
  for (const { uses, inputs } of foreignActions)
    for (const [name, { ours }] of Object.entries(inputs)) {
      const { text, remarks } = await translate(withStep(`${uses}@v1`, `          ${name}: some\n`));
      const kept = ours !== null && text.includes(`          ${ours}: `);
      expect([
        uses,
        name,
        kept || remarks.some((one) => one.lost && one.message.includes(name.slice(0, 9))),
      ]).toEqual([uses, name, true]);
    }
});

const called = `on:
  workflow_call:
jobs:
  review:
    runs-on: ubuntu-24.04
    permissions:
      contents: read
      id-token: write
      issues: write
      pull-requests: write
    steps:
      - uses: google-github-actions/run-gemini-cli@v0
        env:
          GITHUB_TOKEN: \${{ steps.token.outputs.token || github.token }}
        with:
          gemini_api_key: \${{ secrets.GEMINI_API_KEY }}
          prompt: /gemini-review
`;

test('a job that others call keeps its permissions, and the token that it posts with', async () => {
  const { text, remarks } = await translate(called);
  const { parse } = await import('yaml');
  const { permissions, steps } = parse(text).jobs.review;
  expect({
    permissions,
    steps,
    said: remarks.filter(({ lost }) => !lost).map(({ message }) => message),
  }).toEqual({
    permissions: { contents: 'read', issues: 'write', 'pull-requests': 'write' },
    steps: [
      {
        uses: 'acme/anode-ci@v1',
        with: {
          gemini_api_key: '${{ secrets.GEMINI_API_KEY }}',
          github_token: '${{ steps.token.outputs.token || github.token }}',
        },
      },
    ],
    said: [
      'The permissions are contents: read, issues: write, pull-requests: write; they were contents: read, id-token: write, issues: write, pull-requests: write.',
      'timeout-minutes: 30 was added.',
      'GITHUB_TOKEN of env became github_token.',
    ],
  });
});

test.for([
  ['on: push\njobs: { a: { steps: [{ uses: x/y@v1 }] } }\n', /uses none of anthropics\/claude-code-action, /],
  ['a: 1\n', /is no workflow/],
] as const)('%s is refused', async ([text, reason]) => {
  const failed = await translate(text).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(ConfigError);
  expect((failed as ConfigError).message).toMatch(reason);
});
