import { expect, test } from 'vitest';
import { applyCommitRules, readCommitRules } from '../../../src/reporting/changes/commit-rules.ts';
import { describeCommitStyle, plainStyle } from '../../../src/reporting/changes/commit-style.ts';

const read = (file: string, text: string) => readCommitRules(new Map([[file, text]]));
const usual = ['fix', 'feat', 'docs', 'test', 'refactor', 'perf', 'build', 'ci', 'chore', 'style', 'revert'];
const rules = { conventional: true, gitmoji: false, types: ['feat', 'mend'], areas: ['cli'], length: 60 };

test('reads rules from data, from a manifest and from a program without running it', () => {
  const program = `// 'type-enum': [2, 'always', ['not-this']]
    module.exports = { rules: { 'type-enum': [2, 'always', ['feat', 'mend']], 'scope-enum': [1, 'always', ['cli']],
      "header-max-length": [2, "always", 60] } }; process.exit(1);`;
  const data = { rules: { 'type-enum': [2, 'always', ['feat', 'mend']] } };
  const more = { 'scope-enum': [1, 'always', ['cli']], 'header-max-length': [2, 'always', 60] };
  const whole = { rules: { ...data.rules, ...more } };
  expect([
    read('commitlint.config.js', program),
    read('.commitlintrc.json', JSON.stringify(whole)),
    read('package.json', JSON.stringify({ name: 'a', commitlint: whole })),
    read(
      '.commitlintrc.yml',
      'rules:\n  type-enum:\n    - 2\n    - always\n    - [feat, mend]\n  scope-enum: [1, always, [cli]]\n  header-max-length: [2, always, 60]\n',
    ),
  ]).toEqual([rules, rules, rules, rules]);
});

test('takes the types of common configurations, and nothing from other files', () => {
  const plain = { conventional: true, gitmoji: false, types: usual, areas: [], length: null };
  expect([
    read('commitlint.config.mjs', "export default { extends: ['@commitlint/config-conventional'] };"),
    read('.czrc', '{ "path": "cz-conventional-changelog" }'),
    read('.commitlintrc.json', '{ "extends": ["gitmoji"] }'),
    read('package.json', '{ "name": "conventional", "devDependencies": { "gitmoji-cli": "1" } }'),
    read('.commitlintrc', '{ broken'),
  ]).toEqual([plain, plain, { ...plain, conventional: false, gitmoji: true, types: [] }, null, null]);
});

test('prefers the rules to the history, except for a shorter length', () => {
  expect([
    applyCommitRules({ ...plainStyle, length: 50 }, rules),
    applyCommitRules(plainStyle, null),
  ]).toEqual([
    {
      ...{ ...plainStyle, form: 'conventional', types: ['feat', 'mend'], areas: ['cli'] },
      ...{ capital: false, length: 50 },
    },
    plainStyle,
  ]);
});

test('names types and scopes for the model, but not what is added later', () => {
  expect([
    describeCommitStyle(applyCommitRules(plainStyle, rules)),
    describeCommitStyle({ ...plainStyle, form: 'ticket', emoji: 'character' }),
    describeCommitStyle({ ...plainStyle, form: 'tag', types: ['Tests', 'Fix'], prefixForm: '[%] ' }),
    describeCommitStyle(plainStyle),
  ]).toEqual([
    'The commit headline follows Conventional Commits: type(scope): text. Types: feat, mend. Scopes: cli; none if no one fits. At most 60 characters, the text in lower case first. The type says what the change does: what mends a bug is a fix.',
    "The commit headline follows this repository's history. Leave out the ticket before the text and its emoji: it is added for you.",
    "The commit headline begins with a tag of this repository's history: [tag] text. Tags: Tests, Fix.",
    '',
  ]);
});
