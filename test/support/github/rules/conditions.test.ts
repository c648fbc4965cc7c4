import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gitEnvironment } from '../git/git.ts';
import { loadApi } from '../protocol/api.ts';
import { everything, octokitFor, octokitForApp, refusalOf, samplePath, shop, startShop } from '../shop.ts';

const run = promisify(execFile);
const api = loadApi();
let world: Awaited<ReturnType<typeof startShop>>;

beforeAll(async () => {
  // A deleted repository is null, which the description does not permit, so answers are not
  // validated here.
  world = await startShop({ api, checkOutput: false });
});
afterAll(() => world.github.close());

const comment = (body = 'Hi') => world.bot.issues.createComment({ ...shop, issue_number: 1, body });

describe('GitHub Docs, "Archiving repositories"', () => {
  it('an archived repository can be read but not changed', async () => {
    const { bot, ann, repository } = world;
    repository.archive();
    const sha = world.pull.headSha;
    const refusals = await Promise.all([
      refusalOf(comment()),
      refusalOf(bot.checks.create({ ...shop, name: 'anode', head_sha: sha })),
      refusalOf(bot.git.createRef({ ...shop, ref: 'refs/heads/x', sha })),
      refusalOf(ann.reactions.createForIssue({ ...shop, issue_number: 1, content: 'eyes' })),
      refusalOf(ann.pulls.createReview({ ...shop, pull_number: 2, event: 'COMMENT', body: 'x' })),
    ]);
    const { data } = await bot.repos.get(shop);
    repository.archive(false);
    expect([refusals, data.archived]).toEqual([
      Array.from({ length: 5 }, () => ({ status: 403, message: 'Repository was archived so is read-only.' })),
      true,
    ]);
  });
});

describe('GitHub Docs, "Locking conversations"', () => {
  it('on a locked thread only people with write access comment, edit, delete and hide, and no one reacts', async () => {
    const { bot, bob, ann, repository } = world;
    const { data: own } = await comment('Before');
    repository.lock(1);
    const hide = bot
      .graphql(
        'mutation ($id: ID!) { minimizeComment(input: { subjectId: $id, classifier: SPAM }) { clientMutationId } }',
        { id: own.node_id },
      )
      .catch((error: { errors?: { type: string }[] }) => error.errors?.[0]?.type);
    const react = (octokit: typeof bot) =>
      octokit.reactions.createForIssue({ ...shop, issue_number: 1, content: 'eyes' });
    const refusals = [
      await refusalOf(comment()),
      await refusalOf(bob.issues.createComment({ ...shop, issue_number: 1, body: 'Hi' })),
      await refusalOf(bot.issues.updateComment({ ...shop, comment_id: own.id, body: 'After' })),
      await refusalOf(bot.issues.deleteComment({ ...shop, comment_id: own.id })),
      await refusalOf(react(bot)),
      await refusalOf(react(ann)),
    ];
    const hidden = await hide;
    await ann.issues.createComment({ ...shop, issue_number: 1, body: 'I may' });
    const { data } = await bot.issues.get({ ...shop, issue_number: 1 });
    repository.lock(1, false);
    const locked = (what: string) => ({
      status: 403,
      message: `Unable to create ${what} because issue is locked.`,
    });
    expect([refusals, hidden, data.locked]).toEqual([
      [...Array.from({ length: 4 }, () => locked('comment')), locked('reaction'), locked('reaction')],
      'FORBIDDEN',
      true,
    ]);
  });

  it('a locked pull request accepts no review by an app', async () => {
    world.repository.lock(2);
    const review = world.bot.pulls.createReview({ ...shop, pull_number: 2, event: 'COMMENT', body: 'x' });
    expect((await refusalOf(review)).status).toBe(403);
    world.repository.lock(2, false);
  });
});

describe('GitHub Docs, "Suspending a GitHub App installation"', () => {
  it('a suspended installation gets no token and no delivery, and its existing tokens are invalid', async () => {
    const { github, app } = world;
    await comment();
    github.suspend('anode');
    github.subscribe('anode', 'http://127.0.0.1:1');
    world.repository.comment(1, { body: 'Unheard', author: 'ann' });
    await github.settled();
    const asApp = octokitForApp(github, app, false);
    const refusals = [
      await refusalOf(comment()),
      await refusalOf(asApp.apps.createInstallationAccessToken({ installation_id: app.installationId })),
    ];
    const { data } = await asApp.apps.getRepoInstallation(shop);
    const reported = github.deliveries.length;
    github.suspend('anode', false);
    await comment();
    await github.settled();
    const refusal = { status: 403, message: 'This installation has been suspended' };
    expect([refusals, typeof data.suspended_at, reported, github.deliveries.length]).toEqual([
      [refusal, refusal],
      'string',
      0,
      1,
    ]);
  });
});

