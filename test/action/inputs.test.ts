import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readInputs } from '../../action/inputs.ts';

let printed: string;
beforeEach(() => {
  printed = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += text;
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** The inputs of a workflow, as a runner hands them on. */
function read(inputs: Readonly<Record<string, string>>) {
  for (const [name, value] of Object.entries({ github_token: 'token-of-the-job', ...inputs }))
    vi.stubEnv(`INPUT_${name.toUpperCase()}`, value);
  return readInputs();
}

test('each secret input is masked in the log before anything else happens', () => {
  const secrets = {
    anthropic_api_key: 'key-of-anthropic',
    openai_api_key: 'key-of-openai',
    state_secret: 'secret-of-the-state',
  };
  expect(() => read({ ...secrets, max_turns: 'many' })).toThrow(
    'The input max_turns takes a number above 0, not "many".',
  );
  expect(printed.trim().split('\n')).toEqual(
    ['token-of-the-job', ...Object.values(secrets)].map((value) => `::add-mask::${value}`),
  );
});

test('inputs become settings that override files, in the configuration’s units', () => {
  const given = {
    prompt: 'Paint it.',
    sandbox: 'off',
    model: 'a/b',
    preset: 'strict',
    profile: 'review',
    checks_only: 'TRUE',
    max_turns: '7',
    max_cost_usd: '0.5',
    timeout_minutes: '2.5',
    state_dir: 'state',
    sarif_file: 'out.sarif',
    openai_base_url: 'http://127.0.0.1/v1',
  };
  expect(read(given)).toEqual({
    prompt: 'Paint it.',
    githubToken: 'token-of-the-job',
    stateFolder: 'state',
    stateSecret: null,
    sarifFile: 'out.sarif',
    sandboxSetup: null,
    overrides: {
      model: 'a/b',
      profile: 'review',
      review: { checksOnly: true },
      permissions: { preset: 'strict' },
      sandbox: 'off',
      limits: { maxTurns: 7, maxCostUsd: 0.5, timeoutSeconds: 150 },
    },
    modelEnvironment: { OPENAI_BASE_URL: 'http://127.0.0.1/v1' },
  });
});

test('inputs that are not set override nothing', () => {
  expect(read({})).toEqual({
    ...{ prompt: null, githubToken: 'token-of-the-job' },
    ...{
      stateFolder: null,
      stateSecret: null,
      sarifFile: null,
      sandboxSetup: null,
      overrides: {},
      modelEnvironment: {},
    },
  });
});

test.each([
  [
    { preset: 'carefull' },
    'The input preset: there is no preset "carefull": it is strict, careful or unrestricted (or yolo); the nearest is careful.',
  ],
  [{ sandbox: 'on' }, 'The input sandbox takes required, preferred or off.'],
  [{ checks_only: 'yes' }, 'The input checks_only takes true or false, not "yes".'],
  [{ timeout_minutes: '0' }, 'The input timeout_minutes takes a number above 0, not "0".'],
  [{ github_token: '' }, 'The input github_token is empty.'],
])('a wrong input is rejected by name: %j', (inputs, message) => {
  expect(() => read(inputs)).toThrow(message);
});
