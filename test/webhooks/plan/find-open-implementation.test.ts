import { expect, test } from 'vitest';
import { findOpenImplementation } from '../../../src/webhooks/plan/find-open-implementation.ts';

const ours = {
  number: 8,
  body: 'Adds it.\n\nCloses #5\n',
  head: { ref: 'x', repo: { full_name: 'acme/shop' } },
  user: { login: 'bot[bot]' },
};

async function find(...pulls: readonly object[]) {
  const asked: unknown[] = [];
  const list = async (query: object) => {
    asked.push(query);
    return { data: pulls };
  };
  const found = await findOpenImplementation(
    { rest: { pulls: { list } } } as never,
    { owner: 'acme', repo: 'shop', number: 5 },
    { logins: ['other', 'bot[bot]'], branchPrefix: 'bot/' },
  );
  return { asked, found };
}

test('searches the open pull requests and returns the first match', async () => {
  expect([await find(ours, { ...ours, number: 9 }), (await find()).found]).toEqual([
    { asked: [{ owner: 'acme', repo: 'shop', state: 'open', per_page: 100 }], found: 8 },
    null,
  ]);
});

const branch = (ref: string) => ({ ...ours, body: null, head: { ...ours.head, ref } });

test.each<[what: string, pull: object, found: number | null]>([
  ['of another account', { ...ours, user: { login: 'eve' } }, null],
  ['without an author', { ...ours, user: null }, null],
  ['from a fork', { ...ours, head: { ref: 'x', repo: { full_name: 'eve/shop' } } }, null],
  ['from a deleted fork', { ...ours, head: { ref: 'x', repo: null } }, null],
  ['that closes another issue', { ...ours, body: 'Closes #51' }, null],
  ['that only mentions it', { ...ours, body: 'It Closes #5 and more' }, null],
  ['without a description', { ...ours, body: null }, null],
  ['with the issue in its branch name', branch('bot/issue-5-dates'), 8],
  ['on a branch for another issue', branch('bot/issue-51-dates'), null],
  ['on a branch whose name only ends like one for the issue', branch('x/bot/issue-5-'), null],
])('decides if the implementation is a pull request %s', async (_, pull, found) => {
  expect((await find(pull)).found).toBe(found);
});
