import type { Octokit } from '@octokit/rest';
import { expect, test } from 'vitest';
import type { PreviousFinding, ReviewRecord } from '../../../src/contract/review-record.ts';
import {
  type OwnPosts,
  type OwnReviewComment,
  readOwnPosts,
} from '../../../src/reporting/findings/own-posts.ts';
import {
  previousFindings,
  readReviewRecord,
  saveReviewRecord,
} from '../../../src/reporting/findings/previous-findings.ts';
import { writeMarker } from '../../../src/reporting/text/marker.ts';
import { createMemoryStateStore } from '../../../src/state/memory-state-store.ts';
import { samplePlan } from '../samples.ts';

const own = 'anode-ci[bot]';
const plan = samplePlan();
const known: PreviousFinding = {
  ...{ id: 'f1', path: 'src/a.js', side: 'RIGHT', line: 3, severity: 'high', category: 'bug' },
  ...{ title: 'Off by one', check: null, anchor: 'x', window: 'w', occurrence: 0, state: 'open' },
  ...{ run_id: 'run_0', dismissed_by: null, fixed: null },
};

const review = (id: number, body: string, more: object = {}) => ({
  ...{ id, body, user: { login: own }, html_url: `https://r/${id}`, state: 'COMMENTED', commit_id: 'c' },
  ...more,
});
const reviewMark = writeMarker('review', { run: 'run_0' });
const mark = (fp: string) => writeMarker('finding', { fp, severity: 'low', category: 'bug' });
const comment = (id: number, body: string, more: object = {}) => ({
  ...{ id, body, node_id: `n${id}`, user: { login: own, type: 'Bot' }, pull_request_review_id: 1 },
  ...{ path: 'src/a.js', side: 'RIGHT', line: 3, original_line: 2, diff_hunk: '@@', reactions: { '-1': 2 } },
  created_at: '2026-01-02T03:04:05Z',
  ...more,
});

/** Reads our posts on a pull request with these reviews and comments. */
async function read(reviews: readonly object[], comments: readonly object[] = [], change = {}) {
  const asked: unknown[] = [];
  const octokit = {
    rest: { pulls: { listReviews: reviews, listReviewComments: comments } },
    paginate: async (all: unknown, query: object) => {
      asked.push(query);
      return all;
    },
  };
  const posts = await readOwnPosts(samplePlan(change), octokit as unknown as Octokit, own);
  return { ...posts, listed: [...posts.listed], asked };
}

test('reads reviews of our account that begin with our marker', async () => {
  const partial = writeMarker('review', { run: 'run_2', partial: '1' });
  const { reviews, asked } = await read([
    review(1, `${reviewMark}\nText`),
    review(2, `Quoted:\n${reviewMark}`),
    review(3, reviewMark, { user: { login: 'eve' } }),
    review(4, reviewMark, { user: null }),
    review(5, `${partial}\nText`, { state: 'APPROVED', commit_id: null }),
  ]);
  const first = { id: 1, url: 'https://r/1', body: `${reviewMark}\nText`, state: 'COMMENTED', commit: 'c' };
  const second = { id: 5, url: 'https://r/5', body: `${partial}\nText`, state: 'APPROVED', commit: null };
  expect(reviews).toEqual([
    { ...first, run: 'run_0', partial: false },
    { ...second, run: 'run_2', partial: true },
  ]);
  const place = { owner: 'acme', repo: 'shop', pull_number: 7, per_page: 100 };
  expect(asked).toEqual([place, place]);
  expect((await read([], [], { thread: null })).asked[0]).toEqual({ ...place, pull_number: 0 });
});

