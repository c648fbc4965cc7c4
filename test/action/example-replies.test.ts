import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WorkflowUseName } from '../../src/workflow-files/workflow-uses.ts';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { call, lastResults } from '../uses/support/conversation.ts';
import { playWorkflow } from '../uses/support/play-workflow.ts';
import { actionKey, type Job, startJob } from '../uses/support/start-job.ts';

let job: Job;
let shop: RepositoryHandle;
let runId = 500;
beforeAll(async () => {
  job = await startJob();
  shop = await job.github.createRepository('acme/shop', { files: { 'colour.txt': 'red\n' } });
  shop.setPermission('ada', 'write');
  job.learn('choose the colour', (turn, request) =>
    turn === 1
      ? { calls: [call('ask_user', { question: 'Which colour?', options: ['Blue', 'Green'] })] }
      : { text: `Heard: ${lastResults(request)}` },
  );
  const finding = { line: 1, severity: 'high', category: 'bug', title: 'Wrong', body: 'It is.' };
  job.learn('Review the changes', (turn) =>
    turn === 1
      ? { calls: [call('report_findings', { findings: [{ ...finding, path: 'bad.txt' }] })] }
      : { text: 'One finding.' },
  );
});
afterAll(() => job.close());

/** Plays an example for what happened last, in a workflow run of its own. */
async function play(
  name: WorkflowUseName,
  event: string,
  actor = 'ada',
): Promise<Readonly<Record<string, string | null>>> {
  const secrets = {
    ANTHROPIC_API_KEY: actionKey,
    ANODE_STATE_SECRET: 'a secret of more than thirty-two characters',
  };
  runId += 1;
  const text = await readFile(`docs/examples/${name}.yml`, 'utf8');
  const played = await playWorkflow(text, { job, shop }, { event, actor, secrets, runId });
  const [first] = Object.values(played ?? {});
  // The last job has the outcome; the first is skipped where nothing starts.
  const { step } = Object.values(played ?? {}).at(-1) ?? {};
  return { result: first?.result ?? null, ...step?.outputs };
}

async function openPull(branch: string): Promise<number> {
  await shop.commit(branch, { files: { 'bad.txt': `${branch}\n` }, message: branch, author: 'ada' });
  return (await shop.openPullRequest({ title: branch, head: branch, author: 'ada' })).number;
}

test.for([
  'comments',
  'keyless',
  'two-jobs',
] as const)('%s.yml takes a plain answer to its question, and no talk of strangers or bots', async (name) => {
  const number = await openPull(`asked-${name}`);
  shop.comment(number, { author: 'ada', body: '@anode choose the colour' });
  const asked = await play(name, 'issue_comment');
  shop.comment(number, { author: 'rex', body: '2' });
  const stranger = await play(name, 'issue_comment', 'rex');
  shop.comment(number, { author: 'helper[bot]', body: 'anode is built.' });
  const machine = await play(name, 'issue_comment', 'helper[bot]');
  shop.comment(number, { author: 'ada', body: '2' });
  const answered = await play(name, 'issue_comment');
  expect({ asked, stranger, machine, answered }).toEqual({
    asked: expect.objectContaining({ result: 'success', conclusion: 'waiting' }),
    stranger: { result: 'skipped' },
    machine: { result: 'skipped' },
    answered: expect.objectContaining({
      conclusion: 'success',
      final_message: expect.stringContaining('Green'),
    }),
  });
});

test('comments.yml takes the tick of a box, and no edit by the bot itself', async () => {
  const number = await openPull('ticked');
  shop.comment(number, { author: 'ada', body: '@anode choose the colour' });
  await play('comments', 'issue_comment');
  const { id = 0, body = '' } =
    shop.comments(number).find((one) => one.body.startsWith('<!-- anode:question')) ?? {};
  shop.editComment(id, { author: 'github-actions[bot]', body: `${body} ` });
  const own = await play('comments', 'issue_comment', 'github-actions[bot]');
  shop.editComment(id, { author: 'github-actions[bot]', body });
  shop.editComment(id, { author: 'ada', body: body.replace('- [ ] 1.', '- [x] 1.') });
  const ticked = await play('comments', 'issue_comment');
  expect([own, ticked]).toEqual([
    { result: 'skipped' },
    expect.objectContaining({ conclusion: 'success', final_message: expect.stringContaining('Blue') }),
  ]);
});

test('a finding that a reply dismissed stays settled at the next review.yml', async () => {
  const number = await openPull('bad');
  const first = await play('review', 'pull_request');
  const [{ id } = { id: 0 }] = shop.reviewComments(number);
  shop.replyToReviewComment(id, { author: 'ada', body: "won't fix" });
  const dismissed = await play('comments', 'pull_request_review_comment');
  await shop.commit('bad', { files: { 'bad.txt': 'bad\nmore\n' }, message: 'More', author: 'ada' });
  const second = await play('review', 'pull_request');
  expect({
    counts: [first.findings_count, second.findings_count],
    dismissed: dismissed.result,
    posted: shop.reviewComments(number).filter(({ path }) => path === 'bad.txt').length,
  }).toEqual({ counts: ['1', '0'], dismissed: 'success', posted: 2 });
});
