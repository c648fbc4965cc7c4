import { afterAll, beforeAll, expect, test } from 'vitest';
import { visible } from '../support/find-report.ts';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { commitOf } from '../uses/support/commit-of.ts';
import { call } from '../uses/support/conversation.ts';
import { type Job, startJob } from '../uses/support/start-job.ts';

let job: Job;
let shop: RepositoryHandle;
beforeAll(async () => {
  job = await startJob();
  shop = await job.github.createRepository('acme/shop', {
    files: { 'a.txt': 'a\n', '.github/anode.yml': 'sandbox: preferred\nreview: { auto: false }\n' },
  });
  shop.setPermission('ada', 'write');
  for (const file of ['one', 'two'])
    job.learn(`write ${file}`, (turn) =>
      turn === 1
        ? { calls: [call('create_file', { path: `${file}.txt`, content: `${file}\n` })] }
        : { text: 'Written.' },
    );
});
afterAll(() => job.close());

async function openPull(branch: string): Promise<number> {
  await shop.commit(branch, { files: { [`${branch}.md`]: 'x\n' }, message: branch, author: 'ada' });
  return (await shop.openPullRequest({ title: branch, head: branch, author: 'ada' })).number;
}
const program = 'action/main.ts';

test('the name of the token’s App is a mention, and its account is our own', async () => {
  const number = await openPull('named');
  const app = job.github.addApp({
    slug: 'our-app',
    permissions: { contents: 'write', issues: 'write', pull_requests: 'write' },
  });
  const permissions = { contents: 'write', issues: 'write', pull_requests: 'write' } as const;
  const github_token = job.github.createToken({
    ...{ actor: app.login, permissions, repositories: [shop.fullName] },
  });
  shop.comment(number, { author: 'ada', body: '@our-app write one' });
  const inputs = { github_token };
  const step = await job.run(shop, { program, event: 'issue_comment', actor: 'ada', inputs });
  const [report] = shop.comments(number).filter(({ author }) => author === app.login);
  expect([
    step.code,
    visible(report?.body ?? '').split(' ')[0],
    (await commitOf(shop, 'named')).files,
  ]).toEqual([0, '**Done.**', ['A one.txt']]);
});

test('several commands of one comment run in order in one job, each on the previous result', async () => {
  const number = await openPull('several');
  const comment = shop.comment(number, { author: 'ada', body: '@anode write one\n@anode write two' });
  const step = await job.run(shop, { program, event: 'issue_comment', actor: 'ada', inputs: {} });
  const reports = shop.comments(number).filter(({ id }) => id > comment.id);
  expect({
    code: step.code,
    log: await shop.git('log', '--format=%an', 'main..several'),
    reports: reports.map(({ body }) => visible(body).split(' ')[0]),
  }).toEqual({
    ...{ code: 0, log: 'github-actions[bot]\ngithub-actions[bot]\nada', reports: ['**Done.**', '**Done.**'] },
  });
});
