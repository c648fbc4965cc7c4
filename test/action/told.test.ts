import { afterAll, beforeAll, expect, test } from 'vitest';
import { visible } from '../support/find-report.ts';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { type Job, openShop, type StepOptions, startJob } from '../uses/support/start-job.ts';

let job: Job;
let shop: RepositoryHandle;
beforeAll(async () => {
  job = await startJob();
  shop = await openShop(job);
});
afterAll(() => job.close());

/** Opens a pull request from a branch of the repository. */
async function opened(of: RepositoryHandle, head: string): Promise<number> {
  await of.commit(head, { files: { [`${head}.txt`]: 'b\n' }, message: `Add ${head}`, author: 'ada' });
  return (await of.openPullRequest({ title: head, head, author: 'ada' })).number;
}

/** Runs a job and returns its exit code, conclusion and annotations. */
async function shown(of: RepositoryHandle, options: Partial<StepOptions> & { event: string }) {
  const { code, stdout, outputs } = await job.run(of, { actor: 'ada', inputs: {}, ...options });
  const lines = stdout.split('\n');
  return {
    code,
    conclusion: outputs.conclusion,
    annotations: lines.filter((line) => /^::(?!add-mask|group|endgroup)/.test(line)),
  };
}

const lacks = (permission: string, line: string) =>
  `::error::The job’s token lacks the permission \`${permission}\`. Add the line \`${line}\` under \`permissions:\` in the workflow.`;

test('a review whose job may not comment fails with the missing permission', async () => {
  await opened(shop, 'mute');
  expect(
    await shown(shop, { event: 'pull_request', permissions: { contents: 'read', pull_requests: 'read' } }),
  ).toEqual({
    code: 1,
    conclusion: 'failure',
    annotations: [lacks('pull_requests: write', 'pull-requests: write')],
  });
});

test('a requested task whose job may not read the files fails with the missing permission', async () => {
  const { number } = await shop.openIssue({ title: 'Paint', author: 'ada' });
  shop.comment(number, { author: 'ada', body: '@anode paint it' });
  const permissions = { issues: 'write', pull_requests: 'write' } as const;
  expect(await shown(shop, { event: 'issue_comment', permissions })).toEqual({
    ...{ code: 1, conclusion: 'failure', annotations: [lacks('contents: read', 'contents: read')] },
  });
});

test('a broken configuration fails the review of an opened pull request', async () => {
  const broken = await job.github.createRepository('acme/broken', {
    files: { 'a.txt': 'a\n', '.github/anode.yml': 'permissions:\n  presets: strict\n' },
  });
  broken.setPermission('ada', 'write');
  await opened(broken, 'topic');
  expect(await shown(broken, { event: 'pull_request' })).toEqual({
    ...{ code: 1, conclusion: 'failure' },
    annotations: [expect.stringMatching(/^::error::.*Did you mean permissions\.preset\?$/u)],
  });
});

test('a missing key is told once on a pull request, however often it is pushed to', async () => {
  const number = await opened(shop, 'keyless');
  const inputs = { anthropic_api_key: '' };
  const first = await shown(shop, { event: 'pull_request', inputs });
  await shop.commit('keyless', { files: { 'c.txt': 'c\n' }, message: 'More', author: 'ada' });
  const second = await shown(shop, { event: 'pull_request', inputs });
  const told = shop.comments(number).map(({ body }) => visible(body));
  expect({ first, second, told }).toEqual({
    first: {
      ...{ code: 1, conclusion: 'failure' },
      annotations: [
        expect.stringMatching(/^::error::No model is set.*secret may be empty or not available/u),
      ],
    },
    second: first,
    told: [expect.stringMatching(/^\*\*Failed\.\*\* No model is set and no key was found\./u)],
  });
});

test('without the secret of the state, what cannot be done names it in thread and log', async () => {
  const number = await opened(shop, 'stateless');
  const say = async (body: string) => {
    shop.comment(number, { author: 'ada', body });
    const { code, annotations } = await shown(shop, { event: 'issue_comment' });
    return { code, annotations, reply: visible(shop.comments(number).at(-1)?.body ?? '') };
  };
  const [dismissed, retried] = [await say('/anode dismiss 0123456789abcdef no'), await say('/anode retry')];
  const nothing = 'Nothing is stored of findings here, which takes the input `state_secret` of the workflow';
  expect([dismissed.code, dismissed.reply, dismissed.annotations]).toEqual([
    0,
    expect.stringContaining(nothing),
    [expect.stringContaining(`::notice::No run was started. ${nothing}`)],
  ]);
  const unknown = 'Nothing was asked for on this thread that I still know of. This workflow stores nothing';
  expect([retried.code, retried.reply]).toEqual([0, expect.stringContaining(unknown)]);
});

test('a misspelt command is named in the log', async () => {
  const number = await opened(shop, 'misspelt');
  shop.comment(number, { author: 'ada', body: '/anode fxi' });
  const { annotations } = await shown(shop, { event: 'issue_comment' });
  expect(annotations).toEqual([
    '::notice::No run was started: `/anode fxi` is not a command. Did you mean `/anode fix`?',
  ]);
});

test('a bot that is not allowed is told the input, too', async () => {
  const { number } = await shop.openIssue({ title: 'Bots', author: 'ada' });
  job.github.addApp({ slug: 'helper', permissions: { issues: 'write' } });
  shop.comment(number, { author: 'helper[bot]', body: '@anode paint it' });
  expect(await shown(shop, { event: 'issue_comment', actor: 'helper[bot]' })).toEqual({
    ...{ code: 0, conclusion: 'skipped' },
    annotations: [
      '::notice::No run was started: helper[bot] is a Bot that neither `triggers.allowBots` nor the input `allowed_bots` names.',
    ],
  });
});
