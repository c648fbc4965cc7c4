import { expect, test } from 'vitest';
import { fingerprintSuggestion } from '../../../src/reporting/findings/fingerprint.ts';
import type { OwnPosts } from '../../../src/reporting/findings/own-posts.ts';
import type { ReviewMaterial } from '../../../src/reporting/review/make-review.ts';
import { postReview } from '../../../src/reporting/review/post-review.ts';
import { renderFinding } from '../../../src/reporting/review/render-finding.ts';
import { writeMarker } from '../../../src/reporting/text/marker.ts';
import { finding, headSha } from '../samples.ts';
import { apiError, map, own, plan, world } from './review-world.ts';

const suggestion = { path: 'src/a.js', firstLine: 4, lastLine: 4, before: ['four'], after: ['vier'] };
const refused = 'GitHub did not take the review as it was, so fewer findings are on lines.';

const posts = (more: Partial<OwnPosts> = {}): OwnPosts => ({
  reviews: [],
  comments: [],
  listed: new Map(),
  ...more,
});
const ours = {
  id: 4,
  url: 'https://r/4',
  body: '',
  state: 'COMMENTED',
  commit: null,
  run: 'run_1',
  partial: false,
};
const material = (more: Partial<ReviewMaterial> = {}): ReviewMaterial => ({
  ...{
    plan,
    map,
    event: 'APPROVE',
    verdictIsNews: true,
    complete: true,
    budget: 40,
    threadsFrom: 'info',
    suggestions: [suggestion],
  },
  reconciled: {
    ...{ carried: [], fixed: [], dismissed: [], repeated: [], known: [] },
    fresh: Array.from({ length: 31 }, (_, index) => ({ id: `f${index}`, finding })),
  },
  ...more,
});
const place = { owner: 'acme', repo: 'shop', pull_number: 7 };

test('posts a review in one request on the reviewed commit', async () => {
  const { asked, ports } = world();
  const { posted, suggested, note, made } = await postReview(material(), posts(), ports);
  expect([posted, suggested, note]).toEqual([{ id: 5, url: 'https://r/5', comments: 32 }, true, null]);
  expect(asked).toEqual([
    [
      'review',
      {
        ...{ ...place, commit_id: headSha, event: 'APPROVE', body: made.review?.body },
        ...{ comments: made.review?.comments, request: { retries: 0 } },
      },
    ],
  ]);
});

test('reduces a refused review step by step', async () => {
  const tried = async (...refusals: (Error | null)[]) => {
    const { asked, logged, ports } = world({ refusals });
    const { posted, suggested, note } = await postReview(material(), posts(), ports);
    const shown = asked.map(([, { commit_id, event, comments }]) => [
      commit_id === headSha,
      event,
      (comments as object[]).length,
    ]);
    return { shown, logged, done: [posted?.comments, suggested, note] };
  };
  const [whole, few] = [
    [true, 'APPROVE', 32],
    [true, 'COMMENT', 30],
  ];
  const nothing = 'GitHub took no review of this run. What it would have suggested is here as a patch.';
  const told = [{ run: 'run_1', status: 422, message: 'Refused' }, 'review refused'];
  const no = apiError(422);
  expect([await tried(no), await tried(no, no), await tried(no, no, no)]).toEqual([
    { shown: [whole, whole], logged: [told], done: [32, true, null] },
    { shown: [whole, whole, few], logged: [told, told], done: [30, false, refused] },
    { shown: [whole, whole, few], logged: [told, told, told], done: [undefined, false, nothing] },
  ]);
  await expect(tried(no, no, apiError(502), apiError(502))).rejects.toThrow('Refused');
  await expect(tried(apiError(403))).rejects.toThrow('Refused');
  await expect(tried(new Error('ours'))).rejects.toThrow('ours');
});

test('posts no review if nothing is left after a refusal', async () => {
  const { asked, ports } = world({ refusals: [apiError(422), apiError(422)] });
  const only = material({ reconciled: { ...material().reconciled, fresh: [] } });
  const { posted, suggested, note, made } = await postReview(only, posts(), ports);
  const told = 'GitHub took no review of this run. What it would have suggested is here as a patch.';
  expect([asked.length, posted, suggested, note, made.review]).toEqual([2, null, false, told, null]);
});

