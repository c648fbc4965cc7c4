import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readInputs } from '../../action/inputs.ts';
import { actionInputs } from '../../src/contract/action-inputs.ts';

let printed: string;
beforeEach(() => {
  printed = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += text;
    return true;
  });
});
afterEach(() => vi.restoreAllMocks());

/** The inputs of a workflow, as a runner hands them on. */
function read(inputs: Readonly<Record<string, string>>) {
  const given = Object.entries({ github_token: 'token-of-the-job', ...inputs });
  return readInputs(Object.fromEntries(given.map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value])));
}

test('each secret input is masked in the log before anything else happens', () => {
  const secrets = {
    anthropic_api_key: 'key-of-anthropic',
    openai_api_key: 'key-of-openai',
    gemini_api_key: 'key-of-gemini',
    openrouter_api_key: 'key-of-openrouter',
    state_secret: 'secret-of-the-state-that-is-long-enough',
  };
  expect(() => read({ ...secrets, max_turns: 'many' })).toThrow(
    'The input max_turns takes a number above 0, not "many".',
  );
  expect(printed.trim().split('\n')).toEqual(
    ['token-of-the-job', ...Object.values(secrets)].map((value) => `::add-mask::${value}`),
  );
});

const nothing = {
  ...{ mode: 'auto', prompt: null, promptFile: null, githubToken: 'token-of-the-job', config: null },
  ...{ outputSchema: null, share: null, showFullOutput: false, staged: false },
  ...{ createsPull: false, stateFolder: null, stateSecret: null },
  ...{ sarifFile: null, sandboxSetup: null, overrides: {}, modelEnvironment: {}, notices: [] },
};

test('without inputs but the token nothing is overridden', () => {
  expect(read({})).toEqual(nothing);
  // A runner gives an empty value where a workflow's expression has none.
  const empty = Object.fromEntries(Object.keys(actionInputs).map((name) => [name, '']));
  expect(read({ ...empty, github_token: 'token-of-the-job' })).toEqual(nothing);
});

test('inputs of a task become settings in the units of the configuration', () => {
  const given = {
    prompt: ' Paint it. ',
    mode: 'review',
    sandbox: 'off',
    model: 'openai/b',
    preset: 'strict',
    profile: 'review',
    max_turns: '7',
    budget_usd: '0.5',
    timeout_minutes: '2.5',
    network_allow: 'docs.example.com, *.example.org',
    allowed_bots: 'renovate[bot]\ndependabot[bot]',
    working_directory: './packages/shop/',
    setup: 'npm ci',
    fail_on: 'high',
    show_full_output: 'true',
    state_dir: 'state',
    sarif_file: 'out.sarif',
    base_url: 'http://127.0.0.1/v1',
    gemini_api_key: 'key-of-gemini',
  };
  expect(read(given)).toEqual({
    ...nothing,
    ...{ mode: 'review', prompt: 'Paint it.', showFullOutput: true },
    ...{ stateFolder: 'state', sarifFile: 'out.sarif' },
    overrides: {
      ...{ model: 'openai/b', profile: 'review', sandbox: 'off', setup: 'npm ci' },
      providers: { openai: { baseUrl: 'http://127.0.0.1/v1' } },
      review: { failOn: 'high' },
      permissions: { preset: 'strict' },
      triggers: { allowBots: ['renovate[bot]', 'dependabot[bot]'] },
      limits: { maxTurns: 7, maxCostUsd: 0.5, timeoutSeconds: 150 },
      tools: { web: { allow: ['docs.example.com', '*.example.org'] } },
      workspace: { directory: 'packages/shop' },
    },
    modelEnvironment: { GEMINI_API_KEY: 'key-of-gemini' },
  });
});

test('inputs of events become settings of triggers, branches and the report', () => {
  const given = {
    trigger_phrase: '@helper',
    label_trigger: 'bot',
    assignee_trigger: '@helper-1, helper-2',
    base_branch: 'develop',
    branch_prefix: 'bot/',
    branch_name_template: '{{prefix}}{{slug}}',
    use_sticky_comment: 'false',
    checks_only: 'TRUE',
  };
  expect(read(given)).toEqual({
    ...nothing,
    overrides: {
      triggers: { mention: 'helper', label: 'bot', accounts: ['helper-1', 'helper-2'] },
      branch: { base: 'develop', prefix: 'bot/', template: '{{prefix}}{{slug}}' },
      report: { notify: 'comment' },
      review: { checksOnly: true },
    },
  });
});

