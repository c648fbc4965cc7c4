import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { call } from '../uses/support/conversation.ts';
import { type Job, type StepOptions, startJob } from '../uses/support/start-job.ts';

let job: Job;
let shop: RepositoryHandle;
beforeAll(async () => {
  job = await startJob();
  shop = await job.github.createRepository('acme/shop', { files: { 'a.txt': 'red\n' } });
  shop.setPermission('ada', 'write');
  await shop.commit('side', { files: { 'b.txt': 'b\n' }, message: 'Add b', author: 'ada' });
  job.learn('PAINT', (turn) =>
    turn === 1
      ? { calls: [call('edit_file', { path: 'a.txt', old_str: 'red', new_str: 'blue' })] }
      : { text: 'It is blue.' },
  );
});
afterAll(() => job.close());

/** Asks on a new pull request or issue, with these permissions of the job. */
async function ask(on: 'pull' | 'issue', permissions: NonNullable<StepOptions['permissions']>) {
  const fields = { title: 'Paint', author: 'ada', body: 'By hand.' };
  const { number } =
    on === 'pull' ? await shop.openPullRequest({ ...fields, head: 'side' }) : await shop.openIssue(fields);
  const body = on === 'pull' ? '/anode fix PAINT' : '/anode implement PAINT';
  shop.comment(number, { author: 'ada', body });
  const { code, stdout, stderr, summary } = await job.run(shop, {
    ...{ event: 'issue_comment', actor: 'ada', inputs: {}, permissions },
  });
  const comments = shop.comments(number).filter(({ author }) => author === 'github-actions[bot]');
  const told = [stdout, stderr, summary, ...comments.map((one) => one.body)];
  return {
    code,
    errors: stdout.split('\n').filter((line) => line.startsWith('::error')),
    lines: comments.flatMap((one) => one.body.split('\n').filter((line) => /permission/.test(line))),
    traces: told.filter((text) => /^\s+at .*\(.*:\d+:\d+\)$/m.test(text)),
  };
}

const lacks = (permission: string, line: string) =>
  `The job’s token lacks the permission \`${permission}\`. Add the line \`${line}\` under \`permissions:\` in the workflow.`;

test('a job that may only read reports the permission that a commit needs', async () => {
  expect(await ask('pull', { contents: 'read', issues: 'write', pull_requests: 'write' })).toEqual({
    ...{ code: 0, errors: [], traces: [] },
    lines: [`- Not committed, as GitHub refused it: ${lacks('contents: write', 'contents: write')}`],
  });
});

test('a job that may not comment fails with the missing permission, and no stack trace', async () => {
  expect(await ask('issue', { contents: 'write', pull_requests: 'write' })).toEqual({
    ...{ code: 1, lines: [], traces: [] },
    errors: [`::error::${lacks('issues: write', 'issues: write')}`],
  });
});

test('a review whose job may not read the pull request fails with the missing permission', async () => {
  await shop.commit('other', { files: { 'c.txt': 'c\n' }, message: 'Add c', author: 'ada' });
  await shop.openPullRequest({ title: 'Other', author: 'ada', head: 'other' });
  const { code, stdout, stderr, outputs } = await job.run(shop, {
    ...{ event: 'pull_request', actor: 'ada', inputs: {}, permissions: { contents: 'read' } },
  });
  const told = lacks('pull_requests: write', 'pull-requests: write');
  expect([
    code,
    stderr,
    outputs.conclusion,
    outputs.final_message,
    stdout.includes(`::error::${told}`),
  ]).toEqual([...[1, '', 'failure', told, true]]);
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
  expect(await ask('issue', {})).toEqual({
    ...{ code: 1, lines: [], traces: [] },
    errors: [`::error::${lacks('issues: write', 'issues: write')}`],
  });
});
