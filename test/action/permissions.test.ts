import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { type Job, learnPainting, openShop, type StepOptions, startJob } from '../uses/support/start-job.ts';

let job: Job;
let shop: RepositoryHandle;
beforeAll(async () => {
  job = await startJob();
  shop = await openShop(job);
  await shop.commit('side', { files: { 'b.txt': 'b\n' }, message: 'Add b', author: 'ada' });
  learnPainting(job);
});
afterAll(() => job.close());

/** Asks on a new pull request or issue, with these permissions of the job. */
async function ask(on: 'pull' | 'issue' | 'task', permissions: NonNullable<StepOptions['permissions']>) {
  const fields = { title: 'Paint', author: 'ada', body: 'By hand.' };
  const { number } =
    on === 'pull' ? await shop.openPullRequest({ ...fields, head: 'side' }) : await shop.openIssue(fields);
  const body = { pull: '/anode fix paint it', issue: '/anode implement paint it', task: '@anode paint it' }[
    on
  ];
  shop.comment(number, { author: 'ada', body });
  const { code, stdout, stderr, summary } = await job.run(shop, {
    ...{ event: 'issue_comment', actor: 'ada', inputs: {}, permissions },
  });
  const comments = shop.comments(number).filter(({ author }) => author === 'github-actions[bot]');
  const texts = [stdout, stderr, summary, ...comments.map((one) => one.body)];
  return {
    code,
    stdout: stdout.split('\n'),
    warnings: stdout.split('\n').filter((line) => line.startsWith('::warning')),
    json: stdout.split('\n').filter((line) => line.startsWith('{')),
    errors: stdout.split('\n').filter((line) => line.startsWith('::error')),
    lines: comments.flatMap((one) => one.body.split('\n').filter((line) => /permission/.test(line))),
    traces: texts.filter((text) => /^\s+at .*\(.*:\d+:\d+\)$/m.test(text)),
  };
}

const lacks = (permission: string, line: string) =>
  `The job’s token lacks the permission \`${permission}\`. Add the line \`${line}\` under \`permissions:\` in the workflow.`;

const told = ({ stdout: _, ...rest }: Awaited<ReturnType<typeof ask>>) => rest;

test('a job that may only read reports the permission that a commit needs', async () => {
  expect(told(await ask('pull', { contents: 'read', issues: 'write', pull_requests: 'write' }))).toEqual({
    ...{ code: 0, errors: [], traces: [], json: [] },
    warnings: [
      `::warning::Not committed, as GitHub refused it: ${lacks('contents: write', 'contents: write')}`,
    ],
    lines: [
      `**Not committed, as GitHub refused it: ${lacks('contents: write', 'contents: write')}** The changes are in the patch below.`,
    ],
  });
});

test('a job that may not comment fails with the missing permission, and no stack trace', async () => {
  expect(told(await ask('issue', { contents: 'write', pull_requests: 'write' }))).toEqual({
    ...{ code: 1, lines: [], traces: [], json: [], warnings: [] },
    errors: [`::error::${lacks('issues: write', 'issues: write')}`],
  });
});

test('a job that may open no pull request warns of it, and its log says what was committed', async () => {
  const { code, stdout } = await ask('task', { contents: 'write', issues: 'write' });
  const committed = /^Done\. Committed [0-9a-f]{7} to anode\/issue-\d+-[\d-]+: 1 file changed\.$/u;
  const [warning = ''] = stdout.filter((line) => line.startsWith('::warning'));
  expect([code, warning, stdout.filter((line) => committed.test(line)).length]).toEqual([
    0,
    expect.stringContaining('The pull request could not be opened: The job’s token lacks'),
    1,
  ]);
});

test('a job that may only read the issue logs warnings as sentences, and each once', async () => {
  const { code, stdout, ...rest } = await ask('issue', {
    ...{ contents: 'write', issues: 'read', pull_requests: 'write' },
  });
  expect([code, rest.json, rest.traces]).toEqual([0, [], []]);
  expect(stdout.filter((line) => line.startsWith('No reaction was given'))).toHaveLength(1);
  expect(stdout.filter((line) => line.startsWith('The thread takes no comment. The job’s'))).toHaveLength(1);
});

test('a review whose job may not read the pull request fails with the missing permission', async () => {
  await shop.commit('other', { files: { 'c.txt': 'c\n' }, message: 'Add c', author: 'ada' });
  await shop.openPullRequest({ title: 'Other', author: 'ada', head: 'other' });
  const { code, stdout, stderr, outputs } = await job.run(shop, {
    ...{ event: 'pull_request', actor: 'ada', inputs: {}, permissions: { contents: 'read' } },
  });
  const lacking = lacks('pull_requests: write', 'pull-requests: write');
  expect([
    code,
    stderr,
    outputs.conclusion,
    outputs.final_message,
    stdout.includes(`::error::${lacking}`),
  ]).toEqual([...[1, '', 'failure', lacking, true]]);
});

test('a token that GitHub does not accept is named, without a stack trace', async () => {
  const { code, stderr, outputs } = await job.run(shop, {
    ...{ event: 'pull_request', actor: 'ada', inputs: { github_token: 'ghs_expired' } },
  });
  expect([code, stderr, outputs.final_message]).toEqual([
    ...[1, ''],
    'GitHub does not accept the input github_token: it is wrong, expired or revoked. The token of an App lasts an hour, so make it in a step of the same job.',
  ]);
});

test('a job without any permission fails with the first one that it needs', async () => {
  expect(told(await ask('issue', {}))).toEqual({
    ...{ code: 1, lines: [], traces: [], json: [], warnings: [] },
    errors: [`::error::${lacks('issues: write', 'issues: write')}`],
  });
});
