import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOctokit } from '../../src/github/create-octokit.ts';
import { appPermissions } from '../support/app-process.ts';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { call } from './support/conversation.ts';
import { type Stage, startStage } from './support/start-app.ts';

let stage: Stage;
let shop: RepositoryHandle;

beforeAll(async () => {
  stage = await startStage({}, { ...appPermissions, checks: 'write' });
  shop = await stage.github.createRepository('acme/shop', {
    files: { 'a.txt': 'one\n', '.github/anode.yml': 'sandbox: preferred\n' },
  });
  shop.setPermission('ada', 'write');
  shop.setPermission('rex', 'read');
});
afterAll(() => stage.close());

const finding = {
  ...{ path: 'a.txt', line: 1, severity: 'high', category: 'bug', title: 'Wrong', body: 'Because.' },
};

/**
 * A pull request with an automated review; `ended` is called when the model has said its last word.
 */
async function openReviewed(branch: string, ended: () => void): Promise<number> {
  const words = `line of ${branch}`;
  stage.learn(words, (turn) => {
    if (turn === 1) return { calls: [call('report_findings', { findings: [finding] })] };
    ended();
    return { text: 'See the line.' };
  });
  await shop.commit(branch, { files: { 'a.txt': `${words}\n` }, message: branch, author: 'rex' });
  return (await shop.openPullRequest({ title: branch, head: branch, author: 'rex' })).number;
}

const own = (number: number) => shop.comments(number).filter(({ author }) => author === stage.app.login);
const endOf = (number: number) => own(number).map(({ body }) => /\*\*[^*]+\*\*/.exec(body)?.[0]);
const checkOf = async (branch: string) => {
  const sha = await shop.head(branch);
  return shop.checkRuns().filter(({ headSha }) => headSha === sha);
};
const isChecked = async (branch: string) =>
  (await checkOf(branch)).some(({ status }) => status === 'completed');

test('an automated review whose last writes fail is finished later, and calls the model once', async () => {
  const number = await openReviewed('failing', () => {
    stage.github.failNext({ method: 'PATCH', path: /issues\/comments/, body: /open finding/, status: 500 });
    stage.github.failNext({ method: 'PATCH', path: /check-runs/, body: /completed/, status: 500 });
  });
  await stage.until('the end of the check', () => isChecked('failing'));
  expect([endOf(number), shop.reviews(number).length, stage.requestsFor('line of failing').length]).toEqual([
    ...[['**1 open finding**'], 1, 2],
  ]);
});

test('each write that is denied once is repeated with a fresh token', async () => {
  const { failNext } = stage.github;
  const number = await openReviewed('denied', () => {
    failNext({ method: 'POST', path: /pulls\/\d+\/reviews/, status: 403 });
    failNext({ method: 'PATCH', path: /issues\/comments/, body: /open finding/, status: 404 });
    failNext({ method: 'PATCH', path: /check-runs/, body: /completed/, status: 401 });
  });
  await stage.until('the end of the check', () => isChecked('denied'));
  const { title } = (await checkOf('denied'))[0] ?? {};
  expect([endOf(number), shop.reviews(number).length, title]).toEqual([
    ...[['**1 open finding**'], 1, '1 finding: 1 high'],
  ]);
});

test('a commit succeeds even if GraphQL fails at it without a reason', async () => {
  await shop.commit('untyped', { files: { 'b.txt': 'b\n' }, message: 'B', author: 'ada' });
  const pull = await shop.openPullRequest({ title: 'untyped', head: 'untyped', author: 'ada', draft: true });
  stage.passTime();
  stage.learn('write it down', (turn) => {
    if (turn === 1) return { calls: [call('create_file', { path: 'new.txt', content: 'new\n' })] };
    const errors = [{ message: 'Something went wrong while executing your query.' }];
    stage.github.failNext({ method: 'POST', path: /\/graphql$/, status: 200, json: { data: null, errors } });
    return { text: 'Written.' };
  });
  const { id } = shop.comment(pull.number, { author: 'ada', body: '@anode write it down' });
  const report = await stage.report(shop, pull.number, id);
  expect([
    /Not committed.*/.exec(report),
    await shop.git('show', '--format=', '--name-status', 'untyped'),
  ]).toEqual([null, 'A\tnew.txt']);
});

test('a review waits until GitHub knows the delivered push', async () => {
  const number = await openReviewed('late', () => {});
  await stage.until('the first review', () => isChecked('late'));
  const files = { 'a.txt': 'second line of late\n' };
  const sha = await shop.commit('later', { files, message: 'Second', author: 'rex' });
  const token = stage.github.createToken({ actor: 'ada' });
  const { git } = createOctokit({ apiUrl: stage.github.apiUrl, token }).rest;
  stage.github.lag(3);
  await git.updateRef({ owner: 'acme', repo: 'shop', ref: 'heads/late', sha, force: true });
  await stage.until('the second review', () => stage.requestsFor('second line of late').length > 0);
  stage.github.lag(0);
  await stage.until('the end of the second check', () => isChecked('late'));
  expect([endOf(number), stage.requestsFor('second line of late').length]).toEqual([
    ...[['**1 open finding**'], 2],
  ]);
});

test('an App killed at the last writes of a review finishes it after its restart', async () => {
  let last: () => void = () => {};
  const armed = Promise.withResolvers<void>();
  const number = await openReviewed('killed', () => {
    const stop = stage.github.onRequest(({ method, path }) => {
      if (method !== 'PATCH' || !path.includes('/issues/comments/')) return;
      stop();
      armed.resolve();
    });
    last = stop;
  });
  await armed.promise;
  last();
  await stage.server().kill();
  await stage.restart();
  await stage.until('the end of the check', () => isChecked('killed'));
  expect([endOf(number), shop.reviews(number).length, stage.requestsFor('line of killed').length]).toEqual([
    ...[['**1 open finding**'], 1, 2],
  ]);
});
