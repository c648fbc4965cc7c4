import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { call, taskOf } from './support/conversation.ts';
import { type Stage, startStage } from './support/start-app.ts';

vi.setConfig({ testTimeout: 90_000 });

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

test('a command with a comma has words, the model is told the lint rules of commits, and a bug is no feature', async () => {
  const shop = await stage.github.createRepository('acme/linted', {
    files: {
      'colour.txt': 'red\n',
      'commitlint.config.js': "module.exports = { extends: ['@commitlint/config-conventional'] };\n",
      '.github/anode.yml': 'sandbox: preferred\npullRequest: { reviewByRequester: true }\n',
    },
  });
  shop.setPermission('ada', 'write');
  stage.learn('LINTED', (turn) =>
    turn === 1
      ? { calls: [call('edit_file', { path: 'colour.txt', old_str: 'red', new_str: 'blue' })] }
      : { text: 'feat: Add the right colour\n\nIt was red.' },
  );
  const { number } = await shop.openIssue({ title: '[BUG] The colour is wrong', author: 'ada' });
  const { id } = shop.comment(number, { author: 'ada', body: '/anode implement, only a warning LINTED' });
  await stage.report(shop, number, id);
  const [pull] = shop.pulls();
  const [request] = stage.requestsFor('LINTED');
  expect(request === undefined ? '' : taskOf(request)).toContain('only a warning LINTED');
  expect([
    /The commit headline[^\n]*/.exec(request === undefined ? '' : taskOf(request))?.[0],
    pull?.title,
    pull?.reviewers,
  ]).toEqual([
    'The commit headline follows Conventional Commits: type(scope): text. Types: fix, feat, docs, test, refactor, perf, build, ci, chore, style, revert. Without a scope. At most 72 characters, the text in lower case first. The type says what the change does: what mends a bug is a fix.',
    'fix: add the right colour',
    ['ada'],
  ]);
});
