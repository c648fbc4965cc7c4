import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { verifyCommand } from '../../src/command-line/verify-command.ts';
import type { WorkflowUseName } from '../../src/workflow-files/workflow-uses.ts';
import { visible } from '../support/find-report.ts';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { startScriptedModel } from '../support/model/scripted-model.ts';
import { startSigstore } from '../support/sigstore/start-sigstore.ts';
import { commitOf } from '../uses/support/commit-of.ts';
import { call, lastResults } from '../uses/support/conversation.ts';
import { type PlayOptions, playWorkflow } from '../uses/support/play-workflow.ts';
import { git } from '../uses/support/runner-checkout.ts';
import { actionKey, type Job, startJob } from '../uses/support/start-job.ts';

let job: Job;
let shop: RepositoryHandle;
let fork: RepositoryHandle;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'anode-caches-'));
  job = await startJob();
  const files = {
    'colour.txt': 'red\n',
    'packages/shop/a.txt': 'one\n',
    'package-lock.json': '{ "old": 1 }\n',
  };
  shop = await job.github.createRepository('acme/shop', { files });
  shop.setPermission('ada', 'write');
  fork = await shop.fork('rex');
  const finding = { line: 1, severity: 'high', category: 'bug', title: 'Wrong', body: 'It is.' };
  job.learn('Review the changes', (turn, request) => {
    const file = /(?:packages\/shop\/)?b-\w+\.txt/.exec(JSON.stringify(request.messages))?.[0] ?? '';
    return turn === 1
      ? { calls: [call('report_findings', { findings: [{ ...finding, path: file }] })] }
      : { text: 'One finding.' };
  });
});
afterAll(async () => {
  await job.close();
  await rm(folder, { recursive: true });
});

const secrets = {
  ANTHROPIC_API_KEY: actionKey,
  ANODE_STATE_SECRET: 'a secret of more than thirty-two characters',
  ANODE_APP_KEY: 'the private key',
};
const variables = { ANODE_APP_ID: '7' };
const bot = 'github-actions[bot]';

/** Plays an example for what happened last. */
async function play(name: WorkflowUseName, options: Pick<PlayOptions, 'event'> & Partial<PlayOptions>) {
  const text = await readFile(`docs/examples/${name}.yml`, 'utf8');
  return playWorkflow(text, { job, shop }, { actor: 'ada', secrets, variables, ...options });
}

/** Paints a file at the first turn. */
const painting =
  (to: string, file = 'colour.txt') =>
  (turn: number) =>
    turn === 1
      ? { calls: [call('edit_file', { path: file, old_str: 'red', new_str: to })] }
      : { text: `It is ${to}.` };

async function openPull(branch: string, author = 'ada'): Promise<number> {
  await shop.commit(branch, { files: { [`b-${branch}.txt`]: 'one\n' }, message: branch, author: 'ada' });
  return (await shop.openPullRequest({ title: branch, head: branch, author })).number;
}

const said = (number: number) => shop.comments(number).map(({ body }) => visible(body).split('\n')[0]);
const findings = (number: number) =>
  shop.reviewComments(number).map(({ path: file, author }) => [file, author]);

test('review.yml reviews a pull request, and no draft', async () => {
  const number = await openPull('reviewed');
  const played = await play('review', { event: 'pull_request' });
  await shop.commit('draft', { files: { 'd.txt': 'one\n' }, message: 'Draft', author: 'ada' });
  await shop.openPullRequest({ title: 'Draft', head: 'draft', author: 'ada', draft: true });
  const draft = await play('review', { event: 'pull_request' });
  shop.close(number, { actor: 'ada' });
  expect([played?.review?.result, played?.review?.ran, findings(number), draft?.review?.result]).toEqual([
    'success',
    ['actions/checkout', 'OWNER/anode-ci', 'actions/upload-artifact'],
    [['b-reviewed.txt', bot]],
    'skipped',
  ]);
  const closed = await vi.waitFor(() => job.github.lastEventPayload('pull_request', 'closed'));
  expect(await play('review', { event: 'pull_request', payload: closed })).toBeNull();
});

