import { expect, test } from 'vitest';
import type { Config } from '../../../src/config/schema.ts';
import { passedVariables } from '../../../src/permissions/policy/environment-policy.ts';
import { passPolicyOf } from '../../../src/run/policy/pass-policy.ts';
import { samplePlan } from '../../reporting/samples.ts';

const environment = {
  ANTHROPIC_API_KEY: 'sk-ant-canaryOfTheModel',
  OWN_MODEL_KEY: 'canary-of-another-model',
  ANODE_STATE_SECRET: 'canary-of-our-state',
  ACTIONS_RUNTIME_TOKEN: 'canary-of-the-runner',
  INPUT_GITHUB_TOKEN: 'canary-of-an-input',
  GITHUB_TOKEN: 'ghs_canaryOfGithub000',
  DATABASE_URL: 'postgres://anode:canary@db/anode',
  COPY: `token ${Buffer.from('ghs_canaryOfGithub000').toString('base64')}`,
  MADE: 'see canary-made-for-this-run',
  LINT_TOKEN: 'a-linter-is-asked-with-this',
  ANODE_ENV_PASS: 'LINT_TOKEN, GITHUB_TOKEN',
};

const config: Config = {
  providers: { own: { type: 'openai', apiKey: '{env:OWN_MODEL_KEY}' } },
  env: { pass: { 'hook:lint': [...Object.keys(environment), 'NOT_SET'] } },
};

/**
 * The part of `environment` that a hook named `lint` gets, and the withheld names with the reason.
 */
function given(by: 'operator' | 'repository', kind: 'app' | 'action') {
  const plan = { ...samplePlan(), source: { kind, delivery_id: null } };
  const policy = passPolicyOf({ config, plan, environment, secrets: ['canary-made-for-this-run'] });
  const { variables, excluded: withheld } = passedVariables({ name: 'hook:lint', by }, policy);
  return { variables, withheld: Object.fromEntries(withheld.map(({ name, why }) => [name, why])) };
}

const own = 'it holds a credential of Anode CI';
const inside = 'a credential of Anode CI stands in it';
const unsaid = 'its operator has not said in ANODE_ENV_PASS that a program of the repository may have it';
const { LINT_TOKEN, DATABASE_URL } = environment;
const always = {
  ANTHROPIC_API_KEY: own,
  OWN_MODEL_KEY: own,
  ANODE_STATE_SECRET: own,
  ACTIONS_RUNTIME_TOKEN: own,
  INPUT_GITHUB_TOKEN: own,
  GITHUB_TOKEN: own,
  ANODE_ENV_PASS: own,
};

test('a hook of the operator gets its configured variables, and none of our credentials under any name', () => {
  expect(given('operator', 'app')).toEqual({
    variables: { LINT_TOKEN },
    withheld: { ...always, DATABASE_URL: own, COPY: inside, MADE: inside },
  });
});

test('outside the App a database address is not our credential', () => {
  expect(given('operator', 'action').variables).toEqual({ LINT_TOKEN, DATABASE_URL });
});

test("a hook of the repository also gets the operator's named variables, and none in the App", () => {
  const others = { COPY: unsaid, MADE: unsaid, DATABASE_URL: unsaid, NOT_SET: unsaid };
  expect(given('repository', 'action')).toEqual({
    variables: { LINT_TOKEN },
    withheld: { ...always, ...others },
  });
  expect(given('repository', 'app')).toEqual({
    variables: {},
    withheld: { ...always, ...others, DATABASE_URL: own, LINT_TOKEN: unsaid },
  });
});