test('the old name of an input still counts, with a notice', () => {
  expect(read({ max_cost_usd: '2' })).toEqual({
    ...nothing,
    overrides: { limits: { maxCostUsd: 2 } },
    notices: ['The input max_cost_usd is deprecated: use budget_usd.'],
  });
});

test.each([
  [
    { preset: 'carefull' },
    'The input preset: there is no preset "carefull": it is strict, careful or unrestricted; the nearest is careful.',
  ],
  [
    { mode: 'reveiw' },
    'The input mode takes auto, review, task or issue, not "reveiw". Did you mean review?',
  ],
  [{ sandbox: 'on' }, 'The input sandbox takes required, preferred or off, not "on".'],
  [
    { prompt: 'Fix it', checks_only: 'true' },
    'The inputs prompt and checks_only contradict each other: checks without a model take no task. Remove one of them.',
  ],
  [{ checks_only: 'yes' }, 'The input checks_only takes true or false, not "yes".'],
  [{ timeout_minutes: '0' }, 'The input timeout_minutes takes a number above 0, not "0".'],
  [
    { fail_on: 'hihg' },
    'The input fail_on takes info, low, medium, high or critical, not "hihg". Did you mean high?',
  ],
  [{ github_token: '' }, 'The input github_token is empty.'],
  [{ 'max-turns': '3' }, 'There is no input max-turns. Did you mean max_turns?'],
  [{ promt: 'x' }, 'There is no input promt. Did you mean prompt?'],
  [{ temperature: '' }, 'There is no input temperature. The inputs are listed in docs/action.md.'],
  [{ allowed_bots: 'a[bot], *' }, 'The input allowed_bots takes exact names, not "*": name each account.'],
  [
    { assignee_trigger: 'helper-1, the bot' },
    'The input assignee_trigger takes names of accounts such as octocat, not "the bot".',
  ],
  [
    { network_allow: 'https://example.com' },
    'The input network_allow takes hosts such as docs.example.com, not "https://example.com".',
  ],
  [
    { base_url: 'localhost:1' },
    'The input base_url takes a URL such as http://127.0.0.1:11434/v1, not "localhost:1".',
  ],
  [
    { base_url: 'http://localhost:1' },
    'The input base_url needs the input model, as openai/NAME for a server with OpenAI’s API.',
  ],
  [
    { working_directory: '../x' },
    'The input working_directory takes a folder below the checkout, not "../x".',
  ],
  [
    { state_secret: 'short' },
    'The input state_secret needs at least 32 characters, since a shorter one can be guessed: make one by `openssl rand -hex 32`.',
  ],
  [
    { branch_name_template: '{{label}}' },
    'The input branch_name_template: {{label}} is no placeholder; there are prefix, entityType, entityNumber, timestamp, date, slug, sha, requester, run.',
  ],
  [
    { prompt: 'x', prompt_file: 'y' },
    'The inputs prompt and prompt_file contradict each other: both give the task. Remove one of them.',
  ],
  [
    { budget_usd: '1', max_cost_usd: '2' },
    'The inputs budget_usd and max_cost_usd contradict each other: max_cost_usd is the old name of budget_usd. Remove one of them.',
  ],
  [{ mode: 'task' }, 'The input mode: task needs a prompt: set prompt or prompt_file.'],
  [
    { mode: 'issue', prompt: 'x' },
    'The inputs mode: issue and prompt contradict each other: the issue is the task. Remove one of them.',
  ],
  [
    { mode: 'review', profile: 'craft' },
    'The inputs mode: review and profile: craft contradict each other. Remove one of them.',
  ],
  [
    { output_schema: '{}' },
    'The input output_schema has a meaning only with prompt or prompt_file. Remove it.',
  ],
  [
    { create_pull_request: 'true' },
    'The input create_pull_request has a meaning only with prompt or prompt_file. Remove it.',
  ],
  [
    { prompt: 'x', create_pull_request: 'true', output_schema: '{}' },
    'The input output_schema has no meaning with create_pull_request. Remove it.',
  ],
  [
    { prompt: 'x', base_branch: 'develop' },
    'The input base_branch has no meaning with prompt, whose result stays in the job. Remove it.',
  ],
  [
    { prompt: 'x', mode: 'review', create_pull_request: 'true' },
    'The inputs mode: review and create_pull_request contradict each other: a review changes nothing. Remove one of them.',
  ],
  [
    { prompt: 'x', fail_on: 'high' },
    'The input fail_on needs mode: review beside a prompt, since only reviews have findings.',
  ],
])('a wrong input is rejected by name: %j', (inputs, message) => {
  expect(() => read(inputs)).toThrow(message);
});
