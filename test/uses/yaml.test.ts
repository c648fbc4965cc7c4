import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { call } from './support/conversation.ts';
import { type Part, type Stage, startStage } from './support/start-app.ts';
import { type Job, startJob } from './support/start-job.ts';
import { type Local, startLocal } from './support/start-local.ts';

let stage: Stage;
let job: Job;
let local: Local;
beforeAll(async () => {
  [stage, job, local] = await Promise.all([startStage(), startJob(), startLocal()]);
});
afterAll(() => Promise.all([stage.close(), job.close(), local.close()]));

const config = 'review: { auto: false, checks: { linters: false } }\nsandbox: preferred\n';
const files = { 'values.yaml': 'colour: red\n', '.github/anode.yml': config };
const editsYaml: Part = (turn) => {
  switch (turn) {
    case 1:
      return {
        calls: [
          call('edit_file', { path: 'values.yaml', old_str: 'red', new_str: 'blue' }),
          call('create_file', { path: 'more.yml', content: 'a: 1\na: 2\n' }),
        ],
      };
    case 2:
      return { calls: [call('edit_file', { path: 'more.yml', old_str: 'a: 2', new_str: 'b: 2' })] };
    default:
      return { text: 'Both are written.' };
  }
};
const written = { 'values.yaml': 'colour: blue\n', 'more.yml': 'a: 1\nb: 2\n' };

/** A workflow that runs a fork's code with the rights of the base. */
const workflow = [
  'on: pull_request_target',
  'jobs:',
  '  build:',
  '    runs-on: ubuntu-latest',
  '    steps:',
  `      - run: echo $\{{ github.event.pull_request.title }}`,
  '',
].join('\n');
const reviews: Part = () => ({ text: 'Read it.' });

async function openWorkflowPull(repository: RepositoryHandle): Promise<number> {
  const changed = { '.github/workflows/build.yml': workflow };
  await repository.commit('flow', { files: changed, message: 'Flow', author: 'ada' });
  return (await repository.openPullRequest({ title: 'Flow', head: 'flow', author: 'ada' })).number;
}
const places = (repository: RepositoryHandle, number: number) =>
  repository.reviewComments(number).map(({ path: file, line }) => `${file}:${line}`);
const flagged = ['.github/workflows/build.yml:1', '.github/workflows/build.yml:6'];

test('the command line edits, creates and checks YAML files, and reviews a changed workflow', async () => {
  local.learn('write the values', editsYaml);
  const folder = await local.checkout(files);
  const { code } = await local.anode(folder, [
    'run',
    '--prompt',
    'write the values',
    '--model',
    'anthropic/x',
  ]);
  const read = (name: string) => readFile(path.join(folder, name), 'utf8');
  expect({ code, 'values.yaml': await read('values.yaml'), 'more.yml': await read('more.yml') }).toEqual({
    code: 0,
    ...written,
  });
  const results = JSON.stringify(local.requestsFor('write the values').at(1)?.messages);
  expect(results).toContain('Map keys must be unique');

  const changed = await local.checkout({ 'values.yaml': 'colour: red\n' });
  await mkdir(path.join(changed, '.github', 'workflows'), { recursive: true });
  await writeFile(path.join(changed, '.github', 'workflows', 'build.yml'), workflow);
  const { stdout } = await local.anode(changed, [
    'review',
    '--base',
    'main',
    '--checks-only',
    '--sandbox',
    'off',
  ]);
  expect(stdout.match(/^\S+:\d+/gm)).toEqual(flagged);
});

test('the App edits and creates YAML files, and reviews a changed workflow', async () => {
  const shop = await stage.github.createRepository('acme/shop', { files });
  shop.setPermission('ada', 'write');
  stage.learn('write the values', editsYaml);
  stage.learn('Flow', reviews);
  const number = await openWorkflowPull(shop);
  shop.comment(number, { author: 'ada', body: '@anode write the values' });
  await stage.report(shop, number);
  expect(Object.fromEntries(await filesOf(shop, 'flow', Object.keys(written)))).toEqual(written);
  const { id } = shop.comment(number, { author: 'ada', body: '/anode review' });
  await stage.report(shop, number, id);
  expect(places(shop, number)).toEqual(flagged);
});

test('the Action edits and creates YAML files, and reviews a changed workflow', async () => {
  const shop = await job.github.createRepository('acme/shop', { files });
  shop.setPermission('ada', 'write');
  job.learn('write the values', editsYaml);
  job.learn('Flow', reviews);
  const number = await openWorkflowPull(shop);
  const step = { event: 'issue_comment', actor: 'ada', inputs: {} };
  shop.comment(number, { author: 'ada', body: '@anode write the values' });
  await job.run(shop, step);
  expect(Object.fromEntries(await filesOf(shop, 'flow', Object.keys(written)))).toEqual(written);
  shop.comment(number, { author: 'ada', body: '/anode review' });
  await job.run(shop, step);
  expect(places(shop, number)).toEqual(flagged);
});

function filesOf(repository: RepositoryHandle, branch: string, names: readonly string[]) {
  return Promise.all(
    names.map(async (name) => [name, `${await repository.git('show', `${branch}:${name}`)}\n`] as const),
  );
}
