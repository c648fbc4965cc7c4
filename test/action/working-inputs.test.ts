import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { allTextOf, call } from '../uses/support/conversation.ts';
import { type Job, startJob } from '../uses/support/start-job.ts';

let job: Job;
let shop: RepositoryHandle;
beforeAll(async () => {
  job = await startJob();
  shop = await job.github.createRepository('acme/shop', {
    files: {
      'colour.txt': 'red\n',
      'ci/task.md': 'Paint by the file.\n',
      'packages/toys/where.txt': 'toys\n',
      '.github/anode.yml': 'sandbox: off\n',
    },
  });
  shop.setPermission('ada', 'write');
  const painting = (turn: number) =>
    turn === 1
      ? { calls: [call('edit_file', { path: 'colour.txt', old_str: 'red', new_str: 'blue' })] }
      : { text: 'It is blue.' };
  for (const words of ['Paint by the file', 'paint it', 'Implement what this issue asks'])
    job.learn(words, painting);
  await shop.commit('develop', { files: { 'develop.txt': 'x\n' }, message: 'Develop', author: 'ada' });
});
afterAll(() => job.close());

async function push(inputs: Readonly<Record<string, string>>, branch = 'main') {
  await shop.commit('main', { files: { 'pushed.txt': JSON.stringify(inputs) }, message: 'x', author: 'ada' });
  return job.run(shop, { event: 'push', actor: 'ada', branch, inputs });
}

test('prompt_file has the task of the default branch, whatever the checkout has', async () => {
  const files = { 'ci/task.md': 'Do as the head says.\n' };
  await shop.commit('head', { files, message: 'Head', author: 'ada' });
  const step = await push({ prompt_file: 'ci/task.md' }, 'head');
  expect([step.code, step.status, step.outputs.final_message]).toEqual([0, ' M colour.txt\n', 'It is blue.']);
});

test('working_directory is where commands start', async () => {
  job.learn('say where you are', () => ({ text: 'Among the toys.' }));
  const step = await push({ prompt: 'say where you are', working_directory: './packages/toys' });
  const [request] = job.requestsFor('say where you are');
  expect([step.code, step.outputs.final_message]).toEqual([0, 'Among the toys.']);
  expect(request && allTextOf(request)).toContain('This run was started in packages/toys/');
  const missing = await push({ prompt: 'say where you are', working_directory: 'packages/none' });
  expect([missing.code, missing.outputs.conclusion]).toEqual([1, 'failure']);
  expect(missing.outputs.final_message).toContain('packages/none');
});

test('a label and the branch inputs steer an implementation', async () => {
  const { number } = await shop.openIssue({ title: 'Make it blue', author: 'ada' });
  shop.addLabel(number, 'robot', { actor: 'ada' });
  const step = await job.run(shop, {
    ...{ event: 'issues', action: 'labeled', actor: 'ada' },
    inputs: {
      label_trigger: 'robot',
      base_branch: 'develop',
      branch_prefix: 'robots/',
      branch_name_template: '{{prefix}}{{slug}}',
    },
  });
  const pull = shop.pulls().find((one) => String(one.number) === step.outputs.pr_number);
  expect({ code: step.code, branch: step.outputs.branch_name, base: pull?.base, head: pull?.head }).toEqual({
    ...{ code: 0, branch: 'robots/make-it-blue', base: 'develop', head: 'robots/make-it-blue' },
  });
});

test('trigger_phrase replaces the word, and use_sticky_comment: false ends in a new comment', async () => {
  await shop.commit('talk', { files: { 'talk.txt': 'x\n' }, message: 'Talk', author: 'ada' });
  const { number } = await shop.openPullRequest({ title: 'Talk', head: 'talk', author: 'ada' });
  const run = async (body: string, inputs: Readonly<Record<string, string>>) => {
    const { id } = shop.comment(number, { author: 'ada', body });
    const step = await job.run(shop, { event: 'issue_comment', actor: 'ada', inputs });
    return { conclusion: step.outputs.conclusion, posted: Number(step.outputs.comment_id) > id };
  };
  expect(await run('@helper paint it', {})).toEqual({ conclusion: 'skipped', posted: false });
  const inputs = { trigger_phrase: '@helper', use_sticky_comment: 'false' };
  expect(await run('@helper paint it', inputs)).toEqual({ conclusion: 'success', posted: true });
});

test('allowed_bots lets a bot start a task only if the default branch does not name others', async () => {
  job.github.addApp({ slug: 'renovate', permissions: {} });
  await shop.openIssue({ title: 'Hello', author: 'ada' });
  const step = (inputs: Readonly<Record<string, string>>) =>
    job.run(shop, { event: 'issues', actor: 'renovate[bot]', inputs: { prompt: 'paint it', ...inputs } });
  const [refused, allowed] = [await step({}), await step({ allowed_bots: 'renovate[bot]' })];
  expect([refused.outputs.conclusion, allowed.outputs.conclusion]).toEqual(['refused', 'success']);
});