test('reads the first comment of each id in our reviews', async () => {
  const replies = [
    comment(21, 'Yes', { in_reply_to_id: 11, user: { login: 'ada', type: 'User' } }),
    comment(22, 'Done', { in_reply_to_id: 11 }),
    comment(23, 'Gone', { in_reply_to_id: 11, user: null }),
    comment(24, 'Else', { in_reply_to_id: 12, user: { login: 'ada', type: 'User' } }),
  ];
  const { comments: remarks, repeated } = await read(
    [review(1, `${reviewMark}\n`)],
    [
      comment(11, `${mark('f1')}\nOne`),
      ...replies,
      comment(12, `${mark('f1')}\nAgain`),
      comment(13, `${mark('f2')}\nTwo`, { user: { login: 'eve', type: 'User' } }),
      comment(14, `${mark('f3')}\nThree`, { pull_request_review_id: 9 }),
      comment(15, `Says ${mark('f4')}`),
      comment(16, 'Nothing'),
      comment(17, `${mark('f5')}\nReply`, { in_reply_to_id: 11 }),
      comment(18, writeMarker('finding', { path: 'a' })),
      comment(19, `${mark('f6')}\nSix`, { side: 'LEFT', line: null, reactions: undefined }),
      comment(20, `${mark('f7')}\nSeven`, { side: undefined, line: null, original_line: undefined }),
    ],
  );
  const one = {
    ...{ fp: 'f1', fields: { fp: 'f1', severity: 'low', category: 'bug' }, id: 11, nodeId: 'n11' },
    ...{ reviewId: 1, path: 'src/a.js', side: 'RIGHT', line: 3, diffHunk: '@@', body: `${mark('f1')}\nOne` },
    createdAt: '2026-01-02T03:04:05Z',
    thumbsDown: 2,
    replies: [
      { login: 'ada', bot: false, body: 'Yes' },
      { login: own, bot: true, body: 'Done' },
      { login: '', bot: true, body: 'Gone' },
      { login: own, bot: true, body: `${mark('f5')}\nReply` },
    ],
  };
  expect(repeated).toEqual([{ id: 12, reviewId: 1 }]);
  expect([remarks[0], remarks.map(({ fp, side, line, thumbsDown }) => [fp, side, line, thumbsDown])]).toEqual(
    [
      one,
      [
        ['f1', 'RIGHT', 3, 2],
        ['f6', 'LEFT', 2, 0],
        ['f7', 'RIGHT', 1, 2],
      ],
    ],
  );
});

test('reads findings from the text of reviews, the first of each id', async () => {
  const { listed } = await read([
    review(1, `${reviewMark}\n- ${mark('f1')}\n- ${mark('f2')}\n- ${writeMarker('finding', { path: 'x' })}`),
    review(2, `${reviewMark}\n- ${mark('f1')}`),
  ]);
  const fields = (fp: string) => ({ fp, severity: 'low', category: 'bug' });
  expect(new Map(listed)).toEqual(
    new Map([
      ['f1', { reviewId: 1, fields: fields('f1') }],
      ['f2', { reviewId: 1, fields: fields('f2') }],
    ]),
  );
});

const remark = (more: Partial<OwnReviewComment> = {}): OwnReviewComment => ({
  ...{
    fp: 'f1',
    fields: { fp: 'f1', severity: 'low', category: 'bug', check: 'files' },
    id: 11,
    nodeId: 'n',
  },
  ...{
    reviewId: 1,
    path: 'src/b.js',
    side: 'LEFT',
    line: 9,
    diffHunk: '@@ -1 +1 @@\n ctx\n-  a b;\n\\ No end',
  },
  ...{
    body: `${mark('f1')}\n**low** · Said so\n\nText`,
    createdAt: '2026-01-02T03:04:05Z',
    thumbsDown: 0,
    replies: [],
  },
  ...more,
});
const posts = (more: Partial<OwnPosts> = {}): OwnPosts => ({
  reviews: [],
  comments: [],
  listed: new Map(),
  ...more,
});
const ofRun = (id: number, run: string | null) => ({
  ...{ id, url: 'u', body: '', state: 'COMMENTED', commit: null, run, partial: false },
});
const record = (findings: readonly PreviousFinding[]): ReviewRecord => ({
  ...{ version: 1, reviewed: null, findings: [...findings] },
});

