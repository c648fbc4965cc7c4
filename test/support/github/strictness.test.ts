import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadApi } from './protocol/api.ts';
import { octokitFor, refusalOf, shop, startShop } from './shop.ts';

let world: Awaited<ReturnType<typeof startShop>>;

beforeAll(async () => {
  world = await startShop({ api: loadApi() });
});

afterAll(async () => {
  await world.github.close();
});

const request = (route: string, parameters: Record<string, unknown> = {}) =>
  refusalOf(world.bot.request(route, parameters));

it('an unknown field is refused by name', async () => {
  expect(await request('POST /repos/acme/shop/issues/1/comments', { body: 'Hello', bodyy: 'Hello' })).toEqual(
    {
      status: 422,
      message: 'Invalid request.',
      errors: ['body: request must NOT have unevaluated properties (bodyy)'],
    },
  );
});

it('a missing field, a wrong type, a value outside the list and an unknown query are refused', async () => {
  const missing = await request('POST /repos/acme/shop/issues/1/comments', {});
  const type = await request('POST /repos/acme/shop/issues/1/comments', { body: 7 });
  const value = await request('POST /repos/acme/shop/issues/1/reactions', { content: 'wow' });
  const query = await request('GET /repos/acme/shop/issues', { statee: 'open' });
  const path = await request('GET /repos/acme/shop/issues/one');
  expect([missing, type, value, query, path].map(({ status, errors }) => [status, errors])).toEqual([
    [422, ['body: is missing']],
    [422, ['body: /body must be string']],
    [422, ['body: /content must be equal to one of the allowed values']],
    [422, ['query: request must NOT have additional properties (statee)']],
    [422, ['path: /issue_number must be integer']],
  ]);
});

it('a body that is not JSON is refused', async () => {
  const answer = await fetch(`${world.github.apiUrl}/repos/acme/shop/issues`, {
    method: 'POST',
    body: '{"title":',
  });
  expect([answer.status, await answer.json()]).toEqual([
    400,
    { message: 'Problems parsing JSON', documentation_url: 'https://docs.github.com/rest', status: '400' },
  ]);
});

it('an operation missing in the stand-in is named; one missing on GitHub is not found', async () => {
  expect([
    await request('GET /repos/acme/shop/releases'),
    await request('GET /repos/acme/shop/nonsense'),
  ]).toEqual([
    {
      status: 501,
      message: 'The GitHub stand-in has not built repos/list-releases (/repos/{owner}/{repo}/releases)',
    },
    { status: 404, message: 'Not Found' },
  ]);
});

it('a request without a token reads a public repository and writes nothing', async () => {
  const nobody = octokitFor(world.github);
  expect((await nobody.issues.get({ ...shop, issue_number: 1 })).data.title).toBe('Lines have numbers');
  expect(
    (await refusalOf(nobody.issues.createComment({ ...shop, issue_number: 1, body: 'Hi' }))).status,
  ).toBe(401);
});

it('a reader comments but does not label, set statuses or move branches', async () => {
  const { bob } = world;
  await bob.issues.createComment({ ...shop, issue_number: 1, body: 'Hi' });
  const sha = world.pull.headSha;
  const refusals = await Promise.all([
    refusalOf(bob.issues.addLabels({ ...shop, issue_number: 1, labels: ['x'] })),
    refusalOf(bob.repos.createCommitStatus({ ...shop, sha, state: 'success' })),
    refusalOf(bob.git.createRef({ ...shop, ref: 'refs/heads/mine', sha })),
  ]);
  expect(refusals.map(({ status }) => status)).toEqual([403, 403, 403]);
});

it('both prefixes serve the same data, unchanged data are not sent twice, and limits are reported', async () => {
  const plain = await fetch(`${world.github.url}/repos/acme/shop/issues/1`);
  const etag = plain.headers.get('etag') ?? '';
  const again = await fetch(`${world.github.apiUrl}/repos/acme/shop/issues/1`, {
    headers: { 'if-none-match': etag },
  });
  expect([plain.status, again.status, plain.headers.get('x-ratelimit-limit')]).toEqual([200, 304, '60']);
});
