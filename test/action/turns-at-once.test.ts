import { afterAll, beforeAll, expect, test } from 'vitest';
import { visible } from '../support/find-report.ts';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import type { Permissions } from '../support/github/world.ts';
import { call } from '../uses/support/conversation.ts';
import { jobsOfWorkflow, type WorkflowJob } from '../uses/support/play-reusable-workflow.ts';
import { actionKey, type Job, startJob } from '../uses/support/start-job.ts';

const permissions: Permissions = {
  ...{ contents: 'write', issues: 'write', pull_requests: 'write' },
  actions: 'read',
};
const state_secret = 'a secret of more than thirty-two characters';

let job: Job;
let shop: RepositoryHandle;
let two: WorkflowJob[];
let runId = 900;
beforeAll(async () => {
  job = await startJob();
  two = await jobsOfWorkflow('.github/workflows/two-jobs.yml', {
    anthropic_api_key: actionKey,
    state_secret,
  });
  shop = await job.github.createRepository('acme/shop', {
    files: {
      'names.txt': 'one\n',
      '.github/anode.yml': 'sandbox: preferred\nreview: { ownCommits: off }\nreport: { controls: true }\n',
    },
  });
  shop.setPermission('ada', 'write');
  const finding = {
    path: 'names.txt',
    line: 2,
    severity: 'high',
    category: 'bug',
    title: 'Wrong',
    body: 'It is.',
  };
  job.learn('Review the changes', (turn) =>
    turn === 1 ? { calls: [call('report_findings', { findings: [finding] })] } : { text: 'One.' },
  );
  job.learn('use English names', (turn) =>
    turn === 1
      ? { calls: [call('edit_file', { path: 'names.txt', old_str: 'zwei', new_str: 'two' })] }
      : { text: 'One name.' },
  );
  for (const name of ['one', 'two'])
    job.learn(`write ${name}`, (turn) =>
      turn === 1
        ? { calls: [call('create_file', { path: `${name}.md`, content: 'x\n' })] }
        : { text: 'Written.' },
    );
});
afterAll(() => job.close());

async function openPull(branch: string): Promise<number> {
  await shop.commit(branch, { files: { 'names.txt': 'one\nzwei\n' }, message: branch, author: 'ada' });
  return (await shop.openPullRequest({ title: branch, head: branch, author: 'ada' })).number;
}

const authors = (branch: string) => shop.git('log', '--format=%an', `main..${branch}`);
const told = (number: number) =>
  shop
    .comments(number)
    .filter(({ author }) => author !== 'ada')
    .map(({ body }) => visible(body));

/** Starts one job of an event, in a workflow run that GitHub knows. */
function start(event: string, payload: object, more: Partial<WorkflowJob['options']> = {}, run?: number) {
  runId += 1;
  const id = run ?? runId;
  shop.runWorkflow(id, 'in_progress');
  const { inputs, ...rest } = { inputs: { state_secret }, ...more };
  const at = { event, payload, actor: 'ada', permissions, workflowRun: { runId: id } };
  return job.start(shop, { ...at, ...rest, inputs: inputs ?? {} });
}

test('of two jobs that publish at once on one thread one waits, and puts its change on top', async () => {
  const number = await openPull('published');
  const [agent, publish] = two;
  const runs: { readonly payload: object; readonly id: number }[] = [];
  for (const name of ['one', 'two']) {
    shop.comment(number, { author: 'ada', body: `@anode write ${name}` });
    const payload = job.github.lastEventPayload('issue_comment', 'created');
    await (await start('issue_comment', payload, agent?.options)).ended;
    runs.push({ payload, id: runId });
  }
  const jobs = await Promise.all(
    runs.map(({ payload, id }) => start('issue_comment', payload, publish?.options, id)),
  );
  const steps = await Promise.all(jobs.map(({ ended }) => ended));
  expect({
    steps: steps.map(({ code, stderr, outputs }) => [code, stderr, outputs.conclusion]),
    log: await authors('published'),
    files: await shop.git('diff', '--name-only', 'main...published', '--', '*.md'),
    told: told(number).map((text) => text.split(' ')[0]),
    onTop: told(number).filter((text) => text.includes('Put on top of')).length,
    waited: steps.filter(({ stdout }) => stdout.includes('This one waits until it has ended.')).length,
  }).toEqual({
    steps: [
      [0, '', 'success'],
      [0, '', 'success'],
    ],
    log: 'github-actions[bot]\ngithub-actions[bot]\nada',
    files: 'one.md\ntwo.md',
    told: ['**Done.**', '**Done.**'],
    ...{ onTop: 1, waited: 1 },
  });
});

test('two ticks of one box within seconds make one commit, which the comment names', async () => {
  const number = await openPull('ticked');
  shop.comment(number, { author: 'ada', body: '/anode improve use English names' });
  await (await start('issue_comment', job.github.lastEventPayload('issue_comment', 'created'))).ended;
  const box = shop.comments(number).find(({ body }) => body.includes('- [ ]'));
  shop.editComment(box?.id ?? 0, { author: 'ada', body: (box?.body ?? '').replace('- [ ]', '- [x]') });
  const payload = job.github.lastEventPayload('issue_comment', 'edited');
  const jobs = [await start('issue_comment', payload), await start('issue_comment', payload)];
  const steps = await Promise.all(jobs.map(({ ended }) => ended));
  const result = visible(shop.comments(number).find(({ id }) => id === box?.id)?.body ?? '');
  expect({
    steps: steps.map(({ code, stderr }) => [code, stderr]),
    log: await authors('ticked'),
    text: await shop.git('show', 'ticked:names.txt'),
    isNamed: result.includes(((await shop.head('ticked')) ?? '').slice(0, 7)),
    boxes: result.includes('- ['),
    result,
  }).toEqual({
    steps: [
      [0, ''],
      [0, ''],
    ],
    log: 'github-actions[bot]\nada',
    text: 'one\ntwo',
    ...{ isNamed: true, boxes: false },
    result: expect.any(String),
  });
});

test.for([
  ['with state', { state_secret }],
  ['without state', {}],
] as const)('two reviews of one head that start within seconds end as one, %s', async ([name, inputs]) => {
  const branch = name.replace(' ', '-');
  const number = await openPull(branch);
  const payload = job.github.lastEventPayload('pull_request', 'opened');
  const jobs = [
    await start('pull_request', payload, { inputs }),
    await start('pull_request', payload, { inputs }),
  ];
  const steps = await Promise.all(jobs.map(({ ended }) => ended));
  expect({
    steps: steps.map(({ code, stderr, outputs }) => [code, stderr, outputs.conclusion]).toSorted(),
    reviews: shop.reviews(number).length,
    lines: shop.reviewComments(number).map(({ path }) => path),
    comments: told(number).length,
  }).toEqual({
    steps: [
      [0, '', 'skipped'],
      [0, '', 'success'],
    ],
    ...{ reviews: 1, lines: ['names.txt'], comments: 1 },
  });
});
