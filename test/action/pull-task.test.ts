import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { visible } from '../support/find-report.ts';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { allTextOf, call } from '../uses/support/conversation.ts';
import { type Job, type StepOptions, startJob } from '../uses/support/start-job.ts';

const words = 'Paint what is red';
const bot = 'github-actions[bot]';
const inputs = { prompt: words, create_pull_request: 'true' };
const environment = {
  GITHUB_WORKFLOW: 'Upkeep',
  GITHUB_WORKFLOW_REF: 'acme/shop/.github/workflows/upkeep.yml@refs/heads/main',
  GITHUB_JOB: 'paint',
};

let job: Job;
let shop: RepositoryHandle;
beforeAll(async () => {
  job = await startJob();
  const files = { 'colour.txt': 'red\n', '.github/anode.yml': 'sandbox: preferred\n' };
  shop = await job.github.createRepository('acme/shop', { files });
  shop.setPermission('ada', 'write');
  job.learn(words, (turn) =>
    turn === 1
      ? { calls: [call('edit_file', { path: 'colour.txt', old_str: 'red', new_str: 'blue' })] }
      : { text: 'Paint the shop blue\n\nRed was out of stock.' },
  );
});
afterEach(() => {
  for (const { number, state } of shop.pulls()) if (state === 'open') shop.close(number, { actor: 'ada' });
});
afterAll(() => job.close());

/** Runs the task as the scheduled job does, whose event names nobody. */
function run(options: Partial<StepOptions> = {}) {
  return job.run(shop, {
    ...{ event: 'schedule', payload: { schedule: '17 3 * * *' }, actor: 'ada', inputs, environment },
    ...options,
  });
}

const branchPattern = /^anode\/upkeep-\d{8}-\d{6}$/;

test('a scheduled task becomes one pull request, and is not run again while that is open', async () => {
  const step = await run();
  const [pull] = shop.pulls();
  const { branch_name: branch = '', pr_number, conclusion, final_message } = step.outputs;
  expect({ code: step.code, stderr: step.stderr, conclusion, pr_number, status: step.status }).toEqual({
    ...{ code: 0, stderr: '', conclusion: 'success', status: '' },
    pr_number: String(pull?.number),
  });
  expect(branch).toMatch(branchPattern);
  expect({ head: pull?.head, base: pull?.base, title: pull?.title, author: pull?.author }).toEqual({
    ...{ head: branch, base: 'main', title: 'Paint the shop blue', author: bot },
  });
  expect(visible(pull?.body ?? '').replaceAll(/\]\(\S+\)/g, '](URL)')).toBe(
    'Red was out of stock.\n\n<sub>Made by an Anode [run](URL) of the workflow `Upkeep`, with anthropic/claude-sonnet-4-6.</sub>',
  );
  expect(final_message).toBe('Paint the shop blue\n\nRed was out of stock.');
  expect(await shop.git('show', `${branch}:colour.txt`)).toBe('blue');
  const message = await shop.git('log', '-1', '--format=%an%n%B', branch);
  expect(message.replace(/run_\w+/, 'RUN')).toBe(
    `${bot}\nPaint the shop blue\n\nRed was out of stock.\n\nAnode-Run: RUN`,
  );
  expect(visible(step.summary)).toContain(`Opened #${pull?.number} with 1 file changed.`);
  const [request] = job.requestsFor(words);
  expect(request && allTextOf(request)).toContain('Your changes will become a pull request.');

  const asked = job.requestsFor(words).length;
  const again = await run();
  expect([again.code, again.outputs.conclusion, shop.pulls().length, job.requestsFor(words).length]).toEqual([
    ...[0, 'skipped', 1, asked],
  ]);
  expect(again.outputs.final_message).toBe(
    `No run was started: #${pull?.number} by an earlier run of this task is open. Merge or close it, and the next run starts. ` +
      'A further task of the same job needs a branch_prefix of its own.',
  );

  shop.close(pull?.number ?? 0, { actor: 'ada' });
  const later = await run();
  expect([later.outputs.conclusion, shop.pulls().length]).toEqual(['success', 2]);
});

test('the branch inputs choose base and name, and another prefix is another task', async () => {
  await shop.commit('develop', { files: { 'develop.txt': 'x\n' }, message: 'Develop', author: 'ada' });
  const first = await run({ inputs: { ...inputs, base_branch: 'develop', branch_prefix: 'robots/' } });
  const pull = shop.pulls().find(({ number }) => String(number) === first.outputs.pr_number);
  expect([first.code, pull?.base, pull?.head.replace(/\d{8}-\d{6}/, 'TIME')]).toEqual([
    ...[0, 'develop', 'robots/upkeep-TIME'],
  ]);
  const other = await run({ inputs: { ...inputs, branch_prefix: 'others/' } });
  expect(other.outputs.conclusion).toBe('success');
  const none = await run({ inputs: { ...inputs, base_branch: 'nowhere' } });
  expect([none.code, none.outputs.final_message]).toEqual([
    ...[1, 'branch.base is nowhere, and acme/shop has no such branch.'],
  ]);
});

test('a task without a change opens nothing', async () => {
  job.learn('Look for mistakes', () => ({ text: 'There are none.' }));
  const before = shop.pulls().length;
  const step = await run({ inputs: { ...inputs, prompt: 'Look for mistakes' } });
  const { conclusion, branch_name, pr_number, final_message } = step.outputs;
  expect([step.code, conclusion, branch_name, pr_number, final_message, shop.pulls().length]).toEqual([
    ...[0, 'success', '', '', 'There are none.', before],
  ]);
});

test('a staged task shows its pull request and writes nothing', async () => {
  const before = shop.pulls().length;
  const step = await run({ inputs: { ...inputs, staged: 'true' } });
  expect([step.code, step.stderr, shop.pulls().length, step.outputs.pr_number]).toEqual([0, '', before, '']);
  expect(visible(step.summary)).toContain('Paint the shop blue');
  expect(visible(step.summary)).toContain('-red\n+blue\n');
});

test('a token that may open no pull request leaves the branch, and names the permission', async () => {
  const step = await run({ permissions: { contents: 'write', pull_requests: 'read' } });
  expect([
    step.code,
    step.outputs.branch_name?.match(branchPattern) !== null,
    step.outputs.pr_number,
  ]).toEqual([...[0, true, '']]);
  expect(visible(step.summary)).toContain('pull-requests: write');
});

test('a stranger’s event starts no task', async () => {
  const { number } = await shop.openIssue({ title: 'Do it', author: 'mallory' });
  const before = shop.pulls().length;
  const step = await job.run(shop, {
    event: 'issues',
    action: 'opened',
    actor: 'mallory',
    inputs,
    environment,
  });
  expect([step.code, step.outputs.conclusion, shop.pulls().length - before, number > 0]).toEqual([
    ...[0, 'refused', 0, true],
  ]);
});
