import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { visible } from '../support/find-report.ts';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import type { Permissions } from '../support/github/world.ts';
import { call } from '../uses/support/conversation.ts';
import { type Job, type StepOptions, startJob } from '../uses/support/start-job.ts';

const files = {
  'colour.txt': 'red\n',
  '.github/anode.yml': 'sandbox: preferred\nreport: { checkRun: true }\n',
};
const inputs = { staged: 'true' };
const all: Permissions = {
  ...{ contents: 'write', issues: 'write', pull_requests: 'write', checks: 'write' },
  actions: 'read',
};

let job: Job;
let shop: RepositoryHandle;
beforeAll(async () => {
  job = await startJob();
  shop = await job.github.createRepository('acme/shop', { files });
  shop.setPermission('ada', 'write');
  const painted = [call('edit_file', { path: 'colour.txt', old_str: 'red', new_str: 'blue' })];
  for (const words of ['paint it', 'Implement what this issue asks'])
    job.learn(words, (turn) => (turn === 1 ? { calls: painted } : { text: 'It is blue.' }));
  job.learn('choose the colour', () => ({
    calls: [call('ask_user', { question: 'Which colour?', options: ['Blue', 'Green'] })],
  }));
  job.learn('Review the changes', (turn) => {
    if (turn > 1) return { text: 'Reviewed.' };
    const finding = { path: 'b.txt', line: 1, severity: 'high', category: 'correctness' };
    const found = { ...finding, title: 'It is wrong', body: 'It says one.' };
    return { calls: [call('report_findings', { findings: [found] })] };
  });
});
afterAll(() => job.close());

async function openPull(branch: string): Promise<number> {
  await shop.commit(branch, { files: { 'b.txt': 'one\n' }, message: branch, author: 'ada' });
  return (await shop.openPullRequest({ title: branch, head: branch, author: 'ada' })).number;
}

const isWrite = ({ kind, method, path, body }: Job['github']['requests'][number]): boolean => {
  if (kind === 'graphql') return JSON.stringify(body ?? '').includes('mutation');
  if (kind === 'git') return path.includes('git-receive-pack');
  return method !== 'GET' && method !== 'HEAD';
};

/** Runs a staged step; `writes` are all that any service of GitHub saw of it. */
async function staged(options: Omit<StepOptions, 'inputs' | 'actor'> & Partial<StepOptions>) {
  const from = job.github.requests.length;
  const step = await job.run(shop, { actor: 'ada', permissions: all, inputs, ...options });
  const writes = job.github.requests.slice(from).filter(isWrite);
  return { ...step, writes: writes.map(({ method, path }) => `${method} ${path}`) };
}

/** A summary without what differs from run to run. */
const plain = (text: string) =>
  visible(text)
    .replaceAll(/\b[0-9a-f]{40}\b/g, 'SHA')
    .replaceAll(/\b[0-9a-f]{7}\b/g, 'SHORT')
    .replaceAll(/run_\w+/g, 'RUN');

test('a staged task shows its comment and its commit as a patch, and needs a token that only reads', async () => {
  const number = await openPull('painted');
  shop.comment(number, { author: 'ada', body: '@anode paint it' });
  const permissions: Permissions = { contents: 'read', issues: 'read', pull_requests: 'read' };
  const { code, stdout, stderr, outputs, summary, writes } = await staged({
    ...{ event: 'issue_comment', permissions },
  });
  const { conclusion, branch_name, comment_id, final_message } = outputs;
  expect({ code, stderr, writes, conclusion, branch_name, comment_id, final_message }).toEqual({
    ...{ code: 0, stderr: '', writes: [], conclusion: 'success', branch_name: '', comment_id: '' },
    final_message: 'It is blue.',
  });
  expect(shop.comments(number).map(({ body }) => body)).toEqual(['@anode paint it']);
  expect(await shop.git('show', 'painted:colour.txt')).toBe('red');
  const shown = plain(summary);
  expect(shown.match(/^#{2,4} .*$/gm)).toEqual([
    '## Staged',
    '#### 👀 on the comment',
    `#### Comment on #${number}`,
    '#### Commit on `painted`',
  ]);
  expect(shown).toContain('-red\n+blue\n');
  expect(shown.match(/\*\*Done\.\*\*.*/g)).toEqual([
    '**Done.** Committed a new commit to `painted`: 1 file changed.',
  ]);
  expect(stdout).toContain(': Done. Committed a new commit to painted: 1 file changed.\n');
  expect(stdout + summary).not.toContain('0000000');
});

