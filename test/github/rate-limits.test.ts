import { afterAll, beforeAll, expect, test } from 'vitest';
import { createContentBudget } from '../../src/github/content-budget.ts';
import { createOctokit } from '../../src/github/create-octokit.ts';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { type GitHub, startGitHub } from '../support/github/start-github.ts';
import { manualClock } from '../support/manual-clock.ts';

let github: GitHub;
let shop: RepositoryHandle;
beforeAll(async () => {
  github = await startGitHub();
  shop = await github.createRepository('acme/shop', { files: { 'a.txt': 'a\n' } });
  await shop.openIssue({ title: 'Limits', author: 'ada' });
});
afterAll(() => github.close());

/** Clients of one process that share their writes; waiting is whatever the test makes of it. */
function clients(wait: (milliseconds: number) => Promise<unknown>, clock = manualClock()) {
  const budget = createContentBudget(clock);
  const token = github.createToken({ actor: 'bot', permissions: { issues: 'write' } });
  return () => {
    const posting = { budget, redact: (text: string) => text };
    const octokit = createOctokit({ apiUrl: github.apiUrl, token, posting, wait });
    return (body: string) =>
      octokit.rest.issues.createComment({ owner: 'acme', repo: 'shop', issue_number: 1, body });
  };
}

const said = () => shop.comments(1).map(({ body }) => body);

test.each([
  ['a secondary limit', 403, { 'retry-after': '7' }, 7_000],
  ['a secondary limit that names no time', 403, {}, 60_000],
  ['too many requests', 429, { 'retry-after': '3' }, 3_000],
  ['a pause of some minutes', 429, { 'retry-after': '240' }, 240_000],
])('a write that GitHub refuses for %s is made once, at the time that GitHub gives', async (name, status, headers, after) => {
  const clock = manualClock();
  const waits: number[] = [];
  const say = clients(async (milliseconds) => {
    waits.push(milliseconds);
    clock.advance(milliseconds);
  }, clock)();
  const message = status === 403 ? 'You have exceeded a secondary rate limit.' : 'Too many requests.';
  github.failNext({ method: 'POST', path: /\/comments$/, status, headers, message });
  await say(name);
  expect([waits, said().filter((body) => body === name)]).toEqual([[after], [name]]);
});

test('while one request waits, no other one of the budget writes, and all continue afterwards', async () => {
  const clock = manualClock();
  const limited = Promise.withResolvers<void>();
  const client = clients((milliseconds) => {
    const over = new Promise((resolve) => clock.later(milliseconds, () => resolve(undefined)));
    limited.resolve();
    return over;
  }, clock);
  github.limitSecondary({ method: 'POST', path: /\/comments$/, retryAfterSeconds: 9 });
  const [first, second] = [client(), client()];
  const posted = [first('first')];
  await limited.promise;
  posted.push(second('second'));
  // One of another token is not held up, and by when it stands the second would, too.
  await clients(async () => undefined)()('of another');
  const meanwhile = said().slice(-1);
  clock.advance(9_000);
  await Promise.all(posted);
  expect([meanwhile, said().slice(-2).toSorted()]).toEqual([['of another'], ['first', 'second']]);
});

test.each([
  'RATE_LIMITED',
  'RATE_LIMIT',
])('a GraphQL answer with a rate limit error is retried too: %s', async (type) => {
  let asked = 0;
  const waits: number[] = [];
  const octokit = createOctokit({
    ...{ apiUrl: github.apiUrl, token: 'any' },
    wait: async (milliseconds) => waits.push(milliseconds),
  });
  const own = octokit.request.defaults({
    request: {
      fetch: async () =>
        Response.json(asked++ === 0 ? { errors: [{ type, message: 'Wait.' }] } : { data: { viewer: null } }, {
          headers: asked === 1 ? { 'retry-after': '5' } : {},
        }),
    },
  });
  const { data } = await own('POST /graphql', { query: 'mutation { x }' });
  expect([data, waits]).toEqual([{ data: { viewer: null } }, [5_000]]);
});
