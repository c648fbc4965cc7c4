import { afterAll, beforeAll, expect, test } from 'vitest';
import { visible } from '../support/find-report.ts';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import type { Permissions } from '../support/github/world.ts';
import { call, lastResults } from '../uses/support/conversation.ts';
import { type Job, type StepResult, startJob } from '../uses/support/start-job.ts';

const config =
  'sandbox: preferred\npermissions:\n  onAsk: comment\n  rules:\n    - { tool: create_file, action: ask }\n';
const secret = 'a secret of more than thirty characters';
const permissions: Permissions = {
  ...{ contents: 'write', issues: 'write', pull_requests: 'write' },
  actions: 'read',
};

let job: Job;
let shop: RepositoryHandle;
let runId = 100;
beforeAll(async () => {
  job = await startJob();
  shop = await job.github.createRepository('acme/shop', {
    files: { 'colour.txt': 'red\n', '.github/anode.yml': config },
  });
  shop.setPermission('ada', 'write');
  job.learn('make the file', (turn, request) =>
    turn === 1
      ? { calls: [call('create_file', { path: 'new.txt', content: 'honest\n' })] }
      : { text: lastResults(request) },
  );
  job.learn('choose the colour', (turn, request) =>
    turn === 1
      ? { calls: [call('ask_user', { question: 'Which colour?', options: ['Blue', 'Green'] })] }
      : { text: `Heard: ${lastResults(request)}` },
  );
});
afterAll(() => job.close());

type Options = Partial<Parameters<Job['run']>[1]>;

/** A comment, and the job that it starts. */
async function comment(number: number, body: string, options: Options = {}): Promise<StepResult> {
  shop.comment(number, { author: 'ada', body });
  return react('issue_comment', 'ada', options);
}

/** The job of a workflow run of its own that the newest event starts. */
function react(event: string, actor: string, options: Options = {}): Promise<StepResult> {
  runId += 1;
  return job.run(shop, {
    ...{ event, actor, permissions, workflowRun: { runId }, inputs: { state_secret: secret } },
    ...options,
  });
}

async function openPull(branch: string): Promise<number> {
  await shop.commit(branch, { files: { [`${branch}.txt`]: 'a\n' }, message: branch, author: 'ada' });
  return (await shop.openPullRequest({ title: branch, head: branch, author: 'ada' })).number;
}

const lastComment = (number: number) => visible(shop.comments(number).at(-1)?.body ?? '');

/** The pending approval's hash. */
const hashOn = (number: number): string =>
  /approve ([0-9a-f]{16})/.exec(
    shop.comments(number).findLast(({ body }) => body.includes('anode:approval'))?.body ?? '',
  )?.[1] ?? '';

test('an approval in a later workflow run makes the call from the first one’s artifact', async () => {
  const number = await openPull('approved');
  const first = await comment(number, '@anode make the file');
  const hash = hashOn(number);
  const second = await comment(number, `/anode approve ${hash}`);
  expect({
    conclusions: [first.outputs.conclusion, second.outputs.conclusion],
    said: lastComment(number).replaceAll(hash, 'HASH'),
    text: await shop.git('show', 'approved:new.txt'),
    artifacts: shop.artifacts().map(({ name, runId: run }) => `${name} of ${run}`),
  }).toEqual({
    conclusions: ['waiting', 'success'],
    said: expect.stringContaining('`create_file new.txt` (`HASH`): approved by `ada`'),
    text: 'honest',
    artifacts: [`anode-thread-${number} of ${runId - 1}`, `anode-thread-${number} of ${runId}`],
  });
});

test('an answer in a later workflow run resumes the session without a folder', async () => {
  const number = await openPull('answered');
  const first = await comment(number, '@anode choose the colour');
  const second = await comment(number, '/anode answer Green');
  expect([
    [first.outputs.conclusion, second.outputs.conclusion],
    [first.outputs.session_id === second.outputs.session_id, second.outputs.final_message],
  ]).toEqual([
    ['waiting', 'success'],
    [true, expect.stringContaining('The user chose: ')],
  ]);
});

test.for([
  {
    what: 'expired',
    lose: () => shop.expireArtifacts(),
    reply: '/anode answer Green',
  },
  { what: 'was deleted', lose: () => shop.deleteArtifacts(), reply: '@anode Green' },
])('a reply names the remedy if the artifact $what', async ({ what, lose, reply }) => {
  const number = await openPull(`lost-${what.length}`);
  await comment(number, '@anode choose the colour');
  lose();
  const { outputs, code } = await comment(number, reply);
  expect([outputs.conclusion, code, lastComment(number)]).toEqual([
    'refused',
    0,
    expect.stringMatching(
      /^Nothing is stored of this thread any more.*expired or was deleted.*State the task again/s,
    ),
  ]);
});

