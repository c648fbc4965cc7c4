import { expect, test } from 'vitest';
import {
  type EnvironmentPolicy,
  isOwnVariable,
  passedVariables,
} from '../../../src/permissions/policy/environment-policy.ts';

const policy: EnvironmentPolicy = {
  pass: { 'hook:lint': ['A', 'B', 'MISSING', 'OWN', 'HOLDS', 'GITHUB_TOKEN', 'A'], 'hook:none': [] },
  environment: { A: 'a', B: '', OWN: 'x', HOLDS: 'key=s3cr3t-v4lue-of-ours!', C: 'c' },
  ownNames: ['OWN'],
  ownValues: ['s3cr3t-v4lue-of-ours'],
  repositoryMay: ['B', 'OWN', 'HOLDS'],
};

const own = 'it holds a credential of Anode CI';
const within = 'a credential of Anode CI stands in it';
const unsaid = 'its operator has not said in ANODE_ENV_PASS that a program of the repository may have it';

test('a program of the operator gets the variables passed to it, but none of our credentials', () => {
  expect(passedVariables({ name: 'hook:lint', by: 'operator' }, policy)).toEqual({
    variables: { A: 'a', B: '' },
    excluded: [
      { name: 'OWN', why: own },
      { name: 'HOLDS', why: within },
      { name: 'GITHUB_TOKEN', why: own },
    ],
  });
});

test('a program of the repository gets the part of them that the operator permits', () => {
  expect(passedVariables({ name: 'hook:lint', by: 'repository' }, policy)).toEqual({
    variables: { B: '' },
    excluded: [
      { name: 'A', why: unsaid },
      { name: 'MISSING', why: unsaid },
      { name: 'OWN', why: own },
      { name: 'HOLDS', why: within },
      { name: 'GITHUB_TOKEN', why: own },
    ],
  });
});

test.each(['hook:none', 'hook:other', 'toString', 'constructor'])('a program %s gets nothing', (name) => {
  expect(passedVariables({ name, by: 'operator' }, policy)).toEqual({ variables: {}, excluded: [] });
});

test('a credential of ours is recognised by the name of its variable', () => {
  const all = [
    ...['ANODE_KEY', 'INPUT_X-Y', 'ACTIONS_RUNTIME_TOKEN', 'GITHUB_TOKEN', 'GH_TOKEN', 'PRIVATE_KEY'],
    ...[
      'GITHUB_ENTERPRISE_TOKEN',
      'GH_ENTERPRISE_TOKEN',
      'PRIVATE_KEY_PATH',
      'WEBHOOK_SECRET',
      'gh_token',
      'MINE',
    ],
  ];
  expect(all.filter((name) => !isOwnVariable(name, ['MINE']))).toEqual([]);
  const others = [
    ...[
      'MY_ANODE_KEY',
      'ANODE_',
      'INPUT_',
      'ACTIONS_',
      'XGH_TOKEN',
      'GH_TOKENS',
      'GITHUB_SHA',
      'mine',
      'INPUTS',
    ],
    ...['PRIVATE_KEY_PATHS', 'MY_PRIVATE_KEY', 'WEBHOOK_SECRETS', 'TOKEN'],
  ];
  expect(others.filter((name) => isOwnVariable(name, ['MINE']))).toEqual([]);
});
