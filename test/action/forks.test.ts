import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { visible } from '../support/find-report.ts';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { type Job, type StepOptions, startJob } from '../uses/support/start-job.ts';

let job: Job;
let shop: RepositoryHandle;
let fork: RepositoryHandle;
beforeAll(async () => {
  job = await startJob();
  const label = "triggers: { label: { 'ai:describe': describe } }\n";
  shop = await job.github.createRepository('acme/shop', {
    files: { 'a.txt': 'red\n', '.github/anode.yml': label },
  });
  shop.setPermission('ada', 'write');
  fork = await shop.fork('rex');
});
afterAll(() => job.close());

/** A pull request from the fork, with a conflict marker. */
async function pull(branch: string): Promise<number> {
  await fork.commit(branch, { files: { 'b.c': '>>>>>>> x\n' }, message: branch, author: 'rex' });
  const fields = { title: branch, head: branch, author: 'rex', headRepository: fork };
  return (await shop.openPullRequest(fields)).number;
}

/** Environment of a job for a fork: no secrets, and a token that only reads. */
const ofFork: Pick<StepOptions, 'actor' | 'inputs' | 'permissions'> = {
  actor: 'rex',
  inputs: { anthropic_api_key: '' },
  permissions: { contents: 'read', issues: 'read', pull_requests: 'read' },
};

const lines = (stdout: string) =>
  stdout.split('\n').filter((line) => /^::(?:notice|warning|error)/.test(line));
const posts = (from: number) =>
  job.github.requests
    .slice(from)
    .flatMap(({ kind, method, path }) => (kind === 'git' || method === 'GET' ? [] : [path]));

const without =
  '::notice::GitHub gives the job of a fork, or of Dependabot, no secrets and a token that only reads. The pull request is reviewed by the checks without a model, and the result is in the job’s summary.';

test('a job of a fork runs the checks, writes a summary and SARIF, and posts nothing', async () => {
  await pull('marked');
  const from = job.github.requests.length;
  const step = await job.run(shop, { ...ofFork, event: 'pull_request' });
  const log = JSON.parse(await readFile(step.outputs.sarif_file ?? '', 'utf8'));
  expect({
    ...{ code: step.code, stderr: step.stderr, lines: lines(step.stdout), posts: posts(from) },
    conclusion: step.outputs.conclusion,
    summary: visible(step.summary).includes('b.c'),
    results: log.runs[0].results.map(({ ruleId }: { ruleId: string }) => ruleId),
  }).toEqual({
    ...{ code: 0, stderr: '', lines: [without], posts: ['/graphql'] },
    ...{ conclusion: 'success', summary: true, results: ['check/conflicts'] },
  });
});

test('a job of a fork gives the reason why it cannot call a model', async () => {
  const number = await pull('labelled');
  shop.addLabel(number, 'ai:describe', { actor: 'ada' });
  const from = job.github.requests.length;
  const step = await job.run(shop, { ...ofFork, event: 'pull_request', actor: 'ada' });
  expect({ code: step.code, lines: lines(step.stdout), posts: posts(from) }).toEqual({
    code: 0,
    lines: [
      without,
      '::notice::No run was started. GitHub gives this job neither secrets nor a token that can write, so that only reviews without a model run in it.',
    ],
    posts: ['/graphql'],
  });
});
