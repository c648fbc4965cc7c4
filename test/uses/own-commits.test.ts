import { afterAll, beforeAll, expect, test } from 'vitest';
import { appPermissions } from '../support/app-process.ts';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { allTextOf, call, taskOf } from './support/conversation.ts';
import { type Part, type Stage, startStage } from './support/start-app.ts';
import { type Job, startJob } from './support/start-job.ts';

const lines = (changed: Readonly<Record<number, string>>) =>
  `${Array.from({ length: 30 }, (_, index) => changed[index + 1] ?? `line ${index + 1}`).join('\n')}\n`;
const defects = { 5: 'early()', 15: 'middle()', 25: 'late()' };
const finding = (line: number, title: string) => ({
  ...{ path: 'a.txt', line, severity: 'high', category: 'correctness', title, body: `${title}.` },
});
const reviewer: Part = (turn) =>
  turn === 1
    ? {
        calls: [
          call('report_findings', {
            findings: [finding(5, 'Wrong start'), finding(15, 'Wrong middle'), finding(25, 'Wrong end')],
          }),
        ],
      }
    : { text: 'See the lines.' };
/** Changes line 5 and a line beside line 15, and says what of it was fixed. */
const fixer: Part = (turn, request) => {
  const edit = (old_str: string, new_str: string) => call('edit_file', { path: 'a.txt', old_str, new_str });
  if (turn === 1) return { calls: [edit('early()', 'early'), edit('line 14', 'if (fourteen)')] };
  const id = /([0-9a-f]{16}) a\.txt:15/.exec(taskOf(request))?.[1];
  return { text: `Both are right now.\n\nFixed: ${id}` };
};

const shown = (body: string) => body.replaceAll(/^<!--.*?-->\n|<!--.*?-->/gm, '');

/** The conversations about findings: what was said in each, and who resolved it. */
function threads(shop: RepositoryHandle, number: number) {
  const comments = shop.reviewComments(number);
  const roots = comments.filter(({ inReplyTo }) => inReplyTo === null);
  return roots.map((root, index) => [
    ...comments
      .filter(({ id, inReplyTo }) => id === root.id || inReplyTo === root.id)
      .map(({ body }) => shown(body).split('\n')[0]),
    shop.reviewThreads(number)[index]?.resolvedBy ?? 'open',
  ]);
}

const checks = (shop: RepositoryHandle, sha: string | null) =>
  shop
    .checkRuns()
    .filter(({ headSha, name }) => headSha === sha && name === 'anode review')
    .map(({ conclusion, title }) => [conclusion, title]);

async function opened(github: Stage['github'], name: string, config = '') {
  const shop = await github.createRepository(`acme/${name}`, {
    files: { 'a.txt': lines({}), '.github/anode.yml': `sandbox: preferred\n${config}` },
  });
  shop.setPermission('ada', 'write');
  await shop.commit('topic', { files: { 'a.txt': lines(defects) }, message: 'Topic', author: 'ada' });
  const { number } = await shop.openPullRequest({ title: 'Topic', head: 'topic', author: 'ada' });
  return { shop, number };
}

let stage: Stage;
let job: Job;
beforeAll(async () => {
  stage = await startStage({}, { ...appPermissions, actions: 'read', checks: 'write' });
  job = await startJob();
  for (const one of [stage, job]) {
    one.learn('Review the changes of this pull request', reviewer);
    one.learn('Fix this pull request', fixer);
  }
});
afterAll(async () => {
  await stage.close();
  await job.close();
});

const settled = (bot: string, sha: string, url: string) => {
  const by = `Fixed by [\`${sha.slice(0, 7)}\`](${url}/commit/${sha}).`;
  return [
    ['**high** · Wrong start', by, bot],
    ['**high** · Wrong middle', by, bot],
    ['**high** · Wrong end', 'open'],
  ];
};