describe('GitHub Docs, "Deleting your personal account"', () => {
  it('texts of a deleted account have no author, and the account does not exist', async () => {
    const { github, repository, bot } = world;
    const issue = await repository.openIssue({ title: 'Gone', author: 'leaver' });
    repository.comment(issue.number, { body: 'Bye', author: 'leaver' });
    github.deleteUser('leaver');
    const { data } = await bot.issues.get({ ...shop, issue_number: issue.number });
    const listed = await bot.issues.listComments({ ...shop, issue_number: issue.number });
    const reports = await bot.graphql<{ repository: { issue: { author: unknown } } }>(
      `{ repository(owner: "acme", name: "shop") { issue(number: ${issue.number}) { author { login } } } }`,
    );
    const permission = bot.repos.getCollaboratorPermissionLevel({ ...shop, username: 'leaver' });
    expect([
      data.user,
      listed.data[0]?.user,
      reports.repository.issue.author,
      (await refusalOf(permission)).status,
    ]).toEqual([null, null, null, 404]);
  });
});

describe('GitHub Docs, "About permissions and visibility of forks"', () => {
  it('a pull request from a deleted fork keeps its commit and names no repository', async () => {
    const fork = await world.repository.fork('forker');
    await fork.commit('gone', { files: { 'gone.txt': 'x\n' }, message: 'Gone', author: 'forker' });
    const pull = await world.repository.openPullRequest({
      ...{ title: 'From a fork', head: 'gone', author: 'forker', headRepository: fork },
    });
    fork.remove();
    const { data } = await world.bot.pulls.get({ ...shop, pull_number: pull.number });
    const reportedTexts = await world.bot.graphql<{ repository: { pullRequest: Record<string, unknown> } }>(
      `{ repository(owner: "acme", name: "shop") { pullRequest(number: ${pull.number}) { headRepository { name } headRefOid } } }`,
    );
    expect([data.head.repo, data.head.label, data.head.sha, reportedTexts.repository.pullRequest]).toEqual([
      null,
      'unknown repository:gone',
      pull.headSha,
      { headRepository: null, headRefOid: pull.headSha },
    ]);
  });
});

describe('GitHub Docs, "Commenting on a pull request", resolving conversations', () => {
  it('the author of the pull request and people with write access resolve a conversation; an app needs `contents: write`', async () => {
    const { bot, ann, bob, github, repository } = world;
    await repository.review(2, {
      author: 'ann',
      comments: [{ path: samplePath, line: 4, body: 'Why?' }],
    });
    const [thread] = repository.reviewThreads(2);
    const { contents: _, ...less } = everything;
    const weak = octokitFor(github, github.createToken({ actor: 'anode[bot]', permissions: less }));
    const resolve = (octokit: typeof bot) =>
      octokit
        .graphql('mutation ($id: ID!) { resolveReviewThread(input: { threadId: $id }) { thread { id } } }', {
          id: thread?.nodeId,
        })
        .then(
          () => 'resolved',
          (error: { errors?: { type: string }[] }) => error.errors?.[0]?.type,
        );
    expect([await resolve(bob), await resolve(weak), await resolve(ann), await resolve(bot)]).toEqual([
      'FORBIDDEN',
      'FORBIDDEN',
      'resolved',
      'resolved',
    ]);
  });
});

describe('GitHub Docs, "Renaming a repository"', () => {
  it('the old name redirects reads with 301, writes with 307, and git too', async () => {
    const { github, bob } = world;
    const old = await github.createRepository('acme/old');
    const issue = await old.openIssue({ title: 'Kept', author: 'bob' });
    const auth = { authorization: `Bearer ${github.createToken({ actor: 'bob' })}` };
    const cloneUrl = old.cloneUrl;
    old.rename('new');
    const at = `${github.apiUrl}/repos/acme/old/issues/${issue.number}`;
    const raw = (method: string) =>
      fetch(`${at}/comments`, {
        ...{ method, redirect: 'manual', headers: auth },
        ...(method === 'POST' ? { body: JSON.stringify({ body: 'x' }) } : {}),
      });
    const [read, written] = [await raw('GET'), await raw('POST')];
    const place = { owner: 'acme', repo: 'old', issue_number: issue.number };
    const followed = await bob.issues.createComment({ ...place, body: 'Followed' });
    const { stdout } = await run('git', ['ls-remote', cloneUrl, 'refs/heads/main'], {
      env: { ...gitEnvironment },
    });
    const id = old.repository.id;
    expect({
      read: [read.status, read.headers.get('location'), await read.json()],
      written: [written.status, written.headers.get('location')],
      followed: [followed.status, old.comments(issue.number).map(({ body }) => body)],
      git: stdout.slice(0, 40),
      name: (await bob.repos.get({ owner: 'acme', repo: 'old' })).data.full_name,
    }).toEqual({
      read: [
        301,
        `${github.url}/repositories/${id}/issues/1/comments`,
        { message: 'Moved Permanently', documentation_url: 'https://docs.github.com/rest', status: '301' },
      ],
      written: [307, `${github.url}/repositories/${id}/issues/1/comments`],
      followed: [201, ['Followed']],
      git: await old.head('main'),
      name: 'acme/new',
    });
  });

  it('a token cannot be created for a repository by its old name', async () => {
    const asApp = octokitForApp(world.github, world.app, false);
    const token = asApp.apps.createInstallationAccessToken({
      installation_id: world.app.installationId,
      repositories: ['old'],
    });
    expect((await refusalOf(token)).status).toBe(422);
  });
});
