import { createServer, type Server } from 'node:http';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { loadApi } from '../protocol/api.ts';
import { octokitFor, refusalOf, shop, startShop } from '../shop.ts';

const start = Date.parse('2026-01-02T03:04:05Z');
let now = start;
let world: Awaited<ReturnType<typeof startShop>>;

beforeAll(async () => {
  world = await startShop({
    api: loadApi(),
    now: () => new Date(now),
    limits: {
      ...{ hourlyRequests: 20, workflowRequests: 8, workflowPoints: 2, anonymousRequests: 3 },
      ...{ anonymousSearches: 1, restPointsPerMinute: 22, graphqlPointsPerMinute: 6 },
      graphqlPoints: 4,
      searchesPerMinute: 2,
      contentPerMinute: 3,
      contentPerHour: 5,
      concurrent: 4,
    },
  });
});
afterAll(() => world.github.close());
afterEach(() => {
  // An hour that nobody used anything of.
  now += 3_600_000;
  world.github.limitBursts(false);
});

const say = () => world.ann.issues.createComment({ ...shop, issue_number: 1, body: 'x' });
const read = () => world.ann.issues.get({ ...shop, issue_number: 1 });
const secondary = {
  status: 403,
  message: 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.',
};
const times = async (count: number, act: () => Promise<unknown>) => {
  for (let index = 0; index < count; index += 1) await act();
};

it('an actor has a limited number of requests per hour (GitHub Docs, "Rate limits for the REST API")', async () => {
  await times(20, read);
  const refused = await refusalOf(read());
  const other = await world.bob.issues.get({ ...shop, issue_number: 1 });
  now += 3_600_000;
  const { headers } = await read();
  expect([refused, other.headers['x-ratelimit-used'], headers['x-ratelimit-remaining']]).toEqual([
    { status: 403, message: 'API rate limit exceeded for ann.' },
    '1',
    '19',
  ]);
});

it('GraphQL has its own limit of points per hour (GitHub Docs, "Rate limits and query limits for the GraphQL API")', async () => {
  const ask = (inner: number) =>
    world.ann.request('POST /graphql', {
      query: `{ repository(owner: "acme", name: "shop") { pullRequests(first: 100) { nodes { comments(first: ${inner}) { nodes { id } }
        reviews(first: 1) { nodes { id } } reviewThreads(first: 1) { nodes { comments(first: 1) { nodes { id } } } } } } } }`,
    });
  await read();
  const first = await ask(1);
  const second = await ask(100);
  const third = await world.bot.graphql('{ repository(owner: "acme", name: "shop") { id } }');
  const { headers: core } = await read();
  now += 3_600_000;
  const last = await ask(1);
  const reply = ({ data, headers }: typeof first) => [
    (data as { errors?: unknown }).errors,
    ...['limit', 'remaining', 'resource'].map((name) => headers[`x-ratelimit-${name}`]),
  ];
  // One request for the pull requests, and 100 each for their comments, reviews, threads and the
  // comments of these.
  expect([reply(first), reply(second), reply(last), third, core['x-ratelimit-used']]).toEqual([
    [undefined, '4', '0', 'graphql'],
    [[{ type: 'RATE_LIMIT', message: 'API rate limit already exceeded for ann.' }], ...['4', '0', 'graphql']],
    [undefined, '4', '0', 'graphql'],
    { repository: { id: expect.any(String) } },
    '2',
  ]);
});

it('an actor has a limited number of searches per minute (GitHub Docs, "REST API endpoints for search")', async () => {
  const search = () => world.ann.search.issuesAndPullRequests({ q: 'repo:acme/shop x' });
  await times(2, search);
  expect((await refusalOf(search())).status).toBe(403);
  now += 60_000;
  await search();
});

it('requests that create content are limited per minute and hour (GitHub Docs, "Rate limits for the REST API")', async () => {
  await times(4, say);
  world.github.limitBursts();
  await times(3, say);
  const minute = await say().catch((error: unknown) => error);
  await read();
  now += 60_000;
  await times(2, say);
  now += 60_000;
  const hour = await refusalOf(say());
  now += 3_600_000;
  await say();
  expect([minute, hour]).toMatchObject([
    { status: 403, response: { data: { message: secondary.message }, headers: { 'retry-after': '60' } } },
    secondary,
  ]);
});

it('requests cost points per minute: a read 1, a write 5 (the same page)', async () => {
  world.github.limitBursts();
  await say();
  await times(17, read);
  const rest = await refusalOf(read());
  const query = () => world.ann.graphql('{ repository(owner: "acme", name: "shop") { id } }');
  const mutate = () =>
    world.ann.request('POST /graphql', {
      query: 'mutation { resolveReviewThread(input: { threadId: "none" }) { clientMutationId } }',
    });
  await query();
  await mutate();
  const graphql = await refusalOf(mutate());
  now += 60_000;
  await read();
  await query();
  expect([rest, graphql]).toEqual([secondary, secondary]);
});

