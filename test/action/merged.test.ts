import { afterAll, beforeAll, expect, test } from 'vitest';
import { visible } from '../support/find-report.ts';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { call } from '../uses/support/conversation.ts';
import { type Job, startJob } from '../uses/support/start-job.ts';

const finding = {
  ...{ path: 'a.txt', line: 1, severity: 'high', category: 'correctness' },
  ...{ title: 'Wrong word', body: 'It says b.' },
};

let job: Job;
let shop: RepositoryHandle;
beforeAll(async () => {
  job = await startJob();
  shop = await job.github.createRepository('acme/shop', {
    files: { 'a.txt': 'a\n', '.github/anode.yml': 'sandbox: preferred\n' },
  });
  shop.setPermission('ada', 'write');
  job.learn('Review the changes', (turn) =>
    turn === 1 ? { calls: [call('report_findings', { findings: [finding] })] } : { text: 'One.' },
  );
});
afterAll(() => job.close());

const inputs = { profile: 'review', state_secret: 'a secret of more than thirty characters' };
const permissions = { contents: 'read', issues: 'write', pull_requests: 'write', actions: 'read' } as const;

const summary = (number: number) =>
  visible(shop.comments(number).find(({ body }) => body.includes('anode:summary'))?.body ?? '').split(
    '\n',
  )[0];

test('a merge is told in the summary from the artifact of the review, without state_dir', async () => {
  await shop.commit('topic', { files: { 'a.txt': 'b\n' }, message: 'Topic', author: 'ada' });
  const { number } = await shop.openPullRequest({ title: 'Topic', head: 'topic', author: 'ada' });
  const on = { event: 'pull_request', actor: 'ada', inputs, permissions };
  await job.run(shop, { ...on, action: 'opened', workflowRun: { runId: 100 } });
  const before = summary(number);
  await shop.merge(number, { actor: 'ada' });
  const step = await job.run(shop, { ...on, action: 'closed', workflowRun: { runId: 101 } });
  expect({
    before,
    after: summary(number),
    code: step.code,
    told: step.stdout.includes('starts a run for'),
    notice: step.stdout.split('\n').find((line) => line.startsWith('::notice::')),
  }).toEqual({
    before: expect.stringMatching(/^\*\*1 open finding\*\*: 1 high\./),
    after: expect.stringMatching(/^\*\*Merged with 1 open finding\*\*: 1 high\./),
    ...{ code: 0, told: false },
    notice:
      '::notice::No run was started: a merged pull request is only told in its summary what of it is still open.',
  });
});
