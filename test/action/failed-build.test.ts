import { afterAll, beforeAll, expect, test } from 'vitest';
import { visible } from '../support/find-report.ts';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { call } from '../uses/support/conversation.ts';
import { type Job, type StepOptions, startJob } from '../uses/support/start-job.ts';

const workflow = 'on: push\njobs:\n  test:\n    runs-on: ubuntu-24.04\n    steps:\n      - run: sh test.sh\n';

let job: Job;
let shop: RepositoryHandle;
/** The paint of each try, in order. */
const paints = ['green', 'yellow', 'pink', 'white'];
let tries = 0;
beforeAll(async () => {
  job = await startJob();
  shop = await job.github.createRepository('acme/shop', {
    files: { 'a.txt': 'red\n', 'test.sh': 'grep blue a.txt\n', '.github/workflows/ci.yml': workflow },
  });
  shop.setPermission('ada', 'write');
  job.learn('The build of this pull request failed', (turn) => {
    if (turn > 1) return { text: `Painted it ${paints[tries - 1]}.` };
    tries += 1;
    return { calls: [call('create_file', { path: `try-${tries}.txt`, content: `${paints[tries - 1]}\n` })] };
  });
});
afterAll(() => job.close());

const failure = (message: string, script = 'sh test.sh') =>
  [
    `##[group]Run ${script}`,
    script,
    'shell: /usr/bin/bash -e {0}',
    '##[endgroup]',
    `Error: ${message}`,
    '##[error]Process completed with exit code 1.',
  ]
    .map((line) => `2026-01-02T03:04:05.678Z ${line}`)
    .join('\n');

const permissions = {
  contents: 'write',
  issues: 'write',
  pull_requests: 'write',
  checks: 'read',
  actions: 'read',
} as const;
const bot = 'github-actions[bot]';

/** The branch's build fails, and a job starts for it. */
async function fails(branch: string, log: string, change: Partial<StepOptions> = {}) {
  await shop.endBuild({ branch, conclusion: 'failure', job: 'test', log }, bot);
  const step = await job.run(shop, { event: 'workflow_run', actor: bot, inputs: {}, permissions, ...change });
  return { code: step.code, stderr: step.stderr, says: step.outputs.final_message };
}
const own = async (branch: string) => {
  await shop.commit(branch, { files: { [`${branch}.txt`]: 'one\n' }, message: branch, author: 'ada' });
  return (await shop.openPullRequest({ title: branch, head: branch, author: bot })).number;
};
const told = (number: number) =>
  shop.comments(number).map(({ body }) =>
    visible(body)
      .split('\n')[0]
      ?.replace(/\[`\w+`\]\(\S+\)/, 'SHA'),
  );

test('failed builds of our pull request are repaired until a failure repeats, which is reported once', async () => {
  const number = await own('paint');
  const first = await fails('paint', failure('no blue'));
  const [asked] = job.requestsFor('The build of this pull request failed');
  const conversation = JSON.stringify(asked);
  expect({
    first,
    // The command stands in the base branch's workflow, and so in the task.
    command: conversation.includes('run the command that failed'),
    log: conversation.includes('Error: no blue'),
  }).toEqual({
    first: { code: 0, stderr: '', says: 'Painted it green.' },
    ...{ command: true, log: true },
  });
  const others = [await fails('paint', failure('still wrong')), await fails('paint', failure('still wrong'))];
  expect(others.map(({ code, says }) => [code, says])).toEqual([
    [0, 'Painted it yellow.'],
    [
      0,
      expect.stringMatching(
        /^No run was started: The build of \w+ fails as it did before my last try \(test\)/,
      ),
    ],
  ]);
  const again = await fails('paint', failure('still wrong'));
  expect(again.says).toBe('No run was started: the thread was told before why its build is not repaired.');
  expect(told(number)).toEqual([
    '**Done.** Committed SHA to `paint`: 1 file changed.',
    '**Done.** Committed SHA to `paint`: 1 file changed.',
    expect.stringMatching(/^The build of \w+ fails as it did before my last try \(test\), so I stop here\./),
  ]);
});

test('a person’s pull request, a fork, a success and an older head start no repair', async () => {
  await shop.commit('hand', { files: { 'h.txt': 'one\n' }, message: 'By hand', author: 'ada' });
  await shop.openPullRequest({ title: 'By hand', head: 'hand', author: 'ada' });
  const before = tries;
  const person = await fails('hand', failure('no'), { actor: 'ada' });
  await shop.endBuild({ branch: 'hand', conclusion: 'success', job: 'test', log: '' });
  const success = await job.run(shop, { event: 'workflow_run', actor: 'ada', inputs: {}, permissions });
  await shop.endBuild({ branch: 'main', conclusion: 'failure', job: 'test', log: failure('no') });
  const main = await job.run(shop, { event: 'workflow_run', actor: 'ada', inputs: {}, permissions });
  const notices = [success, main].map(({ code, stdout }) => [code, /^::notice::(.*)$/m.exec(stdout)?.[1]]);
  expect([person.says, ...notices, tries - before]).toEqual([
    'No run was started: the pull request is not ours, and `triggers.failedBuild` is not `all`.',
    [0, 'No run was started: the build ended with success.'],
    [0, 'No run was started: no open pull request of this repository has the head that was built.'],
    0,
  ]);
});

test('without the permission to read checks, a comment names the permissions', async () => {
  const number = await own('blind');
  const { contents, issues, pull_requests } = permissions;
  const rights = { contents, issues, pull_requests };
  const blind = await fails('blind', failure('no'), { permissions: rights });
  expect([blind.code, told(number)]).toEqual([
    0,
    [
      expect.stringMatching(
        /^The build of \w+ failed, and I cannot read why\. It takes the permissions checks: read and actions: read\.$/,
      ),
    ],
  ]);
});
