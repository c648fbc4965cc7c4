import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { unpackText } from '../../src/github/artifact-archive.ts';
import { visible } from '../support/find-report.ts';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import type { Permissions } from '../support/github/world.ts';
import { call } from '../uses/support/conversation.ts';
import { type Job, type StartedStep, startJob } from '../uses/support/start-job.ts';

const permissions: Permissions = {
  ...{ contents: 'write', issues: 'write', pull_requests: 'write' },
  actions: 'read',
};

let job: Job;
let shop: RepositoryHandle;
let runId = 700;
beforeAll(async () => {
  job = await startJob();
  shop = await job.github.createRepository('acme/shop', {
    files: { 'a.txt': 'a\n', '.github/anode.yml': 'sandbox: preferred\nreview: { ownCommits: off }\n' },
  });
  shop.setPermission('ada', 'write');
  job.learn('Review the changes', () => ({ text: 'Reviewed.' }));
});
afterAll(() => job.close());

async function openPull(branch: string): Promise<number> {
  await shop.commit(branch, { files: { [`${branch}.md`]: 'x\n' }, message: branch, author: 'ada' });
  return (await shop.openPullRequest({ title: branch, head: branch, author: 'ada' })).number;
}

/** Starts the job of the newest event, as a workflow run of its own that GitHub knows. */
function start(event: string, inputs: Readonly<Record<string, string>> = {}): Promise<StartedStep> {
  // Jobs at work make events of their own.
  const payload = job.github.lastEventPayload(event, event === 'issue_comment' ? 'created' : 'synchronize');
  runId += 1;
  shop.runWorkflow(runId, 'in_progress');
  return job.start(shop, { event, payload, actor: 'ada', permissions, workflowRun: { runId }, inputs });
}

function ask(number: number, words: string, inputs: Readonly<Record<string, string>> = {}) {
  shop.comment(number, { author: 'ada', body: `@anode ${words}` });
  return start('issue_comment', inputs);
}

const told = (number: number) =>
  shop
    .comments(number)
    .filter(({ author }) => author !== 'ada')
    .map(({ body }) => visible(body).split(' ')[0] ?? '');

const isWaiting = (number: number) =>
  shop.comments(number).some(({ body }) => body.includes('It waits for [another run]'));

const waiting = { timeout: 120_000, interval: 100 };

/** Teaches the model to write a file, and to end when `until` holds. */
function learnFile(words: string, file: string, until: () => boolean = () => true): Promise<void> {
  const reached = Promise.withResolvers<void>();
  job.learn(words, async (turn) => {
    if (turn === 1) return { calls: [call('create_file', { path: file, content: `${file}\n` })] };
    reached.resolve();
    await vi.waitUntil(until, waiting);
    return { text: 'Written.' };
  });
  return reached.promise;
}

const log = (branch: string) => shop.git('log', '--format=%an', `main..${branch}`);

test('of two jobs that start at once on one thread one waits, and works on the commit of the other', async () => {
  const number = await openPull('at-once');
  const oneWaits = () => isWaiting(number);
  let begun = 0;
  for (const name of ['one', 'two'])
    job.learn(`write ${name} at once`, async (turn) => {
      if (turn === 1) return { calls: [call('create_file', { path: `${name}.txt`, content: 'x\n' })] };
      begun += 1;
      if (begun === 1) await vi.waitUntil(oneWaits, waiting);
      return { text: 'Written.' };
    });
  const jobs = [await ask(number, 'write one at once'), await ask(number, 'write two at once')];
  const steps = await Promise.all(jobs.map(({ ended }) => ended));
  const bodies = shop.comments(number).map(({ body }) => body);
  expect({
    steps: steps.map(({ code, stderr, outputs }) => [code, stderr, outputs.conclusion]),
    log: await log('at-once'),
    files: await shop.git('diff', '--name-only', 'main...at-once', '--', '*.txt'),
    told: told(number),
    rebased: bodies.filter((body) => body.includes('Put on top of')).length,
    claims: bodies.filter((body) => body.includes(' turn=')).length,
    waited: steps.filter(({ stdout }) => stdout.includes('This one waits until it has ended.')).length,
  }).toEqual({
    steps: [
      [0, '', 'success'],
      [0, '', 'success'],
    ],
    log: 'github-actions[bot]\ngithub-actions[bot]\nada',
    files: 'one.txt\ntwo.txt',
    told: ['**Done.**', '**Done.**'],
    ...{ rebased: 0, claims: 0, waited: 1 },
  });
});