test('finds this run’s existing review and its comments', async () => {
  const { asked, ports } = world();
  const remark = (fp: string, reviewId: number | null) => ({ fp, reviewId });
  const stands = posts({
    reviews: [{ ...ours, id: 3, run: 'run_0' }, ours],
    comments: [remark('f1', 4), remark('f2', 4), remark('f3', 3), remark('f4', null)] as never,
  });
  const { posted, suggested, note } = await postReview(material(), stands, ports);
  expect([posted, suggested, note, asked]).toEqual([
    { id: 4, url: 'https://r/4', comments: 2 },
    // It holds none of the changes: they are told as a patch.
    false,
    null,
    [],
  ]);
});

test('offers no change that a comment offers already, as its own or for a finding', async () => {
  const bare = material({ reconciled: { ...material().reconciled, fresh: [] }, verdictIsNews: false });
  const offered = renderFinding(
    { ...finding, suggestion: 'vier' },
    { statedLine: null, applicable: true },
    plan,
  );
  const remark = { fp: 'f1', reviewId: 3, path: 'src/a.js', side: 'RIGHT', line: 4, body: offered };
  const count = async (...comments: readonly object[]) => {
    const { asked, ports } = world();
    const { suggested } = await postReview(bare, posts({ comments: comments as never }), ports);
    return [suggested, asked.length];
  };
  expect([
    await count(),
    await count(remark),
    await count({ ...remark, fp: fingerprintSuggestion(suggestion), body: '' }),
    await count({ ...remark, line: 5 }),
    await count({ ...remark, path: 'src/b.js' }),
    await count({ ...remark, side: 'LEFT' }),
    await count({ ...remark, body: offered.replace('vier', 'quattro') }),
  ]).toEqual([
    [true, 1],
    [true, 0],
    [true, 0],
    [true, 1],
    [true, 1],
    [true, 1],
    [true, 1],
  ]);
});

test('offers a change once that a finding of the same run suggests', async () => {
  const own = { id: 'f1', finding: { ...finding, line: 4, suggestion: 'vier' } };
  const twice = material({ reconciled: { ...material().reconciled, fresh: [own] } });
  const { made, suggested } = await postReview(twice, posts(), world().ports);
  expect([made.review?.comments.length, made.offered.map(({ id }) => id), suggested]).toEqual([
    1,
    ['f1'],
    true,
  ]);
});

test('finds a review after a lost answer by its run', async () => {
  const review = (id: number, run: string, login: string | null) => ({
    ...{ id, body: writeMarker('review', { run }), html_url: `https://r/${id}` },
    user: login === null ? null : { login },
  });
  const { ports } = world({
    refusals: [apiError(502)],
    reviews: [
      review(1, 'run_0', own),
      review(2, 'run_1', 'eve'),
      review(3, 'run_1', null),
      review(6, 'run_1', own),
    ],
  });
  const { posted } = await postReview(material(), posts(), ports);
  expect(posted).toEqual({ id: 6, url: 'https://r/6', comments: 32 });
});

test('does not repeat a suggestion of another run', async () => {
  const fp = fingerprintSuggestion(suggestion);
  const told = async (reviewId: number, reviews: OwnPosts['reviews'] = []) => {
    const { ports } = world();
    const before = posts({ reviews, comments: [{ fp, reviewId }] as never });
    const { made } = await postReview(material(), before, ports);
    return made.review?.comments.length;
  };
  expect([await told(3), await told(4, [ours])]).toEqual([31, 32]);
});

test('posts no empty review', async () => {
  const { asked, ports } = world();
  const nothing = material({
    reconciled: { ...material().reconciled, fresh: [] },
    ...{ suggestions: [], verdictIsNews: false },
  });
  const { posted, suggested, note } = await postReview(nothing, posts(), ports);
  expect([posted, suggested, note, asked]).toEqual([null, true, null, []]);
});
