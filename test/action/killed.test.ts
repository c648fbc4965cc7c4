import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { visible } from '../support/find-report.ts';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { postProgram } from '../support/program-files.ts';
import { call } from '../uses/support/conversation.ts';
import { type Job, type StepResult, startJob } from '../uses/support/start-job.ts';

let job: Job;
let shop: RepositoryHandle;
beforeAll(async () => {
  job = await startJob();
  shop = await job.github.createRepository('acme/shop', {
    files: { 'a.txt': 'a\n', '.github/anode.yml': 'sandbox: preferred\nreport: { checkRun: true }\n' },
  });
  shop.setPermission('ada', 'write');
});
afterAll(() => job.close());

/** Starts the job of a comment of ada's. */
function start(number: number, words: string) {
  shop.comment(number, { author: 'ada', body: `@anode ${words}` });
  return job.start(shop, { event: 'issue_comment', actor: 'ada', inputs: {} });
}

/** Plays the end of the job of a step. */
const end = (after: StepResult) =>
  job.run(shop, { program: postProgram, event: 'issue_comment', actor: 'ada', inputs: {}, after });

const told = (number: number) => shop.comments(number).map(({ body }) => visible(body).split('\n')[0]);

/** The reactions to the request on a thread. */
const eyes = (number: number) => shop.reactions({ id: shop.comments(number)[0]?.id ?? 0 });

/** Teaches the model a task that it begins and never ends. Resolves once it is at it. */
function learnEndless(words: string): Promise<void> {
  const reached = Promise.withResolvers<void>();
  job.learn(words, (turn) => {
    if (turn === 1) return { calls: [call('create_file', { path: 'half.txt', content: 'half\n' })] };
    reached.resolve();
    return { fault: 'stall' };
  });
  return reached.promise;
}

test.for([
  ['was cancelled', { cancelled: 'true' }, '**Cancelled.** The workflow’s run was cancelled.'],
  ['was killed', {}, '**Failed.** The process of the run was ended in the middle of it.'],
] as const)('The end of a job that %s ends the comment with what the run had done.', async ([
  what,
  left,
  words,
]) => {
  const begun = learnEndless(`work until it ${what}`);
  const { number } = await shop.openIssue({ title: what, author: 'ada' });
  const { child, ended } = await start(number, `work until it ${what}`);
  await begun;
  child.kill('SIGKILL');
  const after = await ended;
  const before = told(number);
  const post = await end({ ...after, state: { ...after.state, ...left } });
  const comment = shop.comments(number).at(-1)?.body ?? '';
  expect([post.code, post.stderr, before.at(-1), told(number).at(-1), eyes(number)]).toEqual([
    ...[0, '', '**Working on it.**'],
    `${words} The changes are in the patch below.`,
    [],
  ]);
  expect(comment).toContain('+half');
});

test('a cancelled step tells the end of its job so, which writes nothing if the step told the thread', async () => {
  const begun = learnEndless('work until it ends well');
  const { number } = await shop.openIssue({ title: 'Ended', author: 'ada' });
  const { child, ended } = await start(number, 'work until it ends well');
  await begun;
  child.kill('SIGINT');
  const after = await ended;
  const before = told(number);
  const from = job.github.requests.length;
  const post = await end(after);
  expect([post.code, after.state, before.at(-1), job.github.requests.slice(from)]).toEqual([
    0,
    { open_run: 'true', cancelled: 'true' },
    expect.stringMatching(/^\*\*Cancelled\.\*\* The workflow’s run was cancelled\./),
    [],
  ]);
});

test('the end of a killed job closes the check of its run', async () => {
  const begun = learnEndless('work below a check');
  await shop.commit('checked', { files: { 'b.txt': 'b\n' }, message: 'B', author: 'ada' });
  const { number } = await shop.openPullRequest({ title: 'Checked', head: 'checked', author: 'ada' });
  shop.comment(number, { author: 'ada', body: '/anode fix work below a check' });
  const write = { contents: 'write', issues: 'write', pull_requests: 'write', checks: 'write' } as const;
  // The stand-in lets only an App make a check run.
  const app = job.github.addApp({ slug: 'our-app', permissions: write });
  const repositories = [shop.fullName];
  const github_token = job.github.createToken({ actor: app.login, permissions: write, repositories });
  const event = { event: 'issue_comment', actor: 'ada', inputs: { github_token } };
  const { child, ended } = await job.start(shop, event);
  await begun;
  child.kill('SIGKILL');
  const after = await ended;
  const checks = () => shop.checkRuns().map(({ name, status, conclusion }) => [name, status, conclusion]);
  const before = checks();
  const post = await job.run(shop, { ...event, program: postProgram, after });
  expect([post.code, post.stderr, before, checks(), told(number).at(-1)]).toEqual([
    ...[0, '', [['anode fix', 'in_progress', null]], [['anode fix', 'completed', 'neutral']]],
    expect.stringMatching(/^\*\*Failed\.\*\* The process of the run was ended/),
  ]);
});

test('the end of a killed review that waits for its comment leaves nothing open', async () => {
  const fork = await shop.fork('rex');
  await fork.commit('side', { files: { 'b.txt': 'one\n' }, message: 'Side', author: 'rex' });
  const fields = { title: 'Side', head: 'side', author: 'rex', headRepository: fork };
  const { number } = await shop.openPullRequest(fields);
  const begun = learnEndless('Review the changes');
  const build = { branch: 'side', headRepository: fork, job: 'test', log: 'fine\n' };
  await shop.endBuild({ ...build, conclusion: 'success' }, 'rex');
  const event = { event: 'workflow_run', actor: 'rex', inputs: {} };
  const { child, ended } = await job.start(shop, event);
  await begun;
  child.kill('SIGKILL');
  const post = await job.run(shop, { ...event, program: postProgram, after: await ended });
  expect([post.code, post.stderr, told(number)]).toEqual([
    ...[0, ''],
    [expect.stringMatching(/^\*\*Failed\.\*\* The process of the run was ended/)],
  ]);
});

test('the end of a killed job that publishes closes the comment it had claimed the thread with', async () => {
  const { number } = await shop.openIssue({ title: 'Published', author: 'ada' });
  shop.runWorkflow(61, 'in_progress');
  const holder = '<!-- anode:progress v1 run=run_other turn=61.1 -->\n**Working on it.**\n';
  shop.comment(number, { author: 'github-actions[bot]', body: holder });
  shop.comment(number, { author: 'ada', body: '@anode work in two jobs' });
  const permissions = {
    contents: 'write',
    issues: 'write',
    pull_requests: 'write',
    actions: 'read',
  } as const;
  const event = { event: 'issue_comment', actor: 'ada', permissions, workflowRun: { runId: 62 } };
  const inputs = { job: 'publish', anthropic_api_key: '' };
  const { child, ended } = await job.start(shop, { ...event, inputs });
  const waits = () => shop.comments(number).some(({ body }) => body.includes('It waits for'));
  await vi.waitUntil(waits, { timeout: 120_000, interval: 100 });
  child.kill('SIGKILL');
  const after = await ended;
  const post = await job.run(shop, { ...event, inputs, program: postProgram, after });
  expect([post.code, post.stderr, told(number).slice(2)]).toEqual([
    ...[0, ''],
    [expect.stringMatching(/^\*\*Failed\.\*\* The process of the run was ended/)],
  ]);
});
