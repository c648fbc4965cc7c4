import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import type { Permissions } from '../support/github/world.ts';
import { call } from '../uses/support/conversation.ts';
import { type Job, startJob } from '../uses/support/start-job.ts';

const permissions: Permissions = {
  ...{ contents: 'write', issues: 'write', pull_requests: 'write' },
  actions: 'read',
};
const state_secret = 'a secret of more than thirty characters';
const lines = (two: string, five: string) => `one\n${two}\nthree\nfour\n${five}\n`;

let job: Job;
let shop: RepositoryHandle;
let runId = 300;
beforeAll(async () => {
  job = await startJob();
  const config = 'sandbox: preferred\nreview: { auto: false }\nreport: { controls: true }\n';
  shop = await job.github.createRepository('acme/shop', {
    files: { 'names.txt': 'one\n', '.github/anode.yml': config },
  });
  shop.setPermission('ada', 'write');
  shop.setPermission('rex', 'read');
  const edit = (old_str: string, new_str: string) =>
    call('edit_file', { path: 'names.txt', old_str, new_str });
  job.learn('use English names', (turn) =>
    turn === 1 ? { calls: [edit('zwei', 'two'), edit('fünf', 'five')] } : { text: 'Two names.' },
  );
  job.learn('look twice', (turn) =>
    turn === 1 ? { calls: [call('read_file', { path: 'names.txt' })] } : { text: 'Looked.' },
  );
});
afterAll(() => job.close());

async function openPull(branch: string): Promise<number> {
  const files = { 'names.txt': lines('zwei', 'fünf') };
  await shop.commit(branch, { files, message: 'Count', author: 'ada' });
  return (await shop.openPullRequest({ title: branch, head: branch, author: 'ada' })).number;
}

const isWrite = ({ kind, method, path, body }: Job['github']['requests'][number]): boolean => {
  if (kind === 'graphql') return JSON.stringify(body ?? '').includes('mutation');
  if (kind === 'git') return path.includes('git-receive-pack');
  return method !== 'GET' && method !== 'HEAD';
};

/** Runs the step of the newest comment or tick; `writes` are all that GitHub saw of it. */
async function step(inputs: Readonly<Record<string, string>>, actor = 'ada') {
  runId += 1;
  const from = job.github.requests.length;
  const event = { event: 'issue_comment', actor, permissions, workflowRun: { runId } };
  const { code, stderr, outputs, summary } = await job.run(shop, {
    ...event,
    inputs: { state_secret, ...inputs },
  });
  const writes = job.github.requests.slice(from).filter(isWrite);
  return {
    ...{ code, stderr, conclusion: outputs.conclusion, writes: writes.map((one) => one.path) },
    titles: summary.match(/^#{3,4} .*$/gm) ?? [],
  };
}

const controls = (number: number) =>
  shop.comments(number).find(({ body }) => body.startsWith('<!-- anode:controls '));

function tick(number: number, author: string): void {
  const { id = 0, body = '' } = controls(number) ?? {};
  shop.editComment(id, { author, body: body.replace('- [ ]', '- [x]') });
}

test('a staged tick shows the commit of the suggestions, and a later one makes it', async () => {
  const number = await openPull('applied');
  shop.comment(number, { author: 'ada', body: '/anode improve use English names' });
  await step({});
  const head = await shop.head('applied');
  tick(number, 'ada');
  const ticked = controls(number)?.body;
  const staged = await step({ staged: 'true' });
  expect([staged, await shop.head('applied'), controls(number)?.body]).toEqual([
    {
      ...{ code: 0, stderr: '', conclusion: 'skipped', writes: [] },
      titles: expect.arrayContaining(['#### Commit on `applied`']),
    },
    ...[head, ticked],
  ]);
  // The same tick again.
  await step({});
  expect(await shop.git('show', 'applied:names.txt')).toBe(lines('two', 'five').trimEnd());
});

test('a staged tick of a person without rights shows the empty box, and leaves the tick', async () => {
  const number = await openPull('refused');
  shop.comment(number, { author: 'ada', body: '/anode improve use English names' });
  await step({});
  tick(number, 'rex');
  const ticked = controls(number)?.body;
  const staged = await step({ staged: 'true' }, 'rex');
  expect([staged.code, staged.conclusion, staged.writes, controls(number)?.body]).toEqual([
    ...[0, 'skipped', [], ticked],
  ]);
});

test('a staged tick that repeats a request runs it, and shows its report', async () => {
  const number = await openPull('again');
  shop.comment(number, { author: 'ada', body: '@anode look twice' });
  const first = await step({ max_turns: '1' });
  const posted = shop.comments(number).map(({ body }) => body);
  tick(number, 'ada');
  const staged = await step({ staged: 'true' });
  expect([
    [first.conclusion, staged.conclusion, staged.writes],
    staged.titles.some((title) => title.startsWith(`#### Comment on #${number}`)),
    shop.comments(number).map(({ body }) => body.replace('- [x]', '- [ ]')),
  ]).toEqual([['limit', 'success', []], true, posted]);
});
