import type { ChildProcess } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { visible } from '../support/find-report.ts';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { call, lastResults } from '../uses/support/conversation.ts';
import { actionKey, type Job, startJob } from '../uses/support/start-job.ts';

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

test('a cancelled job closes the comment of its run, also at a repeated signal', async () => {
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

test('the next job on a thread closes the comment of a killed job', async () => {
  const reached = Promise.withResolvers<void>();
  job.learn('work until you are killed', () => {
    reached.resolve();
    return { fault: 'stall' };
  });
  job.learn('say something', () => ({ text: 'Something.' }));
  const { number } = await shop.openIssue({ title: 'Killed', author: 'ada' });
  const rights = { actions: 'read', contents: 'read', issues: 'write', pull_requests: 'write' } as const;
  const start = (words: string, id: string) => {
    shop.comment(number, { author: 'ada', body: `@anode ${words}` });
    const github_token = job.github.createToken({ actor: 'github-actions[bot]', permissions: rights });
    const environment = { GITHUB_RUN_ID: id };
    return job.start(shop, { event: 'issue_comment', actor: 'ada', inputs: { github_token }, environment });
  };
  shop.runWorkflow(1, 'in_progress');
  const { child, ended } = await start('work until you are killed', '1');
  await reached.promise;
  child.kill('SIGKILL');
  await ended;
  const told = () => shop.comments(number).map(({ body }) => visible(body).split('\n')[0]);
  const killed = told();
  shop.runWorkflow(1, 'completed');
  await (await start('say something', '2')).ended;
  expect([killed, told()]).toEqual([
    ['@anode work until you are killed', '**Working on it.**'],
    [
      '@anode work until you are killed',
      '**Failed.** The job that worked on this ended in the middle of it, and could not say so.',
      '@anode say something',
      '**Answered, nothing changed.**',
    ],
  ]);
});

test('a run that takes too long closes its comment, and names the limit', async () => {
  const end = await asked('work for too long', { timeout_minutes: '0.01' }, () => undefined);
  expect(end).toEqual({
    code: 0,
    conclusion: 'limit',
    told: [expect.stringMatching(/^\*\*Stopped at a limit\.\*\* .*second/)],
  });
});

test('a reported error contains no keys', async () => {
  await shop.commit('main', { files: { 'b.txt': 'b\n' }, message: 'Push', author: 'ada' });
  const step = await job.run(shop, {
    ...{ event: 'push', actor: 'ada' },
    inputs: { prompt: 'never asked of the model', max_turns: actionKey },
  });
  expect([step.code, step.stdout.replaceAll(/^::add-mask::.*\n/gm, ''), step.stderr]).toEqual([
    1,
    '::error::The input max_turns takes a number above 0, not "[redacted]".\n',
    '',
  ]);
  expect(step.summary).not.toContain(actionKey);
});

test('without the secret nothing is stored for later runs, as anybody could forge it', async () => {
  const said: string[] = [];
  job.learn('note it', (turn, request) => {
    if (turn > 1) said.push(lastResults(request));
    const write = call('workspace_write_file', { path: 'persist/notes.md', content: 'red' });
    return turn === 1 ? { calls: [write] } : { text: 'Done.' };
  });
  await shop.commit('main', { files: { 'c.txt': 'c\n' }, message: 'Push', author: 'ada' });
  const state_dir = await job.stateFolder();
  const step = (secret: Readonly<Record<string, string>>) =>
    job.run(shop, {
      ...{ event: 'push', actor: 'ada' },
      inputs: { prompt: 'note it', state_dir, ...secret },
    });
  const codes = [await step({}), await step({ state_secret: 'a secret of the state of a workflow' })].map(
    ({ code }) => code,
  );
  expect([codes, said]).toEqual([
    [0, 0],
    [
      expect.stringContaining('nothing is stored for later runs'),
      expect.not.stringContaining('nothing is stored for later runs'),
    ],
  ]);
});
