import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadApi } from './protocol/api.ts';
import { refusalOf, sampleLines, samplePath, shop, startShop } from './shop.ts';

const api = loadApi();
let world: Awaited<ReturnType<typeof startShop>>;

beforeEach(async () => {
  world = await startShop({ api });
});

afterEach(async () => {
  const problems = world.github.problems();
  await world.github.close();
  expect(problems).toEqual([]);
});

type Comments = NonNullable<NonNullable<Parameters<typeof world.bot.pulls.createReview>[0]>['comments']>;

const review = (comments: Comments) =>
  world.bot.pulls.createReview({ ...shop, pull_number: 2, event: 'COMMENT', body: 'Looked', comments });

const unresolved = (what: string) => ({
  status: 422,
  message: 'Unprocessable Entity',
  errors: [`${what} could not be resolved`],
});

describe('a review', () => {
  it('is written with comments on lines and ranges of both sides', async () => {
    const { data } = await review([
      { path: samplePath, line: 4, body: 'New' },
      { path: samplePath, line: 4, side: 'LEFT', body: 'Old' },
      { path: samplePath, start_line: 2, line: 5, start_side: 'RIGHT', side: 'RIGHT', body: 'Range' },
    ]);
    const common = {
      reviewId: data.id,
      inReplyTo: null,
      author: 'anode[bot]',
      path: samplePath,
      minimized: null,
    };
    const ids = world.repository.reviewComments(2).map(({ id }) => id);
    expect([world.repository.reviews(2), world.repository.reviewComments(2)]).toEqual([
      [
        {
          id: data.id,
          body: 'Looked',
          state: 'COMMENTED',
          author: 'anode[bot]',
          commitId: world.pull.headSha,
        },
      ],
      [
        { ...common, id: ids[0], body: 'New', side: 'RIGHT', line: 4, startLine: null },
        { ...common, id: ids[1], body: 'Old', side: 'LEFT', line: 4, startLine: null },
        { ...common, id: ids[2], body: 'Range', side: 'RIGHT', line: 5, startLine: 2 },
      ],
    ]);
    const listed = await world.bot.pulls.listReviewComments({ ...shop, pull_number: 2 });
    expect(listed.data[0]?.diff_hunk).toBe('@@ -1,7 +1,7 @@\n line 1\n line 2\n line 3\n-line 4\n+line four');
  });

  it.each([
    ['a line outside every hunk', { line: 9 }, 'Line'],
    ['no line', {}, 'Line'],
    ['a file that is not in the diff', { path: 'README.md', line: 1 }, 'Path'],
    ['a range that ends before it starts', { start_line: 5, line: 4, start_side: 'RIGHT' }, 'Start line'],
    ['a range of one line', { start_line: 4, line: 4, start_side: 'RIGHT' }, 'Start line'],
    ['a range over two sides', { start_line: 2, line: 4, start_side: 'LEFT', side: 'RIGHT' }, 'Start line'],
    ['a side that is none', { line: 4, side: 'MIDDLE' }, 'Side'],
  ])('with one comment on %s is refused whole, without naming it', async (_, place, what) => {
    const good = { path: samplePath, line: 4, body: 'Good' };
    expect(await refusalOf(review([good, { path: samplePath, body: 'Bad', ...place }]))).toEqual(
      unresolved(what),
    );
    expect([world.repository.reviews(2), world.repository.reviewComments(2)]).toEqual([[], []]);
  });

  it('refuses a range that spans two hunks', async () => {
    const text = [...sampleLines, ...Array.from({ length: 20 }, (_, index) => `more ${index}`)];
    await world.repository.commit('main', { files: { 'long.txt': text.join('\n') }, message: 'Long' });
    await world.repository.commit('two', {
      files: { 'long.txt': text.with(1, 'a').with(25, 'b').join('\n') },
      message: 'Two places',
    });
    const pull = await world.repository.openPullRequest({ title: 'Two', head: 'two', author: 'ann' });
    const comments = [{ path: 'long.txt', start_line: 2, start_side: 'RIGHT', line: 26, body: 'Far' }];
    const call = world.bot.pulls.createReview({
      ...shop,
      pull_number: pull.number,
      event: 'COMMENT',
      body: 'B',
      comments,
    });
    expect(await refusalOf(call)).toEqual(unresolved('Start line'));
  });

  it('stays pending without an event, is hidden from others, and can be submitted once', async () => {
    const { data } = await world.bot.pulls.createReview({ ...shop, pull_number: 2, body: 'Later' });
    const seen = await world.ann.pulls.listReviews({ ...shop, pull_number: 2 });
    const second = await refusalOf(world.bot.pulls.createReview({ ...shop, pull_number: 2, body: 'Again' }));
    const submit = { ...shop, pull_number: 2, review_id: data.id, event: 'APPROVE' as const };
    await world.bot.pulls.submitReview(submit);
    expect([
      data.state,
      seen.data,
      second.status,
      world.repository.reviews(2).map(({ state }) => state),
    ]).toEqual(['PENDING', [], 422, ['APPROVED']]);
    expect((await refusalOf(world.bot.pulls.submitReview(submit))).status).toBe(422);
  });

  it("cannot approve one's own pull request", async () => {
    expect(
      await refusalOf(world.ann.pulls.createReview({ ...shop, pull_number: 2, event: 'APPROVE' })),
    ).toEqual({
      status: 422,
      message: 'Unprocessable Entity',
      errors: ['Review Can not approve your own pull request'],
    });
  });
});

describe('a comment on the diff', () => {
  it('can be answered and edited, and moves with its line until the line changes', async () => {
    const { bot, repository } = world;
    const { data } = await bot.pulls.createReviewComment({
      ...shop,
      pull_number: 2,
      commit_id: world.pull.headSha,
      path: samplePath,
      line: 5,
      body: 'Five',
    });
    await bot.pulls.createReplyForReviewComment({
      ...shop,
      pull_number: 2,
      comment_id: data.id,
      body: 'Yes',
    });
    await bot.pulls.updateReviewComment({ ...shop, comment_id: data.id, body: 'Line five' });
    const text = (lines: readonly string[]) => `${lines.join('\n')}\n`;
    const moved = ['line 0', ...sampleLines.with(3, 'line four')];
    const place = () => repository.reviewComments(2).map(({ body, line }) => ({ body, line }));
    await repository.commit('fix', { files: { [samplePath]: text(moved) }, message: 'Move', author: 'ann' });
    expect(place()).toEqual([
      { body: 'Line five', line: 6 },
      { body: 'Yes', line: 6 },
    ]);
    await repository.commit('fix', {
      files: { [samplePath]: text(moved.with(5, 'x')) },
      message: 'Change',
      author: 'ann',
    });
    expect(place()).toEqual([
      { body: 'Line five', line: null },
      { body: 'Yes', line: null },
    ]);
  });

  it('requires a commit of the pull request', async () => {
    const commit_id = await world.repository.commit('aside', { files: { 'a.txt': 'a' }, message: 'Aside' });
    const call = world.bot.pulls.createReviewComment({
      ...shop,
      pull_number: 2,
      commit_id,
      path: samplePath,
      line: 4,
      body: 'Hm',
    });
    expect((await refusalOf(call)).status).toBe(422);
  });
});
