import nock from 'nock';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createOctokit } from '../../src/github/create-octokit.ts';
import { createStagedWrites, firstStagedId } from '../../src/github/staged-writes.ts';

const api = 'https://github.test/api/v3';
const at = { owner: 'acme', repo: 'shop' };

/** A staged client. A write that is sent fails, since nothing answers it. */
function stage() {
  const staged = createStagedWrites({
    apiUrl: api,
    serverUrl: 'https://github.test',
    ownLogin: 'anode[bot]',
  });
  return { staged, octokit: createOctokit({ apiUrl: api, token: 'secret-token', staged }) };
}

beforeEach(() => nock.disableNetConnect());
afterEach(() => {
  expect(nock.pendingMocks()).toEqual([]);
  nock.cleanAll();
  nock.enableNetConnect();
});

test('a comment that is edited is one write with its last text, and can be read back', async () => {
  const { staged, octokit } = stage();
  const { data } = await octokit.rest.issues.createComment({ ...at, issue_number: 7, body: 'Working.' });
  await octokit.rest.issues.updateComment({ ...at, comment_id: data.id, body: 'Done.' });
  const read = await octokit.rest.issues.getComment({ ...at, comment_id: data.id });
  expect([data.id, data.html_url, data.user?.login, read.data.body]).toEqual([
    firstStagedId,
    `https://github.test/acme/shop/issues/7#issuecomment-${firstStagedId}`,
    'anode[bot]',
    'Done.',
  ]);
  expect(staged.list()).toEqual([
    { kind: 'request', method: 'POST', path: '/repos/acme/shop/issues/7/comments', body: { body: 'Done.' } },
  ]);
});

test('a comment that is deleted again leaves no write', async () => {
  const { staged, octokit } = stage();
  const { data } = await octokit.rest.issues.createComment({ ...at, issue_number: 7, body: 'Working.' });
  await octokit.rest.issues.deleteComment({ ...at, comment_id: data.id });
  expect(staged.list()).toEqual([]);
});

test('an edit of what exists is answered with the rest of it, and seen by the next read', async () => {
  const { staged, octokit } = stage();
  nock(api).get('/repos/acme/shop/issues/comments/5').reply(200, { id: 5, html_url: 'x', body: 'old' });
  const { data } = await octokit.rest.issues.updateComment({ ...at, comment_id: 5, body: 'new' });
  const read = await octokit.rest.issues.getComment({ ...at, comment_id: 5 });
  expect([data, read.data.body]).toEqual([{ id: 5, html_url: 'x', body: 'new' }, 'new']);
  expect(staged.list()).toEqual([
    { kind: 'request', method: 'PATCH', path: '/repos/acme/shop/issues/comments/5', body: { body: 'new' } },
  ]);
});

test('an edit of what was deleted is refused as GitHub does, and is no write', async () => {
  const { staged, octokit } = stage();
  nock(api).get('/repos/acme/shop/issues/comments/5').reply(404, {});
  await expect(
    octokit.rest.issues.updateComment({ ...at, comment_id: 5, body: 'new' }),
  ).rejects.toMatchObject({ status: 404 });
  expect(staged.list()).toEqual([]);
});

test('whatever belongs to a new pull request is empty, and a new branch has its commit', async () => {
  const { octokit } = stage();
  await octokit.rest.git.createRef({ ...at, ref: 'refs/heads/anode/issue-7', sha: 'abc' });
  const ref = await octokit.rest.git.getRef({ ...at, ref: 'heads/anode/issue-7' });
  const { data: pull } = await octokit.rest.pulls.create({ ...at, title: 't', head: 'h', base: 'main' });
  const { data: reviews } = await octokit.rest.pulls.listReviews({ ...at, pull_number: pull.number });
  expect([ref.data.object.sha, pull.html_url, pull.labels, reviews]).toEqual([
    'abc',
    `https://github.test/acme/shop/pull/${pull.number}`,
    [],
    [],
  ]);
});

test('mutations of GraphQL and pushes are recorded, and queries are sent', async () => {
  const { staged, octokit } = stage();
  nock(api.replace('/v3', ''))
    .post('/graphql')
    .reply(200, { data: { viewer: { login: 'ada' } } });
  const query = await octokit.graphql('{ viewer { login } }');
  const resolve = 'mutation ($id: ID!) { resolveReviewThread(input: { threadId: $id }) { thread { id } } }';
  await octokit.graphql(resolve, { id: 'T_1' });
  const pushed = staged.push({ branch: 'main', message: 'Paint', patch: '+blue\n' });
  expect(query).toEqual({ viewer: { login: 'ada' } });
  expect(pushed.sha).toMatch(/^[0-9a-f]{40}$/);
  expect(staged.list()).toEqual([
    { kind: 'request', method: 'POST', path: '/graphql/resolveReviewThread', body: { id: 'T_1' } },
    { kind: 'push', branch: 'main', message: 'Paint', patch: '+blue\n' },
  ]);
});