it('a workflow’s token has fewer requests and points per hour (the same page, and that of GraphQL)', async () => {
  const permissions = { contents: 'write', issues: 'write', pull_requests: 'write' } as const;
  const actor = 'github-actions[bot]';
  const job = octokitFor(world.github, world.github.createToken({ actor, permissions }));
  const issue = () => job.issues.get({ ...shop, issue_number: 1 });
  const query = () => job.graphql('{ repository(owner: "acme", name: "shop") { id } }');
  await times(8, issue);
  await times(2, query);
  await expect(query()).rejects.toThrow(`API rate limit already exceeded for ${actor}.`);
  expect(await refusalOf(issue())).toEqual({ status: 403, message: `API rate limit exceeded for ${actor}.` });
});

it('without a token there are fewer requests and searches, and pages do not count (the same pages)', async () => {
  const nobody = octokitFor(world.github);
  const issue = () => nobody.issues.get({ ...shop, issue_number: 1 });
  const search = () => nobody.search.issuesAndPullRequests({ q: 'repo:acme/shop x' });
  await times(4, () => fetch(`${world.repository.url}/issues/1`));
  await search();
  const searched = await refusalOf(search());
  await issue();
  const refused = { status: 403, message: 'API rate limit exceeded for 127.0.0.1.' };
  expect([searched, await refusalOf(issue())]).toEqual([refused, refused]);
});

it('simultaneous requests are limited (the same page)', async () => {
  world.github.limitBursts();
  const files = () => world.ann.pulls.listFiles({ ...shop, pull_number: 2 });
  const answers = await Promise.allSettled(Array.from({ length: 20 }, files));
  const refused = answers.filter(({ status }) => status === 'rejected');
  now += 3_600_000;
  const { status } = await read();
  expect([refused.length > 0, refused.length < 20, status]).toEqual([true, true, 200]);
});

it('reads after a write may return the state before it until the replica is current (observed: PyGithub, issue 2759)', async () => {
  const { github, repository, ann } = world;
  const sha = world.pull.headSha;
  const before = repository.comments(1).length;
  const comments = async () =>
    (await ann.issues.listComments({ ...shop, issue_number: 1, per_page: 100 })).data.length - before;
  const branches = async () => (await ann.repos.listBranches(shop)).data.map(({ name }) => name);
  github.lag(3);
  await say();
  await ann.git.createRef({ ...shop, ref: 'refs/heads/new', sha });
  const seen = [await comments(), await branches(), await comments(), await comments(), await branches()];
  github.lag(0);
  expect([seen, repository.comments(1).length - before]).toEqual([
    [0, ['fix', 'main'], 0, 1, ['fix', 'main', 'new']],
    1,
  ]);
  await say();
  expect(await comments()).toBe(2);
});

it('a GraphQL query may return an older state, but a mutation never does', async () => {
  const before = world.repository.comments(1).length;
  const ask = async () => {
    const { repository } = await world.ann.graphql<{
      repository: { issue: { comments: { totalCount: number } } };
    }>(
      '{ repository(owner: "acme", name: "shop") { issue(number: 1) { comments(first: 1) { totalCount } } } }',
    );
    return repository.issue.comments.totalCount - before;
  };
  const input = {
    branch: { repositoryNameWithOwner: 'acme/shop', branchName: 'fix' },
    message: { headline: 'New' },
    fileChanges: { additions: [{ path: 'new.txt', contents: '' }] },
  };
  world.github.lag(2);
  await world.repository.commit('fix', { files: { 'other.txt': 'x\n' }, message: 'Other' });
  await say();
  const expectedHeadOid = await world.repository.head('fix');
  await world.ann.graphql(
    '\n  mutation ($input: CreateCommitOnBranchInput!) { createCommitOnBranch(input: $input) { clientMutationId } }',
    { input: { ...input, expectedHeadOid } },
  );
  expect([await ask(), await ask(), await ask()]).toEqual([0, 0, 1]);
});

it('Webhooks may arrive simultaneously and in another order (observed: no page promises an order)', async () => {
  const got: string[] = [];
  const waiting: (() => void)[] = [];
  const server: Server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    request.on('end', () => {
      got.push((JSON.parse(text) as { comment: { body: string } }).comment.body);
      // Nothing is answered before all have come: one after the other, they never would.
      waiting.push(() => response.end());
      if (waiting.length === 3) for (const answer of waiting) answer();
    });
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  world.github.subscribe('anode', `http://127.0.0.1:${port}`, 'shuffled');
  for (const body of ['one', 'two', 'three']) world.repository.comment(1, { body, author: 'bob' });
  await world.github.settled();
  server.close();
  const statuses = world.github.deliveries.map(({ status }) => status);
  expect([got.toSorted(), statuses]).toEqual([
    ['one', 'three', 'two'],
    [200, 200, 200],
  ]);
});

it("an actor's limit covers its own requests only, over all of its tokens.", async () => {
  const other = octokitFor(world.github, world.github.createToken({ actor: 'ann' }));
  await times(3, read);
  expect((await other.issues.get({ ...shop, issue_number: 1 })).headers['x-ratelimit-used']).toBe('4');
});
