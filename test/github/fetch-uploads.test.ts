import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ThreadImage, ThreadLocation } from '../../src/contract/plan.ts';
import { createOctokit } from '../../src/github/create-octokit.ts';
import { fetchUploads } from '../../src/github/fetch-uploads.ts';
import { type GitHub, startGitHub } from '../support/github/start-github.ts';

let github: GitHub;
/** Another host, which must never be asked for anything. */
let elsewhere: Server;
let asked = 0;
beforeAll(async () => {
  github = await startGitHub();
  elsewhere = createServer((_, response) => {
    asked += 1;
    response.end('secret');
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  elsewhere.close();
  await github.close();
});
let repositories = 0;
let name = '';
beforeEach(() => {
  repositories += 1;
  name = `shop${repositories}`;
  asked = 0;
});

const open = () => github.createRepository(`acme/${name}`);
const image = (
  number: number,
  url: string,
  place: ThreadLocation = { kind: 'description' },
): ThreadImage => ({
  name: `image-${number}`,
  url,
  place,
});
function fetched(images: readonly ThreadImage[], signal: AbortSignal = new AbortController().signal) {
  const token = github.createToken({
    actor: 'anode-ci[bot]',
    permissions: { issues: 'read', pull_requests: 'read' },
  });
  return fetchUploads(images, {
    octokit: createOctokit({ apiUrl: github.apiUrl, token, signal, wait: async () => undefined }),
    owner: 'acme',
    repo: name,
    thread: 1,
    serverUrl: github.url,
    mostBytes: 10,
    signal,
  });
}

test('uploads are fetched from their address, once for each text, without a token', async () => {
  const shop = await open();
  const addresses = ['a', 'b', 'c'].map((text) => github.upload(Buffer.from(text), { private: true }));
  const [a = '', b = '', c = ''] = addresses;
  await shop.openIssue({ title: 'T', author: 'ada', body: `![](${a}) ![](${b})` });
  const comment = shop.comment(1, { author: 'rex', body: `<img src="${c}">` });
  const before = github.requests.length;
  expect(await fetched([image(1, a), image(2, b), image(3, c, { kind: 'comment', id: comment.id })])).toEqual(
    [
      { name: 'image-1', bytes: Buffer.from('a') },
      { name: 'image-2', bytes: Buffer.from('b') },
      { name: 'image-3', bytes: Buffer.from('c') },
    ],
  );
  const requests = github.requests.slice(before);
  expect(requests.map(({ kind }) => kind).sort()).toEqual(['rest', 'rest', 'upload', 'upload', 'upload']);
});

test('uploads in a review and on the diff are also found', async () => {
  const shop = await open();
  await shop.commit('topic', { files: { 'a.ts': 'a\nb\n' }, message: 'A', author: 'ada' });
  await shop.openPullRequest({ title: 'A', head: 'topic', author: 'ada' });
  const url = github.upload(Buffer.from('a'));
  const token = github.createToken({ actor: 'ada' });
  shop.setPermission('ada', 'write');
  const { rest } = createOctokit({ apiUrl: github.apiUrl, token });
  const where = { owner: 'acme', repo: name, pull_number: 1 };
  const body = `![](${url})`;
  const { data: review } = await rest.pulls.createReview({
    ...where,
    event: 'COMMENT',
    body,
    comments: [{ path: 'a.ts', line: 1, side: 'RIGHT', body }],
  });
  const { data: comments } = await rest.pulls.listReviewComments(where);
  expect(
    await fetched([
      image(1, url, { kind: 'review', id: review.id }),
      image(2, url, { kind: 'review_comment', id: comments[0]?.id ?? 0 }),
    ]),
  ).toEqual([
    { name: 'image-1', bytes: Buffer.from('a') },
    { name: 'image-2', bytes: Buffer.from('a') },
  ]);
});

test('each unavailable upload is reported and does not block others', async () => {
  const shop = await open();
  const [whole, large, gone] = [Buffer.from('1234567890'), Buffer.alloc(11), Buffer.from('gone')].map(
    (bytes) => github.upload(bytes),
  );
  await shop.openIssue({ title: 'T', author: 'ada', body: `![](${whole}) ![](${large}) ![](${gone})` });
  github.world.uploads.delete(String(gone).slice(-36));
  const other = github.upload(Buffer.from('other'));
  expect(
    await fetched([
      image(1, String(whole)),
      image(2, String(large)),
      image(3, String(gone)),
      image(4, other),
      image(5, other, { kind: 'comment', id: 1 }),
    ]),
  ).toEqual([
    { name: 'image-1', bytes: whole && Buffer.from('1234567890') },
    { name: 'image-2', failure: 'it has more than 0 KiB.' },
    { name: 'image-3', failure: 'the answer for it was 404.' },
    { name: 'image-4', failure: 'it is not in the text any more.' },
    { name: 'image-5', failure: 'GitHub answered 404 for the text it stands in.' },
  ]);
});

test('a redirect to anywhere else is not followed', async () => {
  const shop = await open();
  const url = github.upload(Buffer.from('a'));
  await shop.openIssue({ title: 'T', author: 'ada', body: `![](${url})` });
  const { port } = elsewhere.address() as AddressInfo;
  github.failNext({
    path: /^\/storage\//,
    status: 302,
    headers: { location: `http://127.0.0.1:${port}/user-attachments/assets/${url.slice(-36)}` },
  });
  expect(await fetched([image(1, url)])).toEqual([
    { name: 'image-1', failure: 'its address leads elsewhere.' },
  ]);
  expect(asked).toBe(0);
});

test('a broken connection, a time-out and an aborted run have different messages', async () => {
  const shop = await open();
  const url = github.upload(Buffer.from('a'));
  await shop.openIssue({ title: 'T', author: 'ada', body: `![](${url})` });
  github.failNext({ path: /^\/storage\// });
  const ended = new AbortController();
  ended.abort();
  expect([
    ...(await fetched([image(1, url)])),
    ...(await fetched([image(1, url)], AbortSignal.abort(new DOMException('late', 'TimeoutError')))),
    ...(await fetched([image(1, url)], ended.signal)),
  ]).toEqual([
    { name: 'image-1', failure: 'the connection failed.' },
    { name: 'image-1', failure: 'it took too long.' },
    { name: 'image-1', failure: 'the run was ended.' },
  ]);
});
