import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/contract/json.ts';
import { planPrompt } from '../../../src/webhooks/plan/plan-prompt.ts';
import { readThreadSnapshot } from '../../../src/webhooks/plan/read-github-thread.ts';

const times = { created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-02T00:00:00Z' };
const ada = { login: 'ada', type: 'User' };
/** By the number of the comment; all others are Ada's. */
const commenters: Readonly<Record<number, { login: string; type: string }>> = {
  4: { login: 'rex', type: 'Bot' },
};

/** A GitHub that has so many pages of comments and of reviews; each page has one, numbered like the page. */
async function read(kind: 'issue' | 'pull_request', pages: number, payload: JsonObject = {}) {
  const asked: unknown[] = [];
  const paged = (name: string, item: (page: number) => object) => async (query: { page?: number }) => {
    asked.push([name, query]);
    const page = query.page ?? 1;
    const link = `<https://api.test/x?page=2>; rel="next", <https://api.test/x?per_page=100&page=${pages}>; rel="last"`;
    return { data: [item(page)], headers: pages > 1 ? { link } : {} };
  };
  const octokit = {
    rest: {
      issues: {
        listComments: paged('comments', (id) => ({
          id,
          user: commenters[id] ?? ada,
          body: `c${id}`,
          ...times,
        })),
      },
      pulls: {
        listReviewComments: async (query: object) => {
          asked.push(['review comments', query]);
          return {
            data: [
              { id: 71, user: { login: 'bot', type: 'Bot' }, body: 'r', path: 'a.ts', line: 3, ...times },
              { id: 72, user: null, body: 's', path: 'b.ts', line: null, ...times },
            ],
          };
        },
        listReviews: paged('reviews', (id) =>
          id === 9
            ? { id, user: null, body: 'draft' }
            : { id, user: ada, body: `v${id}`, submitted_at: times.created_at },
        ),
      },
    },
  };
  const trigger = { repository: { owner: 'acme', name: 'shop' }, thread: { kind, number: 5 } };
  return { asked, thread: await readThreadSnapshot(octokit as never, trigger as never, payload) };
}
const comment = (id: number) => ({
  ...{ kind: 'comment', id, author: 'ada', bot: false, body: `c${id}`, location: null },
  ...times,
});
const where = { owner: 'acme', repo: 'shop' };

test('an issue has its description from the event and the newest comments from GitHub', async () => {
  const page = (number: number) => ['comments', { ...where, issue_number: 5, per_page: 100, page: number }];
  const issue = { title: 'T', body: 'B', user: { login: 'rex', type: 'Bot' } };
  expect(await read('issue', 1, { issue, pull_request: { title: 'other' } })).toEqual({
    asked: [page(1)],
    thread: { title: 'T', author: 'rex', bot: true, body: 'B', entries: [comment(1)] },
  });
  const nobody = { title: '', author: 'ghost', bot: false, body: '' };
  expect(await read('issue', 2)).toEqual({
    asked: [page(1), page(2)],
    thread: { ...nobody, entries: [comment(1), comment(2)] },
  });
  expect(await read('issue', 3)).toEqual({
    asked: [page(1), page(2), page(3)],
    thread: { ...nobody, entries: [comment(2), comment(3)] },
  });
  expect((await read('issue', 4)).thread).toEqual({
    ...nobody,
    entries: [comment(3), { ...comment(4), author: 'rex', bot: true }],
  });
});

test('a pull request also has its review comments and the last page of reviews', async () => {
  const pull_request = { title: 'P', body: null, user: ada };
  const { asked, thread } = await read('pull_request', 2, { pull_request });
  expect(asked.slice(1, 3)).toEqual([
    ['review comments', { ...where, pull_number: 5, sort: 'created', direction: 'desc', per_page: 100 }],
    ['reviews', { ...where, pull_number: 5, per_page: 100, page: 1 }],
  ]);
  expect(thread).toEqual({
    ...{ title: 'P', author: 'ada', bot: false, body: '' },
    entries: [
      comment(1),
      comment(2),
      { kind: 'review_comment', id: 72, author: 'ghost', bot: false, body: 's', ...times, location: 'b.ts' },
      { kind: 'review_comment', id: 71, author: 'bot', bot: true, body: 'r', ...times, location: 'a.ts:3' },
      {
        ...{ kind: 'review', id: 2, author: 'ada', bot: false, body: 'v2', location: null },
        ...{ created_at: times.created_at, updated_at: times.created_at },
      },
    ],
  });
  expect((await read('pull_request', 9)).thread.entries.map(({ kind, id }) => `${kind} ${id}`)).toEqual([
    ...['comment 8', 'comment 9', 'review_comment 72', 'review_comment 71'],
  ]);
});

test('a prompt has the task of its verb, the text, the location and the answered comment', () => {
  const prompt = (trigger: object, root: { author: string; text: string } | null = null) =>
    planPrompt(
      { kind: 'task', text: '', location: null, actor: { login: 'ada' }, ...trigger } as never,
      (text, origin) =>
        text.replaceAll('BAD', origin === undefined ? '' : `${origin.where}/${origin.author}`),
      (text) => text.replaceAll('IMAGE', 'image-1'),
      { root },
    );
  const hunk = Array.from({ length: 21 }, (_, index) => `l${index}`);
  const location = { path: 'a.tsBAD', line: 3, side: 'RIGHT', diff_hunk: hunk.join('\n'), root_id: null };
  const triage = 'Sort this thread: which labels fit it, and whether another thread says the same.';
  const shown = hunk
    .slice(1)
    .map((line) => `    ${line}`)
    .join('\n');
  expect([
    prompt({ text: ' do BAD IMAGE ' }),
    prompt({ kind: 'triage' }),
    prompt({ kind: 'triage', text: 'soon' }),
    prompt({ text: 'why', location }),
    prompt(
      { text: 'why', location: { ...location, side: 'LEFT', diff_hunk: 'x' } },
      { author: 'rex', text: 'a\nb' },
    ),
    prompt({ text: 'why', location: { ...location, line: null, diff_hunk: 'x' } }),
    prompt({ text: 'why' }, { author: 'rex', text: 'y'.repeat(8_001) }),
  ]).toEqual([
    'do the request/ada image-1',
    triage,
    `${triage}\n\nThe requester adds:\nsoon`,
    `why\n\nThe request stands at a.ts, line 3 (after the change):\n\n${shown}`,
    'why\n\nThe request stands at a.ts, line 3 (before the change):\n\n    x\n\nThe comment of rex that it answers:\n\n    a\n    b',
    'why\n\nThe request stands at a.ts:\n\n    x',
    `why\n\nThe comment of rex that it answers:\n\n    ${'y'.repeat(8_000)}`,
  ]);
  const begins = (kind: string, more: object = {}) =>
    prompt({ kind, ...more })
      .split(' ')
      .slice(0, 5)
      .join(' ');
  expect([
    ...['review', 'implement', 'plan', 'fix', 'describe', 'improve'].map((kind) => begins(kind)),
    begins('fix', { location }),
    begins('review', { location }),
  ]).toEqual([
    'Review the changes of this',
    'Implement what this issue asks',
    'Plan what this thread asks',
    'Fix this pull request: what',
    'Describe this pull request from',
    'Suggest improvements to the lines',
    'Fix what the comment says',
    'Review the changes of this',
  ]);
});
