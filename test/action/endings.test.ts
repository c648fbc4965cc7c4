import type { ChildProcess } from 'node:child_process';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { visible } from '../support/find-report.ts';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { type Job, startJob } from '../uses/support/start-job.ts';

vi.setConfig({ testTimeout: 60_000 });

let job: Job;
let shop: RepositoryHandle;
beforeAll(async () => {
  job = await startJob();
  shop = await job.github.createRepository('acme/shop', { files: { 'a.txt': 'a\n' } });
  shop.setPermission('ada', 'write');
});
afterAll(() => job.close());

/** Somebody asks for something that the model never answers; how the run's comment begins once the job is over. */
async function asked(
  words: string,
  inputs: Record<string, string>,
  meanwhile: (child: ChildProcess) => void,
) {
  const reached = Promise.withResolvers<void>();
  job.learn(words, () => {
    reached.resolve();
    return { fault: 'stall' };
  });
  const { number } = await shop.openIssue({ title: words, author: 'ada' });
  shop.comment(number, { author: 'ada', body: `@anode ${words}` });
  const { child, ended } = await job.start(shop, { event: 'issue_comment', actor: 'ada', inputs });
  await reached.promise;
  meanwhile(child);
  const { code, outputs } = await ended;
  const told = shop.comments(number).map(({ body }) => visible(body).split('\n')[0]);
  return { code, conclusion: outputs.conclusion, told: told.slice(1) };
}

test('A cancelled job closes the comment of its run, also when it is told so twice, as Actions does.', async () => {
  const end = await asked('work until you are cancelled', {}, (child) => {
    child.kill('SIGINT');
    child.kill('SIGTERM');
  });
  expect(end).toEqual({
    code: 0,
    conclusion: 'cancelled',
    told: ['**Cancelled.** The workflow’s run was cancelled.'],
  });
});

test('A run that takes too long closes its comment, and says which limit it came to.', async () => {
  const end = await asked('work for too long', { timeout_minutes: '0.01' }, () => undefined);
  expect(end).toEqual({
    code: 0,
    conclusion: 'limit',
    told: [expect.stringMatching(/^\*\*Stopped at a limit\.\*\* .*second/)],
  });
});