test('comments.yml commits what a comment asks for, and is not started by talk of strangers', async () => {
  job.learn('paint it blue', painting('blue'));
  const number = await openPull('painted');
  shop.comment(number, { author: 'rex', body: 'Nice colours.' });
  const talk = await play('comments', { event: 'issue_comment' });
  shop.comment(number, { author: 'ada', body: '@anode paint it blue' });
  const played = await play('comments', { event: 'issue_comment' });
  expect([talk?.anode?.result, played?.anode?.result, (await commitOf(shop, 'painted')).files]).toEqual([
    'skipped',
    'success',
    ['M colour.txt'],
  ]);
});

test('keyless.yml signs the commit of a comment with the name of the workflow', async () => {
  const sigstore = await startSigstore();
  const root = path.join(folder, 'root.json');
  const clone = await mkdtemp(path.join(os.tmpdir(), 'anode-clone-'));
  try {
    await writeFile(root, sigstore.root);
    const workflow = `${shop.url}/.github/workflows/anode-keyless.yml@refs/heads/main`;
    sigstore.identify({ sub: workflow, repository: 'acme/shop', server: job.github.url });
    job.learn('paint it silver', painting('silver'));
    const number = await openPull('keyless');
    shop.comment(number, { author: 'ada', body: '@anode paint it silver' });
    const played = await play('keyless', { event: 'issue_comment', environment: sigstore.environment });
    await git(clone, 'clone', '-q', '--branch', 'keyless', shop.cloneUrl, '.');
    await git(clone, 'fetch', '-q', 'origin', 'refs/notes/anode:refs/notes/anode');
    let printed = '';
    const write = (text: string) => {
      printed += text;
    };
    const environment = { ANODE_TRUSTED_ROOT: root };
    const args = ['HEAD', '--cwd', clone, '--identity', workflow];
    const code = await verifyCommand(args, { environment, write } as never);
    expect([played?.anode?.result, code, printed.split('\n')[0]]).toEqual([
      'success',
      0,
      `Signed by ${workflow} in a job of ${shop.url}`,
    ]);
  } finally {
    await sigstore.close();
    await rm(clone, { recursive: true });
  }
});

test('two-jobs.yml commits in its second job what the first made, and skips both for talk of strangers', async () => {
  job.learn('paint it pink', painting('pink'));
  const number = await openPull('two-jobs');
  shop.comment(number, { author: 'rex', body: 'Nice colours.' });
  const talk = await play('two-jobs', { event: 'issue_comment', runId: 81 });
  shop.comment(number, { author: 'ada', body: '@anode paint it pink' });
  const played = await play('two-jobs', { event: 'issue_comment', runId: 82 });
  expect([
    [talk?.agent?.result, talk?.publish?.result],
    [played?.agent?.step?.outputs.branch_name, played?.publish?.step?.outputs.branch_name],
    (await commitOf(shop, 'two-jobs')).files,
  ]).toEqual([['skipped', 'skipped'], ['', 'two-jobs'], ['M colour.txt']]);
});

test('issues.yml turns an issue with the label into a pull request, and no other issue', async () => {
  job.learn('Implement what this issue asks for', painting('green'));
  const { number } = await shop.openIssue({ title: 'Paint the shop green', author: 'ada' });
  shop.addLabel(number, 'later', { actor: 'ada' });
  const other = await play('issues', { event: 'issues' });
  shop.addLabel(number, 'anode:implement', { actor: 'ada' });
  const played = await play('issues', { event: 'issues' });
  expect([
    other?.implement?.result,
    played?.implement?.result,
    shop.closingIssues(Number(played?.implement?.step?.outputs.pr_number)),
  ]).toEqual(['skipped', 'success', [number]]);
});

test('failed-build.yml repairs a build of the bot with the token of its App, and no build of a fork', async () => {
  job.learn('The build of this pull request failed', painting('white'));
  const number = await openPull('broken', 'shop-bot[bot]');
  await shop.endBuild(
    { branch: 'broken', conclusion: 'failure', job: 'test', log: 'Error: no white\n' },
    'shop-bot[bot]',
  );
  const played = await play('failed-build', { event: 'workflow_run', actor: 'shop-bot[bot]' });
  const { author, files } = await commitOf(shop, 'broken');
  await shop.endBuild(
    { branch: 'main', headRepository: fork, conclusion: 'failure', job: 'test', log: 'no\n' },
    'rex',
  );
  const foreign = await play('failed-build', { event: 'workflow_run', actor: 'rex' });
  expect({
    results: [played?.repair?.result, foreign?.repair?.result],
    said: said(number).map((line) => line?.replace(/\[`\w+`\]\(\S+\)/, 'SHA')),
    commit: [author.replace(/ <.*/, ''), files],
  }).toEqual({
    results: ['success', 'skipped'],
    said: ['**Done.** Committed SHA to `broken`: 1 file changed.'],
    commit: ['shop-bot[bot]', ['M colour.txt']],
  });
});