test('a staged review shows its line comments and its check, and posts neither', async () => {
  const number = await openPull('reviewed');
  const { code, outputs, summary, writes } = await staged({ event: 'pull_request', branch: 'reviewed' });
  expect([code, writes, outputs.conclusion, outputs.findings_count]).toEqual([0, [], 'success', '1']);
  expect([shop.reviewComments(number), shop.comments(number)]).toEqual([[], []]);
  const shown = plain(summary);
  expect(shown.match(/^#### .*$/gm)).toEqual([
    `#### Comment on #${number}`,
    expect.stringMatching(/^#### Check `.+`: neutral$/),
    `#### Review of #${number}: comment, 1 line comment`,
  ]);
  expect(shown).toContain('**`b.txt:1`**\n\n');
});

test('a staged implementation shows branch, commit and pull request', async () => {
  const { number } = await shop.openIssue({ title: 'Paint the shop', body: 'In blue.', author: 'ada' });
  const branches = await shop.git('branch', '--list');
  const { code, outputs, summary, writes } = await staged({
    event: 'issues',
    inputs: { ...inputs, mode: 'issue' },
  });
  expect([code, writes, outputs.conclusion, outputs.pr_number]).toEqual([0, [], 'success', '']);
  expect(await shop.git('branch', '--list')).toBe(branches);
  const titles = plain(summary).match(/^#### .*$/gm) ?? [];
  expect(titles).toEqual([
    `#### Comment on #${number}`,
    expect.stringMatching(/^#### Branch: `anode\/issue-/),
    expect.stringMatching(/^#### Commit on `anode\/issue-/),
    expect.stringMatching(/^#### Pull request: `/),
  ]);
  expect(summary).toContain(`Closes #${number}`);
});

test('a staged run that asks leaves no session: neither in an artifact nor in state_dir', async () => {
  const number = await openPull('asked');
  const state_secret = 'a secret of more than thirty characters';
  const state_dir = await job.stateFolder();
  for (const given of [{ state_secret }, { state_secret, state_dir }]) {
    shop.comment(number, { author: 'ada', body: '@anode choose the colour' });
    const workflowRun = { runId: 300 };
    const { outputs, summary, writes } = await staged({
      ...{ event: 'issue_comment', workflowRun },
      inputs: { ...inputs, ...given },
    });
    expect([writes, outputs.conclusion, outputs.needs_input]).toEqual([[], 'waiting', 'true']);
    expect(summary).toContain('Which colour?');
  }
  expect([shop.artifacts(), await readdir(state_dir)]).toEqual([[], []]);
});

test('a staged command without a run shows the reply', async () => {
  const number = await openPull('helped');
  shop.comment(number, { author: 'ada', body: '/anode help' });
  const { code, summary, writes } = await staged({ event: 'issue_comment' });
  expect([code, writes, shop.comments(number).length]).toEqual([0, [], 1]);
  expect(summary).toContain(`#### Comment on #${number}`);
});

test('staged belongs to the job that publishes, and to a step without a prompt', async () => {
  await openPull('refused');
  const run = (given: Readonly<Record<string, string>>) =>
    job.run(shop, { event: 'pull_request', actor: 'ada', inputs: { ...inputs, ...given } });
  const [agent, task] = [await run({ job: 'agent' }), await run({ prompt: 'paint it' })];
  expect([agent.outputs.final_message, task.outputs.final_message]).toEqual([
    'The input staged has no meaning with job: agent, which writes nothing to GitHub. Set it for the job that publishes.',
    'The input staged has no meaning with prompt, whose result stays in the job. Remove it.',
  ]);
});
