import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { visible } from '../support/find-report.ts';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import type { Permissions } from '../support/github/world.ts';
import { call } from '../uses/support/conversation.ts';
import { type Job, startJob } from '../uses/support/start-job.ts';

const permissions: Permissions = {
  ...{ contents: 'write', issues: 'write', pull_requests: 'write' },
  actions: 'read',
};
const state_secret = 'a secret of more than thirty-two characters';
const waiting = { timeout: 120_000, interval: 50 };

let job: Job;
let shop: RepositoryHandle;
let runId = 500;
/** Holds the end of the runs that found something. The number is that of the run, from 1. */
let mayEnd: (run: number) => boolean = () => true;
let begun = 0;
beforeAll(async () => {
  job = await startJob();
  shop = await job.github.createRepository('acme/shop', {
    files: {
      'names.txt': 'one\ntwo\nthree\nfour\n',
      '.github/anode.yml': 'sandbox: preferred\nreview: { ownCommits: off }\n',
    },
  });
  shop.setPermission('ada', 'write');
  const finding = {
    ...{ path: 'names.txt', line: 2, severity: 'high', category: 'bug' },
    ...{ title: 'A wrong name', body: 'It is no English word.' },
  };
  job.learn('Review the', async (turn, request) => {
    if (!JSON.stringify(request).includes('zwei')) return { text: 'Fine.' };
    if (turn === 1) return { calls: [call('report_findings', { findings: [finding] })] };
    begun += 1;
    const run = begun;
    await vi.waitUntil(() => mayEnd(run), waiting);
    return { text: 'One.' };
  });
});
afterAll(() => job.close());

async function start(payload: object, inputs: Readonly<Record<string, string>>) {
  runId += 1;
  shop.runWorkflow(runId, 'in_progress');
  const at = { event: 'pull_request', payload, actor: 'ada', permissions, workflowRun: { runId } };
  const { ended } = await job.start(shop, { ...at, inputs });
  return ended;
}

/** Opens a pull request that was reviewed, and has two jobs review the same push to it. */
async function reviewTwice(branch: string, inputs: Readonly<Record<string, string>>) {
  const before = { 'names.txt': 'one\ntwo\nthree\nfive\n' };
  await shop.commit(branch, { files: before, message: branch, author: 'ada' });
  const { number } = await shop.openPullRequest({ title: branch, head: branch, author: 'ada' });
  mayEnd = () => true;
  await start(job.github.lastEventPayload('pull_request', 'opened'), inputs);
  const after = { 'names.txt': 'one\nzwei\nthree\nfive\n' };
  await shop.commit(branch, { files: after, message: 'Push', author: 'ada' });
  const payload = job.github.lastEventPayload('pull_request', 'synchronize');
  return { number, jobs: () => Promise.all([start(payload, inputs), start(payload, inputs)]) };
}

test.for([
  ['with-state', 'one after the other', { state_secret }],
  ['without-state', 'in the same moment', {}],
] as const)('two reviews of one push post a finding once: %s, ended %s', async ([branch, when, inputs]) => {
  const { number, jobs } = await reviewTwice(branch, inputs);
  const isPosted = () => shop.reviewComments(number).length > 0;
  begun = 0;
  mayEnd = (run) => begun === 2 && (when === 'in the same moment' || run === 1 || isPosted());
  const steps = await jobs();
  const comments = shop.comments(number).map(({ body }) => visible(body));
  const [first, second = ''] = shop.reviews(number).map(({ body }) => visible(body));
  expect({
    steps: steps.map(({ code, stderr, outputs }) => [code, stderr, outputs.conclusion]),
    lines: shop.reviewComments(number).map(({ path, line }) => [path, line]),
    comments: comments.length,
    listed: comments[0]?.split('A wrong name').length,
    first,
    // The later of two simultaneous reviews refers to the other.
    isClear: ['', `${first} 1 comment is in a review that was posted at the same time.`].includes(second),
  }).toEqual({
    steps: [
      [0, '', 'success'],
      [0, '', 'success'],
    ],
    ...{ lines: [['names.txt', 2]], comments: 1, listed: 2, first: '**1 finding**: 1 high.', isClear: true },
  });
});
