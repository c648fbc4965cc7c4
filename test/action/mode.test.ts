import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { call, lastResults } from '../uses/support/conversation.ts';
import { type Job, openShop, startJob } from '../uses/support/start-job.ts';

let job: Job;
let shop: RepositoryHandle;
beforeAll(async () => {
  job = await startJob();
  shop = await openShop(job);
  shop.setPermission('rex', 'read');
  job.learn('Review the changes', (turn) => {
    if (turn > 1) return { text: 'Reviewed.' };
    const finding = { path: 'b.txt', line: 1, severity: 'high', category: 'correctness' };
    const found = { ...finding, title: 'It is wrong', body: 'It says one.' };
    return { calls: [call('report_findings', { findings: [found] })] };
  });
});
afterAll(() => job.close());

async function openPull(branch: string, author = 'ada'): Promise<number> {
  await shop.commit(branch, { files: { 'b.txt': 'one\n' }, message: branch, author });
  return (await shop.openPullRequest({ title: branch, head: branch, author })).number;
}

const errors = (stdout: string) => stdout.split('\n').filter((line) => line.startsWith('::error::'));

test('mode: review reviews the pull request of a comment that asks for nothing', async () => {
  const number = await openPull('talked-about');
  shop.comment(number, { author: 'ada', body: 'What a day.' });
  const step = await job.run(shop, { event: 'issue_comment', actor: 'ada', inputs: { mode: 'review' } });
  expect({
    ...{ code: step.code, conclusion: step.outputs.conclusion, found: step.outputs.findings_count },
    comments: shop.reviewComments(number).map(({ path, line }) => `${path}:${line}`),
  }).toEqual({ code: 0, conclusion: 'success', found: '1', comments: ['b.txt:1'] });
});

test('mode: review on a comment needs write permission of its author', async () => {
  const number = await openPull('by-a-reader');
  shop.comment(number, { author: 'rex', body: 'What a day.' });
  const step = await job.run(shop, { event: 'issue_comment', actor: 'rex', inputs: { mode: 'review' } });
  expect({ code: step.code, outputs: step.outputs, reviewed: shop.reviewComments(number).length }).toEqual({
    code: 0,
    outputs: {
      conclusion: 'refused',
      needs_input: 'false',
      final_message:
        'No run was started: rex has read permission on this repository; starting a run needs write.',
    },
    reviewed: 0,
  });
});

test('mode: review of a pull request reviews it after any change of it', async () => {
  const number = await openPull('labelled');
  shop.addLabel(number, 'anode:implement', { actor: 'ada' });
  const step = await job.run(shop, {
    ...{ event: 'pull_request', actor: 'ada', branch: 'labelled' },
    inputs: { mode: 'review' },
  });
  expect([step.code, step.outputs.findings_count, shop.reviewComments(number).length]).toEqual([0, '1', 1]);
});

test('mode: review with a prompt reads the checkout and cannot write to it', async () => {
  let refused = '';
  job.learn('review the checkout', (turn, request) => {
    if (turn === 2) refused = lastResults(request);
    return turn === 1
      ? { calls: [call('bash', { command: 'echo blue > colour.txt' })] }
      : { text: 'It is red.' };
  });
  const step = await job.run(shop, {
    ...{ event: 'push', actor: 'ada' },
    inputs: { mode: 'review', prompt: 'review the checkout' },
  });
  expect([step.code, step.status, step.outputs.final_message, step.outputs.findings_count]).toEqual([
    0,
    '',
    'It is red.',
    '0',
  ]);
  expect(refused).toBe('This run only reads, so it has no bash. Say in your answer what should be done.');
});

test('mode: issue implements the issue of the event', async () => {
  job.learn('Implement what this issue asks', (turn) =>
    turn === 1
      ? { calls: [call('edit_file', { path: 'colour.txt', old_str: 'red', new_str: 'blue' })] }
      : { text: 'It is blue.' },
  );
  const issue = await shop.openIssue({ title: 'Paint the shop', body: 'In blue.', author: 'ada' });
  const step = await job.run(shop, { event: 'issues', actor: 'ada', inputs: { mode: 'issue' } });
  expect([step.code, step.outputs.conclusion, step.outputs.branch_name, issue.number > 0]).toEqual([
    0,
    'success',
    expect.stringContaining(`issue-${issue.number}`),
    true,
  ]);
});

test.each([
  ['review', 'issues', 'a pull request'],
  ['issue', 'push', 'an issue'],
])('mode: %s is an error for an event without its thread', async (mode, event, thread) => {
  if (event === 'issues') await shop.openIssue({ title: 'A plain issue', body: 'x', author: 'ada' });
  else await shop.commit('main', { files: { 'c.txt': 'x\n' }, message: 'Push', author: 'ada' });
  const step = await job.run(shop, { event, actor: 'ada', inputs: { mode } });
  expect([step.code, errors(step.stdout)]).toEqual([
    1,
    [
      `::error::The input mode: ${mode} needs an event with ${thread}, and ${event} has none. Start the workflow by another event, or set the input prompt.`,
    ],
  ]);
});
