import nock from 'nock';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createOctokit } from '../../src/github/create-octokit.ts';
import { decideRetry } from '../../src/github/decide-retry.ts';

const api = 'https://github.test/api/v3';
const waits: number[] = [];
const client = () =>
  createOctokit({
    apiUrl: api,
    token: 'secret-token',
    wait: async (milliseconds) => void waits.push(milliseconds),
  });

beforeEach(() => {
  nock.disableNetConnect();
  waits.length = 0;
});
afterEach(() => {
  expect(nock.pendingMocks()).toEqual([]);
  nock.cleanAll();
  nock.enableNetConnect();
});

describe('createOctokit', () => {
  it('calls the given API with our user agent', async () => {
    nock(api, { reqheaders: { authorization: 'token secret-token', 'user-agent': /^anode-ci / } })
      .get('/repos/acme/shop')
      .reply(200, { id: 1 });
    expect((await client().rest.repos.get({ owner: 'acme', repo: 'shop' })).data).toEqual({ id: 1 });
  });

  it('retries a read after a failure of server or connection, and returns the answer', async () => {
    nock(api).get('/repos/acme/shop').reply(502).get('/repos/acme/shop').replyWithError('reset');
    nock(api).get('/repos/acme/shop').reply(200, { id: 1 });
    expect((await client().rest.repos.get({ owner: 'acme', repo: 'shop' })).data).toEqual({ id: 1 });
    expect(waits).toEqual([500, 1000]);
  });

  it('posts no secret, nor at a retry', async () => {
    const bodies: unknown[] = [];
    const posting = {
      budget: { take: async () => true, rest: () => undefined },
      redact: (text: string) => text.replaceAll('key', '***'),
    };
    const octokit = createOctokit({ apiUrl: api, token: 't', posting, wait: async () => undefined });
    const answerWith = (status: number) =>
      nock(api)
        .post('/repos/acme/shop/issues', (body) => bodies.push(body) > 0)
        .reply(status, {}, { 'retry-after': '7' });
    answerWith(403);
    answerWith(201);
    await octokit.rest.issues.create({ owner: 'acme', repo: 'shop', title: 'a key', body: 'the key' });
    expect(bodies).toEqual(Array(2).fill({ title: 'a ***', body: 'the ***' }));
  });

  it('does not retry a write that may have had its effect', async () => {
    nock(api).post('/repos/acme/shop/issues').reply(502);
    await expect(
      client().rest.issues.create({ owner: 'acme', repo: 'shop', title: 't' }),
    ).rejects.toMatchObject({
      status: 502,
    });
    expect(waits).toEqual([]);
  });

  it('retries a rate-limited write after the required wait', async () => {
    nock(api).post('/repos/acme/shop/issues').reply(403, {}, { 'retry-after': '7' });
    nock(api).post('/repos/acme/shop/issues').reply(201, { number: 3 });
    const { data } = await client().rest.issues.create({ owner: 'acme', repo: 'shop', title: 't' });
    expect([data, waits]).toEqual([{ number: 3 }, [7000]]);
  });

  it('retries a denied write once with a fresh token, and never a second time', async () => {
    const asked: (boolean | undefined)[] = [];
    const token = async (fresh?: boolean) => `token-${asked.push(fresh)}`;
    const wait = async (milliseconds: number) => void waits.push(milliseconds);
    const renewing = createOctokit({ apiUrl: api, token, wait });
    const post = () => renewing.rest.issues.create({ owner: 'acme', repo: 'shop', title: 't' });
    const answer = (number: number, status: number) =>
      nock(api, { reqheaders: { authorization: `token token-${number}` } })
        .post('/repos/acme/shop/issues')
        .reply(status, { number: 3 });
    for (const [index, status] of [401, 201, 403, 201, 404, 404].entries()) answer(index + 1, status);
    const made = [(await post()).data, (await post()).data];
    await expect(post()).rejects.toMatchObject({ status: 404 });
    expect([made, asked, waits]).toEqual([
      [{ number: 3 }, { number: 3 }],
      [false, true, false, true, false, true],
      [1000, 1000, 1000],
    ]);
  });

  it('asks for no fresh token when a write to an archived repository is denied', async () => {
    const asked: (boolean | undefined)[] = [];
    const token = async (fresh?: boolean) => `token-${asked.push(fresh)}`;
    nock(api)
      .post('/repos/acme/shop/issues')
      .reply(403, { message: 'Repository was archived so is read-only.' });
    const octokit = createOctokit({ apiUrl: api, token });
    const posted = octokit.rest.issues.create({ owner: 'acme', repo: 'shop', title: 't' });
    await expect(posted).rejects.toMatchObject({ status: 403 });
    expect(asked).toEqual([false]);
  });

  it('retries a failed GraphQL query, but no mutation', async () => {
    const broken = { data: null, errors: [{ message: 'Something went wrong while executing your query.' }] };
    nock('https://github.test').post('/api/graphql').times(3).reply(200, broken);
    nock('https://github.test')
      .post('/api/graphql')
      .reply(200, { data: { viewer: null } });
    expect(await client().graphql('query { viewer { login } }')).toEqual({ viewer: null });
    nock('https://github.test').post('/api/graphql').reply(200, broken);
    await expect(client().graphql('mutation { a }')).rejects.toThrow('Something went wrong');
    expect(waits).toEqual([500, 1000, 2000]);
  });

  it('gives up after three more tries', async () => {
    nock(api).get('/repos/acme/shop').times(4).reply(500);
    await expect(client().rest.repos.get({ owner: 'acme', repo: 'shop' })).rejects.toMatchObject({
      status: 500,
    });
    expect(waits).toEqual([500, 1000, 2000]);
  });
});

describe('decideRetry', () => {
  const failed = { method: 'GET', status: 500, headers: {}, message: '', retries: 0, now: 1_000_000 };
  it.each([
    ['a missing page', { status: 404 }, null],
    ['a refusal', { status: 403, headers: {} }, null],
    ['an operation that is not there', { status: 501 }, null],
    [
      'a used-up limit',
      { status: 403, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1030' } },
      30_000,
    ],
    ['a limit that lasts an hour', { status: 429, headers: { 'retry-after': '3600' } }, null],
    ['a limit that names no time', { status: 429 }, 60_000],
    ['a limit of some minutes', { status: 429, headers: { 'retry-after': '200' } }, null],
    ['the same for a write', { method: 'POST', status: 429, headers: { 'retry-after': '200' } }, 200_000],
    ['a secondary limit', { status: 403, message: 'You have exceeded a secondary rate limit.' }, 60_000],
    ['the same again', { status: 429, retries: 1 }, null],
    ['a fourth failure', { retries: 3 }, null],
  ])('of %s', (_title, change, wait) => {
    expect(decideRetry({ ...failed, ...change })).toBe(wait);
  });
});