test("forks.yml reviews a fork's pull request after its build, and none of the repository", async () => {
  await fork.commit('side', { files: { 'b-side.txt': 'one\n' }, message: 'Side', author: 'rex' });
  const { number } = await shop.openPullRequest({
    title: 'Side',
    head: 'side',
    author: 'rex',
    headRepository: fork,
  });
  await shop.endBuild(
    { branch: 'side', headRepository: fork, conclusion: 'success', job: 'test', log: 'fine\n' },
    'rex',
  );
  const played = await play('forks', { event: 'workflow_run', actor: 'rex' });
  await openPull('own');
  await shop.endBuild({ branch: 'own', conclusion: 'success', job: 'test', log: 'fine\n' });
  const own = await play('forks', { event: 'workflow_run' });
  expect([played?.review?.result, findings(number), own?.review?.result]).toEqual([
    'success',
    [['b-side.txt', bot]],
    'skipped',
  ]);
});

test('checks.yml reviews without a model, and hands its findings to code scanning', async () => {
  await shop.commit('marked', { files: { 'b.c': '>>>>>>> x\n' }, message: 'Marked', author: 'ada' });
  const { number } = await shop.openPullRequest({ title: 'Marked', head: 'marked', author: 'ada' });
  const played = await play('checks', { event: 'pull_request', secrets: {} });
  expect([played?.checks?.result, findings(number), played?.checks?.ran]).toEqual([
    'success',
    [['b.c', bot]],
    ['OWNER/anode-ci', 'github/codeql-action/upload-sarif'],
  ]);
  expect(played?.checks?.printed).toContain('check/conflicts');
});

test('nightly.yml reports on the issues that a step wrote down, and posts nothing', async () => {
  job.learn('issues.json holds the open issues', (turn, request) =>
    turn === 1
      ? { calls: [call('read', { path: 'issues.json' })] }
      : { text: `Seen: ${lastResults(request)}` },
  );
  const from = job.github.requests.length;
  const played = await play('nightly', {
    ...{ event: 'schedule', actor: bot, payload: { schedule: '17 3 * * *' } },
    programs: { gh: `test -n "$GH_TOKEN"; echo '[{"number":1,"title":"It is slow"}]'` },
  });
  expect([played?.triage?.result, played?.triage?.step?.outputs.final_message, played?.triage?.ran]).toEqual([
    'success',
    expect.stringContaining('It is slow'),
    ['actions/checkout', 'run', 'OWNER/anode-ci', 'actions/upload-artifact'],
  ]);
  expect(visible(played?.triage?.step?.summary ?? '')).toContain('It is slow');
  const writes = job.github.requests
    .slice(from)
    .filter(({ kind, method }) => kind !== 'git' && method !== 'GET');
  expect(writes).toEqual([]);
});

test('upkeep.yml opens a pull request with the change of its task, and no second one', async () => {
  job.learn('Compare the README and the documentation', painting('gold'));
  const schedule = { event: 'schedule', actor: bot, payload: { schedule: '29 5 * * 2' } };
  const played = await play('upkeep', schedule);
  const { branch_name: branch = '', pr_number: number } = played?.upkeep?.step?.outputs ?? {};
  const again = await play('upkeep', schedule);
  expect([
    [played?.upkeep?.result, played?.upkeep?.ran, (await commitOf(shop, branch)).files],
    [again?.upkeep?.result, again?.upkeep?.step?.outputs.conclusion],
  ]).toEqual([
    ['success', ['OWNER/anode-ci', 'actions/upload-artifact'], ['M colour.txt']],
    ['success', 'skipped'],
  ]);
  shop.close(Number(number), { actor: 'ada' });
});