test('a job that waited has the state that the other left', async () => {
  const number = await openPull('with-state');
  const inputs = { state_secret: 'a secret of more than thirty characters' };
  const begun = learnFile('write with state', 'one.txt', () => isWaiting(number));
  const first = await ask(number, 'write with state', inputs);
  await begun;
  learnFile('write after that', 'two.txt');
  const second = await ask(number, 'write after that', inputs);
  const steps = [await first.ended, await second.ended];
  const archives = shop
    .artifactBytes(`anode-thread-${number}`)
    .map((bytes) => unpackText(bytes, 'state.json', 1e6) ?? '');
  const runs = steps.map(({ outputs }) => outputs.run_id ?? '');
  expect([
    steps.map(({ outputs }) => outputs.conclusion),
    archives.map((text) => runs.map((run) => text.includes(run))),
  ]).toEqual([
    ['success', 'success'],
    [
      [true, false],
      [true, true],
    ],
  ]);
});

test('a job whose workflow run is over is passed over, and its comment is closed', async () => {
  const number = await openPull('dead');
  const begun = learnFile('write and never end', 'one.txt', () => false);
  const { child, ended } = await ask(number, 'write and never end');
  const dead = runId;
  await begun;
  learnFile('write in its place', 'two.txt');
  const second = await ask(number, 'write in its place');
  await vi.waitUntil(() => isWaiting(number), waiting);
  child.kill('SIGKILL');
  await ended;
  shop.runWorkflow(dead, 'completed');
  const { code, outputs } = await second.ended;
  expect([code, outputs.conclusion, told(number), await log('dead')]).toEqual([
    ...[0, 'success', ['**Failed.**', '**Done.**']],
    'github-actions[bot]\nada',
  ]);
});

test('a job that is cancelled while it waits says so, and leaves the other alone', async () => {
  const number = await openPull('cancelled');
  let isCancelled = false;
  const begun = learnFile('write to the end', 'one.txt', () => isCancelled);
  const first = await ask(number, 'write to the end');
  await begun;
  const { child, ended } = await ask(number, 'write what is cancelled');
  await vi.waitUntil(() => isWaiting(number), waiting);
  child.kill('SIGINT');
  const { code, outputs } = await ended;
  isCancelled = true;
  await first.ended;
  const eyes = shop.comments(number).flatMap(({ id }) => shop.reactions({ id }));
  expect([code, outputs.conclusion, told(number), await log('cancelled'), eyes]).toEqual([
    ...[0, 'skipped', ['**Done.**', '**Cancelled.**'], 'github-actions[bot]\nada', []],
  ]);
});

test('the review of an older push, which waited for a task, ends in favour of the newer push', async () => {
  const number = await openPull('pushed');
  let isPushed = false;
  const begun = learnFile('write during pushes', 'one.txt', () => isPushed);
  const task = await ask(number, 'write during pushes');
  await begun;
  await shop.commit('pushed', { files: { 'older.txt': 'x\n' }, message: 'Older', author: 'ada' });
  const review = await start('pull_request');
  let said = '';
  review.child.stdout?.on('data', (text: Buffer) => {
    said += text.toString();
  });
  await vi.waitUntil(() => said.includes('This one waits until it has ended.'), waiting);
  await shop.commit('pushed', { files: { 'newer.txt': 'x\n' }, message: 'Newer', author: 'ada' });
  isPushed = true;
  await task.ended;
  const { code, outputs, stdout } = await review.ended;
  expect([code, outputs.conclusion, told(number)]).toEqual([0, 'skipped', ['**Done.**']]);
  expect(stdout).toContain('was pushed since, and has an event of its own');
});

test('a comment of our own starts nothing', async () => {
  const number = await openPull('own');
  shop.comment(number, { author: 'github-actions[bot]', body: '@anode write nothing at all' });
  const from = job.github.requests.length;
  const { code, outputs } = await (await start('issue_comment')).ended;
  const writes = job.github.requests
    .slice(from)
    .filter(({ kind, method }) => kind === 'rest' && method !== 'GET');
  expect([code, outputs.conclusion, writes]).toEqual([0, 'skipped', []]);
});
