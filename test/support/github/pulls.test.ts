import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadApi } from './protocol/api.ts';
import { refusalOf, samplePath, shop, startShop } from './shop.ts';

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

const refused = (message: string) => ({
  status: 422,
  message: 'Validation Failed',
  errors: [{ resource: 'PullRequest', code: 'custom', message }],
});

describe('pull requests', () => {
  it('are read from git with their files, commits and diff', async () => {
    const { bot } = world;
    const at = { ...shop, pull_number: 2 };
    const { data } = await bot.pulls.get(at);
    const files = await bot.pulls.listFiles(at);
    const commits = await bot.pulls.listCommits(at);
    const diff = await bot.pulls.get({ ...at, mediaType: { format: 'diff' } });
    const [base, head] = [await world.repository.head('main'), await world.repository.head('fix')];
    expect({
      counts: [data.commits, data.changed_files, data.additions, data.deletions],
      base: data.base.sha,
      head: data.head.sha,
      files: files.data.map(({ filename, status, patch }) => ({ filename, status, patch })),
      commits: commits.data.map(({ sha, commit, author }) => [sha, commit.message, author?.login]),
      diff: String(diff.data),
    }).toEqual({
      counts: [1, 1, 1, 1],
      base,
      head,
      files: [
        {
          filename: samplePath,
          status: 'modified',
          patch: '@@ -1,7 +1,7 @@\n line 1\n line 2\n line 3\n-line 4\n+line four\n line 5\n line 6\n line 7',
        },
      ],
      commits: [[head, 'Name the line', 'ann']],
      diff: `${await world.repository.git('diff', '--full-index', 'main', 'fix')}\n`,
    });
  });

  it('are opened by an app, linked to the issue that they close, and changed', async () => {
    const { bot, repository } = world;
    await repository.commit('anode/1', { files: { 'new.txt': 'new\n' }, message: 'Add a file' });
    const { data } = await bot.pulls.create({
      ...shop,
      title: 'Add a file',
      body: 'Fixes #1.',
      head: 'anode/1',
      base: 'main',
      draft: true,
    });
    await bot.pulls.update({ ...shop, pull_number: data.number, title: 'Add one file' });
    expect(repository.closingIssues(data.number)).toEqual([1]);
    expect(repository.pulls().at(-1)).toEqual({
      id: data.id,
      number: 3,
      title: 'Add one file',
      body: 'Fixes #1.',
      state: 'open',
      author: 'anode[bot]',
      labels: [],
      reviewers: [],
      assignees: [],
      draft: true,
      head: 'anode/1',
      headRepository: 'acme/shop',
      headSha: await repository.head('anode/1'),
      base: 'main',
      baseSha: await repository.head('main'),
    });
    const page = await (await fetch(`${repository.url}/issues/1`)).text();
    expect(page).toContain('Linked pull request: <a href="/acme/shop/pull/2">');
  });

  it('need two different existing branches without an open pull request between them', async () => {
    const { bot, repository } = world;
    const create = (head: string, base = 'main') =>
      refusalOf(bot.pulls.create({ ...shop, title: 'T', head, base }));
    await repository.commit('same', { files: {}, message: 'Nothing' });
    await repository.forcePush('same', String(await repository.head('main')), 'ann');
    expect([
      await create('main'),
      await create('same'),
      await create('fix'),
      await create('gone'),
      await create('fix', 'gone'),
    ]).toEqual([
      refused('No commits between main and main'),
      refused('No commits between main and same'),
      refused('A pull request already exists for acme:fix.'),
      {
        status: 422,
        message: 'Validation Failed',
        errors: [{ resource: 'PullRequest', field: 'head', code: 'invalid' }],
      },
      {
        status: 422,
        message: 'Validation Failed',
        errors: [{ resource: 'PullRequest', field: 'base', code: 'invalid' }],
      },
    ]);
  });

  it('from a fork have the fork as head and are fetched by the base repository', async () => {
    const { repository, bot } = world;
    const fork = await repository.fork('eve');
    const sha = await fork.commit('patch', { files: { 'evil.txt': 'x\n' }, message: 'Evil', author: 'eve' });
    const pull = await repository.openPullRequest({
      title: 'From a fork',
      head: 'patch',
      headRepository: fork,
      author: 'eve',
    });
    const { data } = await bot.pulls.get({ ...shop, pull_number: pull.number });
    expect([
      data.head.label,
      data.head.repo?.fork,
      await repository.git('rev-parse', 'refs/pull/3/head'),
    ]).toEqual(['eve:patch', true, sha]);
  });

  it('are found by head, by state and by commit', async () => {
    const { bot, repository } = world;
    const byHead = await bot.pulls.list({ ...shop, head: 'acme:fix' });
    const closed = await bot.pulls.list({ ...shop, state: 'closed' });
    const sha = String(await repository.head('fix'));
    const byCommit = await bot.repos.listPullRequestsAssociatedWithCommit({ ...shop, commit_sha: sha });
    const numbers = (list: readonly { number: number }[]) => list.map(({ number }) => number);
    expect([numbers(byHead.data), numbers(closed.data), numbers(byCommit.data)]).toEqual([[2], [], [2]]);
  });
});