test('the App resolves findings that a fix fixed, and checks the new head without another comment', async () => {
  const { shop, number } = await opened(stage.github, 'fixed');
  await stage.report(shop, number);
  stage.passTime();
  const { id } = shop.comment(number, { author: 'ada', body: '/anode fix' });
  const report = await stage.report(shop, number, id);
  const head = await shop.head('topic');
  await stage.until('the check of the new head', () => checks(shop, head).some(([end]) => end !== null));
  const [request] = stage.requestsFor('Fix this pull request');
  const told = /<findings>\n([^<]*)\n<\/findings>/.exec(allTextOf(request ?? never()))?.[1];
  expect({
    report: report.split('\n').slice(0, 3),
    told: told?.replaceAll(/[0-9a-f]{16}/g, 'ID').split('\n'),
    threads: threads(shop, number),
    checks: checks(shop, head),
    comments: shop.comments(number).length,
    asked: stage.requestsFor('Review the changes').length,
  }).toEqual({
    report: [expect.stringMatching(/^\*\*Done\.\*\* /), '', 'Both are right now.'],
    told: ['start', 'middle', 'end'].map(
      (which, index) => `- ID a.txt:${5 + index * 10} [high] correctness: Wrong ${which} (open)`,
    ),
    threads: settled(stage.app.login, head ?? '', shop.url),
    checks: [['neutral', '1 finding: 1 high']],
    comments: 3,
    asked: 2,
  });
});

test('a fix that a finding’s thread asked for leaves one reply there, which names its commit', async () => {
  stage.learn('Fix what the comment says', (turn) =>
    turn === 1
      ? { calls: [call('edit_file', { path: 'a.txt', old_str: 'early()', new_str: 'early' })] }
      : { text: 'It is right now.' },
  );
  const { shop, number } = await opened(stage.github, 'thread');
  await stage.report(shop, number);
  stage.passTime();
  const [root] = shop.reviewComments(number);
  const before = await shop.head('topic');
  shop.replyToReviewComment(root?.id ?? never(), { author: 'ada', body: '/anode fix' });
  await stage.until('the commit', async () => (await shop.head('topic')) !== before);
  const head = (await shop.head('topic')) ?? never();
  await stage.until('the check of the new head', () => checks(shop, head).some(([end]) => end !== null));
  const fixed = `Fixed by [\`${head.slice(0, 7)}\`](${shop.url}/commit/${head}).`;
  const replies = shop.reviewComments(number).filter(({ inReplyTo }) => inReplyTo === root?.id);
  expect({
    replies: replies.map(({ body }) => shown(body)),
    threads: threads(shop, number).map((thread) => thread.at(-1)),
  }).toEqual({
    replies: ['/anode fix', `It is right now.\n\n${fixed}`],
    threads: [stage.app.login, 'open', 'open'],
  });
});

test('the model reviews our own head only if configured, and none if it is off', async () => {
  const full = await opened(stage.github, 'full', 'review: { ownCommits: full }\n');
  const off = await opened(stage.github, 'off', 'review: { ownCommits: off }\n');
  const asked = () => stage.requestsFor('Review the changes').length;
  for (const { shop, number } of [full, off]) await stage.report(shop, number);
  const before = asked();
  stage.passTime();
  const ends = [];
  for (const { shop, number } of [full, off]) {
    const { id } = shop.comment(number, { author: 'ada', body: '/anode fix' });
    await stage.report(shop, number, id);
    const head = await shop.head('topic');
    await stage.until('the check of the new head', () => checks(shop, head).some(([end]) => end !== null));
    ends.push([checks(shop, head), asked() - before]);
  }
  expect(ends).toEqual([
    [[['neutral', expect.stringMatching(/findings?: /)]], 2],
    [[['neutral', '1 finding: 1 high']], 2],
  ]);
});

test('a workflow does the same in the job of the commit', async () => {
  const config = 'report: { checkRun: true }\n';
  const { shop, number } = await opened(job.github, 'job', config);
  const inputs = { state_dir: await job.stateFolder(), state_secret: 'a secret of the state of a workflow' };
  const permissions = {
    contents: 'write',
    issues: 'write',
    pull_requests: 'write',
    statuses: 'write',
  } as const;
  await job.run(shop, { event: 'pull_request', action: 'opened', actor: 'ada', inputs, permissions });
  shop.comment(number, { author: 'ada', body: '/anode fix' });
  const step = await job.run(shop, { event: 'issue_comment', actor: 'ada', inputs, permissions });
  const head = (await shop.head('topic')) ?? '';
  expect({
    code: step.code,
    conclusion: step.outputs.conclusion,
    threads: threads(shop, number),
    // The stand-in lets only an App's token write check runs.
    statuses: shop
      .statuses()
      .flatMap(({ sha, context, description }) => (sha === head ? [[context, description]] : [])),
    comments: shop.comments(number).length,
  }).toEqual({
    ...{ code: 0, conclusion: 'success', comments: 3 },
    threads: settled('github-actions[bot]', head, shop.url),
    statuses: [
      ['anode/review', 'Running'],
      ['anode/review', '1 finding: 1 high'],
    ],
  });
});

function never(): never {
  throw new Error('The model was not asked.');
}