test('counts posted findings of a record, and dismisses deleted ones', () => {
  const listed = new Map([['f2', { reviewId: 1, fields: {} }]]);
  const all = ['f1', 'f2', 'f3', 'f4'].map((id) => ({ ...known, id }));
  const given = all.map((one) => (one.id === 'f4' ? { ...one, run_id: 'run_9' } : one));
  expect(
    previousFindings(record(given), posts({ comments: [remark()], listed, reviews: [ofRun(1, 'run_0')] })),
  ).toEqual([all[0], all[1], { ...all[2], state: 'dismissed' }]);
});

test('reads previous findings from comments and reviews without a record', () => {
  const told = {
    ...{ id: 'f1', path: 'src/b.js', side: 'LEFT', line: 9, severity: 'low', category: 'bug' },
    ...{ title: 'Said so', check: 'files', anchor: 'ab;', window: '', occurrence: 0, state: 'open' },
    ...{ run_id: 'run_0', dismissed_by: null, fixed: null },
  };
  const fields = { severity: 'high', category: 'bug', path: 'src/c.js', line: '12' };
  const listed = (fp: string, given: Record<string, string>) => [fp, { reviewId: 2, fields: given }] as const;
  expect(
    previousFindings(
      null,
      posts({
        reviews: [ofRun(1, 'run_0'), ofRun(2, null)],
        comments: [
          remark(),
          remark({ fp: 'f2', fields: { fp: 'f2', severity: 'low' } }),
          remark({ fp: 'f3', fields: { fp: 'f3', severity: 'odd', category: 'bug' } }),
          remark({ fp: 'f4', reviewId: null, body: 'x', diffHunk: '', side: 'RIGHT' }),
        ],
        listed: new Map([
          listed('f1', fields),
          listed('f5', fields),
          listed('f6', { severity: 'info', category: 'x', line: '-3' }),
          listed('f7', { severity: 'info', category: 'x', line: 'odd' }),
        ]),
      }),
    ),
  ).toEqual([
    told,
    { ...told, id: 'f4', side: 'RIGHT', anchor: '', title: '', run_id: '' },
    {
      ...{ ...told, id: 'f5', path: 'src/c.js', side: 'RIGHT', line: 12, severity: 'high' },
      ...{ title: '', check: null, anchor: '', run_id: '' },
    },
    ...['f6', 'f7'].map((id) => ({
      ...{ ...told, id, path: '', side: 'RIGHT', line: 1, severity: 'info', category: 'x' },
      ...{ title: '', check: null, anchor: '', run_id: '' },
    })),
  ]);
});

test('stores at most 2,000 findings of a pull request, fixed ones last', async () => {
  const store = createMemoryStateStore();
  const whole: ReviewRecord = { ...record([known]), reviewed: { head: 'h', base: 'b' } };
  expect(await readReviewRecord(plan, store)).toBeNull();
  await saveReviewRecord(plan, store, whole);
  expect([await store.list('review/'), await readReviewRecord(plan, store)]).toEqual([['review/7'], whole]);
  const fixed = { ...known, id: 'fixed', state: 'fixed' as const };
  const many = Array.from({ length: 1_999 }, (_, index) => ({ ...known, id: `f${index}` }));
  await saveReviewRecord(plan, store, record([fixed, { ...fixed, id: 'over' }, ...many]));
  const ids = (await readReviewRecord(plan, store))?.findings.map(({ id }) => id) ?? [];
  expect([ids.length, ids[0], ids.at(-1)]).toEqual([2_000, 'f0', 'fixed']);
  await store.set('review/7', '{"version":2}');
  const nowhere = samplePlan({ thread: null });
  await saveReviewRecord(nowhere, store, whole);
  await saveReviewRecord(plan, null, whole);
  expect([
    await readReviewRecord(plan, store),
    await readReviewRecord(nowhere, store),
    await readReviewRecord(plan, null),
    (await store.list('')).length,
  ]).toEqual([null, null, null, 1]);
});
