import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadApi } from './protocol/api.ts';
import { octokitFor, refusalOf, shop, startShop } from './shop.ts';

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

describe('issues', () => {
  it('are created, changed, labelled, assigned, listed, found and closed', async () => {
    const { bot } = world;
    const { data: issue } = await bot.issues.create({
      ...shop,
      title: 'Second',
      body: 'Text',
      labels: ['bug'],
    });
    await bot.issues.addLabels({ ...shop, issue_number: issue.number, labels: ['later'] });
    await bot.issues.removeLabel({ ...shop, issue_number: issue.number, name: 'bug' });
    await bot.issues.addAssignees({ ...shop, issue_number: issue.number, assignees: ['ann'] });
    await bot.issues.update({ ...shop, issue_number: issue.number, title: 'Third', state: 'closed' });
    expect(world.repository.issues().at(-1)).toEqual({
      id: issue.id,
      number: 3,
      title: 'Third',
      body: 'Text',
      state: 'closed',
      author: 'anode[bot]',
      labels: ['later'],
      assignees: ['ann'],
    });
    const listed = await bot.issues.listForRepo({ ...shop, state: 'closed' });
    const found = await bot.search.issuesAndPullRequests({ q: 'repo:acme/shop is:issue is:closed third' });
    const timeline = await bot.issues.listEventsForTimeline({ ...shop, issue_number: 3 });
    expect({
      listed: listed.data.map(({ number }) => number),
      found: found.data.items.map(({ number }) => number),
      timeline: timeline.data.map((item) => ('event' in item ? item.event : '')),
    }).toEqual({
      listed: [3],
      found: [3],
      timeline: ['labeled', 'labeled', 'unlabeled', 'assigned', 'closed'],
    });
  });

  it('create a label for each new name, which cannot be created twice', async () => {
    await world.bot.issues.createLabel({ ...shop, name: 'anode', color: 'ff0000' });
    expect(
      await refusalOf(world.bot.issues.createLabel({ ...shop, name: 'Anode', color: '00ff00' })),
    ).toEqual({
      status: 422,
      message: 'Validation Failed',
      errors: [{ resource: 'Label', code: 'already_exists', field: 'name' }],
    });
    expect(
      (await world.bot.issues.listLabelsForRepo(shop)).data.map(({ name, color }) => ({ name, color })),
    ).toEqual([{ name: 'anode', color: 'ff0000' }]);
  });
});

describe('comments', () => {
  it('are written, read, edited by their author, and removed', async () => {
    const { bot } = world;
    const { data } = await bot.issues.createComment({ ...shop, issue_number: 2, body: 'One' });
    await bot.issues.updateComment({ ...shop, comment_id: data.id, body: 'Two' });
    expect((await bot.issues.getComment({ ...shop, comment_id: data.id })).data.body).toBe('Two');
    await bot.issues.deleteComment({ ...shop, comment_id: data.id });
    expect(world.repository.comments(2)).toEqual([]);
  });

  it('cannot be edited with the token of another app', async () => {
    const { data } = await world.bot.issues.createComment({ ...shop, issue_number: 2, body: 'Mine' });
    const token = world.github.createToken({
      actor: 'github-actions[bot]',
      permissions: { pull_requests: 'write' },
    });
    const other = octokitFor(world.github, token);
    expect(
      await refusalOf(other.issues.updateComment({ ...shop, comment_id: data.id, body: 'Yours' })),
    ).toEqual({
      status: 403,
      message: 'Resource not accessible by integration',
    });
  });

  it('have at most 65,536 characters', async () => {
    const body = 'x'.repeat(65_536);
    await world.bot.issues.createComment({ ...shop, issue_number: 2, body });
    expect(
      await refusalOf(world.bot.issues.createComment({ ...shop, issue_number: 2, body: `${body}x` })),
    ).toEqual({
      status: 422,
      message: 'Validation Failed',
      errors: [
        {
          resource: 'IssueComment',
          field: 'body',
          code: 'custom',
          message: 'body is too long (maximum is 65536 characters)',
        },
      ],
    });
  });

  it('are paged with links to the other pages', async () => {
    for (const body of ['1', '2', '3', '4', '5']) world.repository.comment(2, { body, author: 'ann' });
    const first = await world.bot.issues.listComments({ ...shop, issue_number: 2, per_page: 2 });
    const all = await world.bot.paginate(world.bot.issues.listComments, {
      ...shop,
      issue_number: 2,
      per_page: 2,
    });
    const base = `${world.github.url}/repos/acme/shop/issues/2/comments`;
    expect({ link: first.headers.link, bodies: all.map(({ body }) => body) }).toEqual({
      link: `<${base}?per_page=2&page=2>; rel="next", <${base}?per_page=2&page=3>; rel="last"`,
      bodies: ['1', '2', '3', '4', '5'],
    });
  });
});

describe('reactions', () => {
  it('count once for each account and kind, and are removed only by their author', async () => {
    const { id } = world.repository.comment(2, { body: '@anode do', author: 'ann' });
    const react = () =>
      world.bot.reactions.createForIssueComment({ ...shop, comment_id: id, content: 'eyes' });
    const [first, second] = [await react(), await react()];
    expect([first.status, second.status, second.data.id === first.data.id]).toEqual([201, 200, true]);
    expect(world.repository.reactions({ id })).toEqual([{ content: 'eyes', user: 'anode[bot]' }]);
    const remove = { ...shop, comment_id: id, reaction_id: first.data.id };
    expect((await refusalOf(world.ann.reactions.deleteForIssueComment(remove))).status).toBe(403);
    await world.bot.reactions.deleteForIssueComment(remove);
    expect(world.repository.reactions({ id })).toEqual([]);
  });

  it('can also be added to issues and comments on the diff', async () => {
    await world.bot.reactions.createForIssue({ ...shop, issue_number: 1, content: 'rocket' });
    await world.repository.review(2, {
      author: 'ann',
      comments: [{ path: 'src/count.ts', line: 4, body: 'Hm' }],
    });
    const [comment] = world.repository.reviewComments(2);
    await world.bot.reactions.createForPullRequestReviewComment({
      ...shop,
      comment_id: comment?.id ?? 0,
      content: '+1',
    });
    expect([
      world.repository.reactions(world.issue),
      world.repository.reactions({ id: comment?.id ?? 0 }),
    ]).toEqual([[{ content: 'rocket', user: 'anode[bot]' }], [{ content: '+1', user: 'anode[bot]' }]]);
  });
});