const gone = expect.stringMatching(/^Nothing is stored of this thread any more.*`@anode …`/s);

test('a plain answer to an expired question gets one reply, if its author may answer', async () => {
  const number = await openPull('plain');
  await comment(number, '@anode choose the colour');
  const asked = shop.comments(number).length;
  shop.expireArtifacts();
  const talk = await comment(number, 'Which one is cheaper?');
  shop.comment(number, { author: 'eve', body: 'Green' });
  const stranger = await react('issue_comment', 'eve');
  const first = await comment(number, 'Green, please');
  const second = await comment(number, '2');
  expect({
    conclusions: [talk, stranger, first, second].map(({ outputs }) => outputs.conclusion),
    said: shop
      .comments(number)
      .slice(asked)
      .map(({ author, body }) => [author, visible(body)]),
  }).toEqual({
    conclusions: ['skipped', 'skipped', 'refused', 'skipped'],
    said: [
      ['ada', 'Which one is cheaper?'],
      ['eve', 'Green'],
      ['ada', 'Green, please'],
      ['github-actions[bot]', gone],
      ['ada', '2'],
    ],
  });
});

test('an expired question in a review thread is replied to there, and nowhere again', async () => {
  const number = await openPull('thread');
  const remark = { path: 'thread.txt', line: 1, body: '@anode choose the colour' };
  await shop.review(number, { author: 'ada', body: '', comments: [remark] });
  await react('pull_request_review_comment', 'ada');
  const asked = shop.comments(number).length;
  shop.expireArtifacts();
  const root = shop.reviewComments(number)[0]?.id ?? 0;
  for (const body of ['A shade of teal', 'A shade of red']) {
    shop.replyToReviewComment(root, { author: 'ada', body });
    await react('pull_request_review_comment', 'ada');
  }
  await comment(number, 'Green');
  expect({
    thread: shop
      .reviewComments(number)
      .slice(2)
      .map(({ body }) => visible(body)),
    conversation: shop
      .comments(number)
      .slice(asked)
      .map(({ body }) => body),
  }).toEqual({ thread: ['A shade of teal', gone, 'A shade of red'], conversation: ['Green'] });
});

test('an archive that another workflow run uploads, or without our signature, approves nothing', async () => {
  const number = await openPull('replayed');
  await comment(number, '@anode make the file');
  const hash = hashOn(number);
  const name = `anode-thread-${number}`;
  const [waiting] = shop.artifactBytes(name);
  await comment(number, `/anode deny ${hash}`);
  // A run of the repository can upload what it wants, under any name.
  for (const bytes of [waiting, Buffer.from('no archive')]) {
    runId += 1;
    await job.github.uploadArtifact('acme/shop', { runId, name, bytes: bytes ?? Buffer.alloc(0) });
  }
  const { outputs } = await comment(number, `/anode approve ${hash}`);
  expect([outputs.conclusion, lastComment(number).replaceAll(hash, 'HASH')]).toEqual([
    'refused',
    'ada denied `HASH` already. An approval counts once.',
  ]);
});

test('a missing permission or a server without artifacts is reported, and no question is posted', async () => {
  const number = await openPull('without');
  const { actions: _, ...fewer } = permissions;
  const noRight = await comment(number, '@anode choose the colour', { permissions: fewer });
  const noService = await comment(number, '@anode choose the colour', {
    environment: { ACTIONS_RESULTS_URL: '', ACTIONS_RUNTIME_TOKEN: '' },
  });
  const warnings = [noRight, noService].map(
    ({ stdout }) => stdout.match(/^::warning::Nobody can be asked.*$/m)?.[0],
  );
  expect(warnings).toEqual([
    '::warning::Nobody can be asked, and no later run knows of this one. The job’s token lacks the permission `actions: read`. Add the line `actions: read` under `permissions:` in the workflow.',
    '::warning::Nobody can be asked, and no later run knows of this one. The runner gives this step no artifact service. Set `state_dir` to a folder that the workflow carries on.',
  ]);
  expect([noRight.outputs.conclusion, noService.outputs.conclusion]).toEqual(['success', 'success']);
});

test('no command and no model request contains the token of the artifact service', async () => {
  const number = await openPull('hidden');
  job.learn('look for tokens', (turn, request) =>
    turn === 1 ? { calls: [call('bash', { command: 'env' })] } : { text: lastResults(request) },
  );
  const { outputs, stdout, stderr } = await comment(number, '@anode look for tokens');
  const token = job.github.runtimeTokens().at(-1) ?? 'none';
  const all = [outputs.final_message, JSON.stringify(job.requestsFor('look for tokens')), stderr];
  expect(outputs.final_message).toContain('PATH=');
  expect(all.join('\n')).not.toMatch(/ACTIONS_/);
  expect([...all, stdout].join('\n')).not.toContain(token);
});
