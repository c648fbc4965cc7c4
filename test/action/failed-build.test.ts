import { afterAll, beforeAll, expect, test } from 'vitest';
import { visible } from '../support/find-report.ts';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { call } from '../uses/support/conversation.ts';
import { type Job, type StepOptions, startJob } from '../uses/support/start-job.ts';

const workflow = 'on: push\njobs:\n  test:\n    runs-on: ubuntu-24.04\n    steps:\n      - run: sh test.sh\n';

let job: Job;
let shop: RepositoryHandle;
/** The paint of each try, in order. */
const paints = ['green', 'yellow', 'pink', 'white', 'black'];
let tries = 0;
beforeAll(async () => {
  job = await startJob();
  shop = await job.github.createRepository('acme/shop', {
    files: { 'a.txt': 'red\n', 'test.sh': 'grep blue a.txt\n', '.github/workflows/ci.yml': workflow },
  });
  shop.setPermission('ada', 'write');
  const check = call('bash', { command: 'sh test.sh' });
  const paint = call('edit_file', { path: 'a.txt', old_str: 'red', new_str: 'blue' });
  job.learn('Review the changes', () => ({ text: 'Reviewed.' }));
  job.learn('The build of this pull request failed', (turn, request) => {
    if (JSON.stringify(request).includes('nothing is blue'))
      return turn > 3 ? { text: 'Painted it blue.' } : { calls: [turn === 2 ? paint : check] };
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
  const { code, stderr, outputs, summary } = step;
  return { code, stderr, says: outputs.final_message, summary: visible(summary) };
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
    first: { code: first.code, stderr: first.stderr, says: first.says },
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
        /^No run was started\. The build of \w+ fails as it did before my last try \(test\)/,
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

test('after three tries at different failures no fourth starts, which is reported once', async () => {
  const number = await own('tried');
  const before = tries;
  const said: unknown[] = [];
  for (const wrong of ['the roof', 'the door', 'the wall', 'the floor', 'the lamp']) {
    const { code, stderr, says } = await fails('tried', failure(`${wrong} is wrong`));
    said.push([code, stderr, says]);
  }
  const why = /^The build of \w+ still fails after 3 tries \(test\), so I stop here\./;
  const done = '**Done.** Committed SHA to `tried`: 1 file changed.';
  expect({ said, told: told(number), tries: tries - before }).toEqual({
    said: [
      ...[0, 1, 2].map((index) => [0, '', `Painted it ${paints[before + index]}.`]),
      [0, '', expect.stringMatching(/^No run was started\. The build of \w+ still fails/)],
      [0, '', 'No run was started: the thread was told before why its build is not repaired.'],
    ],
    told: [done, done, done, expect.stringMatching(why)],
    tries: 3,
  });
});

test('a fix that made the failed command pass is told so, on the thread and in the summary', async () => {
  const number = await own('blue');
  const { code, says, summary } = await fails('blue', failure('nothing is blue'));
  const proof = '`sh test.sh` failed before the change and passes after it.';
  const isTold = (text: string) => text.split('\n').includes(proof);
  expect([code, says, isTold(visible(shop.comments(number)[0]?.body ?? '')), isTold(summary)]).toEqual([
    ...[0, 'Painted it blue.', true, true],
  ]);
});

test('the failed build of a fork is never repaired, and the summary says so', async () => {
  const fork = await shop.fork('rex');
  await fork.commit('theirs', { files: { 'r.txt': 'one\n' }, message: 'Theirs', author: 'rex' });
  const fields = { title: 'Theirs', head: 'theirs', author: 'rex', headRepository: fork };
  const { number } = await shop.openPullRequest(fields);
  const [before, head] = [
    job.requestsFor('The build of this pull request failed').length,
    await fork.head('theirs'),
  ];
  const never = 'The failed build of a fork is never repaired. Its pull request is reviewed at most.';
  let summary = '';
  const ended = async () => {
    const build = { branch: 'theirs', headRepository: fork, conclusion: 'failure', job: 'test' } as const;
    await shop.endBuild({ ...build, log: failure('no') }, 'rex');
    const inputs = { config: 'triggers: { failedBuild: all }' };
    const step = await job.run(shop, { event: 'workflow_run', actor: 'rex', permissions, inputs });
    summary = visible(step.summary);
    return [step.code, summary.startsWith(never), summary.includes('No run was started')];
  };
  const open = await ended();
  shop.close(number, { actor: 'rex' });
  const closed = await ended();
  const start = head?.slice(0, 12);
  expect({
    open,
    closed,
    reason: summary.split('\n').at(-1),
    repairs: job.requestsFor('The build of this pull request failed').length - before,
    isMoved: (await fork.head('theirs')) !== head,
  }).toEqual({
    open: [0, true, false],
    closed: [0, true, true],
    reason: `No run was started: no open pull request has the head ${start} of rex:theirs any more.`,
    ...{ repairs: 0, isMoved: false },
  });
});

test('a person’s pull request, a success and an older head start no repair', async () => {
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
    1,
    [
      expect.stringMatching(
        /^The build of \w+ failed, and I cannot read why\. .* Add the lines `checks: read` and `actions: read` under/,
      ),
    ],
  ]);
});