test('dependencies.yml opens a pull request with the token of an App, unless nothing changed', async () => {
  let changes = true;
  const mends = painting('black');
  job.learn('The versions in the lock file were raised', (turn) =>
    changes ? mends(turn) : { text: 'Nothing to do.' },
  );
  const login = `git config --global http.extraheader "AUTHORIZATION: basic $(printf 'x-access-token:%s' "$GH_TOKEN" | base64 -w0)"`;
  const gh = `if [[ "$1" == auth ]]; then ${login}; else printf '%s|' "$@"; fi`;
  const played = await play('dependencies', {
    ...{ event: 'schedule', actor: bot, payload: { schedule: '43 4 * * 1' } },
    programs: { npm: `echo '{ "new": 2 }' > package-lock.json`, gh },
  });
  const { update, open } = played ?? {};
  expect([
    [update?.result, update?.outputs, open?.result, open?.printed],
    (await commitOf(shop, 'anode/dependencies-7')).files,
  ]).toEqual([
    [
      ...['success', { changed: 'true', summary: 'It is black.' }, 'success'],
      'pr|create|--head|anode/dependencies-7|--title|Update dependencies|--body|It is black.|',
    ],
    ['M colour.txt', 'M package-lock.json'],
  ]);
  changes = false;
  const idle = await play('dependencies', {
    ...{ event: 'workflow_dispatch', payload: { inputs: {} } },
    programs: { npm: 'true', gh },
  });
  expect([idle?.update?.result, idle?.open?.result]).toEqual(['success', 'skipped']);
});

test('release-notes.yml drafts the release of a pushed tag', async () => {
  job.learn('Write the release notes of the tag v1.1.0', () => ({ text: '- Adds blue.' }));
  const ref = 'refs/tags/v1.1.0';
  const played = await play('release-notes', {
    ...{ event: 'push', ref, payload: { ref, before: '0'.repeat(40) } },
    programs: { gh: `printf '%s|' "$@"` },
  });
  expect([played?.notes?.result, played?.draft?.result, played?.draft?.printed]).toEqual([
    'success',
    'success',
    'release|create|v1.1.0|--draft|--verify-tag|--title|v1.1.0|--notes|- Adds blue.|',
  ]);
});

test('ghes.yml carries a question in the cache to the run that the answer starts', async () => {
  job.learn('choose the colour', (turn, request) =>
    turn === 1
      ? { calls: [call('ask_user', { question: 'Which colour?', options: ['Blue', 'Green'] })] }
      : { text: `Heard: ${lastResults(request)}` },
  );
  const number = await openPull('asked');
  shop.comment(number, { author: 'ada', body: '@anode choose the colour' });
  const asked = await play('ghes', { event: 'issue_comment', caches: folder, runId: 71 });
  shop.comment(number, { author: 'ada', body: 'green' });
  const answered = await play('ghes', { event: 'issue_comment', caches: folder, runId: 72 });
  expect([asked, answered].map((one) => one?.anode?.step?.outputs)).toEqual([
    expect.objectContaining({ conclusion: 'waiting' }),
    expect.objectContaining({ conclusion: 'success', final_message: expect.stringContaining('Green') }),
  ]);
});

test('local-model.yml works with a server of your own, without a key', async () => {
  const model = await startScriptedModel({
    script: (request) =>
      painting('violet')(request.messages.some(({ role }) => role === 'assistant') ? 2 : 1),
  });
  try {
    const number = await openPull('local');
    shop.comment(number, { author: 'ada', body: '@anode paint it violet' });
    const played = await play('local-model', {
      ...{ event: 'issue_comment', secrets: {}, variables: { ANODE_MODEL_URL: `${model.url}/v1` } },
    });
    expect([played?.anode?.result, (await commitOf(shop, 'local')).files, model.rejections]).toEqual([
      'success',
      ['M colour.txt'],
      [],
    ]);
    expect(new Set(model.requests.map(({ api, model: name }) => `${api} ${name}`)).size).toBe(1);
  } finally {
    await model.close();
  }
});

test('monorepo.yml reviews the pull requests that change a package', async () => {
  const changed = 'packages/shop/b-package.txt';
  await shop.commit('package', { files: { [changed]: 'one\n' }, message: 'P', author: 'ada' });
  const { number } = await shop.openPullRequest({ title: 'P', head: 'package', author: 'ada' });
  const played = await play('monorepo', { event: 'pull_request', changed: [changed] });
  expect([played?.review?.result, findings(number)]).toEqual(['success', [[changed, bot]]]);
  expect(await play('monorepo', { event: 'pull_request', changed: ['README.md'] })).toBeNull();
});
