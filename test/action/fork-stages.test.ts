import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { call } from '../uses/support/conversation.ts';
import { type Job, startJob } from '../uses/support/start-job.ts';

let job: Job;
let shop: RepositoryHandle;
let fork: RepositoryHandle;
beforeAll(async () => {
  job = await startJob();
  shop = await job.github.createRepository('acme/shop', { files: { 'a.txt': 'red\n' } });
  shop.setPermission('ada', 'write');
  fork = await shop.fork('rex');
  const finding = {
    path: 'b.txt',
    line: 1,
    severity: 'high',
    category: 'bug',
    title: 'Wrong',
    body: 'It is.',
  };
  job.learn('Review the changes', (turn) =>
    turn === 1 ? { calls: [call('report_findings', { findings: [finding] })] } : { text: 'One.' },
  );
});
afterAll(() => job.close());

const stage = async (conclusion: 'success' | 'failure' | 'cancelled', branch = 'side') => {
  await shop.endBuild({ branch, headRepository: fork, conclusion, job: 'test', log: 'fine\n' }, 'rex');
  const step = await job.run(shop, { event: 'workflow_run', actor: 'rex', inputs: {} });
  return { code: step.code, stderr: step.stderr, says: step.outputs.final_message };
};

test('the second stage reviews a fork’s pull request at the head that GitHub reports', async () => {
  await fork.commit('side', { files: { 'b.txt': 'one\n' }, message: 'Side', author: 'rex' });
  const fields = { title: 'Side', head: 'side', author: 'rex', headRepository: fork };
  const { number } = await shop.openPullRequest(fields);
  expect(await stage('failure')).toEqual({ code: 0, stderr: '', says: 'One.' });
  expect(shop.reviewComments(number).map(({ path, author }) => [path, author])).toEqual([
    ['b.txt', 'github-actions[bot]'],
  ]);
  const sha = await fork.head('side');
  shop.close(number, { actor: 'rex' });
  expect([await stage('cancelled'), await stage('success')].map(({ code, says }) => [code, says])).toEqual([
    [0, 'No run was started: the first stage ended with cancelled.'],
    [0, `No run was started: no open pull request has the head ${sha?.slice(0, 12)} of rex:side any more.`],
  ]);
});
