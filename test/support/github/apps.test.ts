import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadApi } from './protocol/api.ts';
import { octokitFor, octokitForApp, refusalOf, shop, startShop } from './shop.ts';

let clock = Date.now();
const api = loadApi();
let world: Awaited<ReturnType<typeof startShop>>;

beforeEach(async () => {
  clock = Date.now();
  world = await startShop({ api, now: () => new Date(clock) });
});

afterEach(async () => {
  const problems = world.github.problems();
  await world.github.close();
  expect(problems).toEqual([]);
});

const tokenOf = async (body: Record<string, unknown> = {}) => {
  const app = octokitForApp(world.github, world.app, false);
  const { data } = await app.apps.createInstallationAccessToken({
    installation_id: world.app.installationId,
    ...body,
  });
  return data.token;
};

describe('an app', () => {
  it('signs in by its key and learns who and where it is', async () => {
    const app = octokitForApp(world.github, world.app, false);
    const me = await app.apps.getAuthenticated();
    const installation = await app.apps.getRepoInstallation(shop);
    const list = await world.bot.apps.listReposAccessibleToInstallation();
    expect({
      slug: me.data?.slug,
      installation: installation.data.id,
      repositories: list.data.repositories.map(({ full_name }) => full_name),
    }).toEqual({ slug: 'anode', installation: world.app.installationId, repositories: ['acme/shop'] });
  });

  it('is refused with the key of another', async () => {
    const other = world.github.addApp({ slug: 'other', permissions: {} });
    const forged = octokitForApp(world.github, { ...world.app, privateKey: other.privateKey }, false);
    expect(await refusalOf(forged.apps.getAuthenticated())).toEqual({
      status: 401,
      message: 'A JSON web token could not be decoded',
    });
  });

  it('acts as its bot through an installation token', async () => {
    await world.bot.issues.createComment({ ...shop, issue_number: 2, body: 'Hello' });
    expect(world.repository.comments(2).map(({ author, body }) => ({ author, body }))).toEqual([
      { author: 'anode[bot]', body: 'Hello' },
    ]);
  });
});

describe('an installation token', () => {
  it('narrowed to reading cannot write', async () => {
    const reader = octokitFor(world.github, await tokenOf({ permissions: { issues: 'read' } }));
    await reader.issues.get({ ...shop, issue_number: 1 });
    expect(await refusalOf(reader.issues.createComment({ ...shop, issue_number: 1, body: 'Hello' }))).toEqual(
      {
        status: 403,
        message: 'Resource not accessible by integration',
      },
    );
  });

  it('narrowed to another repository does not reach this one', async () => {
    await world.github.createRepository('acme/other', { private: true });
    await world.github.createRepository('acme/secret', { private: true });
    const narrow = octokitFor(world.github, await tokenOf({ repositories: ['other'] }));
    await narrow.repos.get({ owner: 'acme', repo: 'other' });
    expect(await refusalOf(narrow.repos.get({ owner: 'acme', repo: 'secret' }))).toEqual({
      status: 404,
      message: 'Not Found',
    });
  });

  it('is not given for more than the app was granted', async () => {
    expect(await refusalOf(tokenOf({ permissions: { workflows: 'write' } }))).toEqual({
      status: 422,
      message: 'The permissions requested are not granted to this installation.',
    });
  });

  it('expires after an hour', async () => {
    const octokit = octokitFor(world.github, await tokenOf());
    await octokit.issues.get({ ...shop, issue_number: 1 });
    clock += 3_600_000;
    expect(await refusalOf(octokit.issues.get({ ...shop, issue_number: 1 }))).toEqual({
      status: 401,
      message: 'Bad credentials',
    });
  });

  it('needs the permission of the kind of thread it comments on', async () => {
    const issues = octokitFor(world.github, await tokenOf({ permissions: { issues: 'write' } }));
    await issues.issues.createComment({ ...shop, issue_number: 1, body: 'On the issue' });
    expect(
      await refusalOf(issues.issues.createComment({ ...shop, issue_number: 2, body: 'On the pull' })),
    ).toEqual({
      status: 403,
      message: 'Resource not accessible by integration',
    });
  });
});

describe('a person', () => {
  it('has the permission that the repository gives by account', async () => {
    const level = async (username: string) =>
      (await world.bot.repos.getCollaboratorPermissionLevel({ ...shop, username })).data.permission;
    world.github.addUser('eve');
    world.repository.setPermission('tom', 'triage');
    expect(await Promise.all(['ann', 'bob', 'tom', 'eve'].map(level))).toEqual([
      'write',
      'read',
      'read',
      'read',
    ]);
  });

  it('is told from a bot, which has no permission level', async () => {
    const username = 'github-actions[bot]';
    world.github.addUser(username);
    expect(await refusalOf(world.bot.repos.getCollaboratorPermissionLevel({ ...shop, username }))).toEqual({
      status: 404,
      message: 'github-actions[bot] is not a user',
    });
    expect((await world.bot.users.getByUsername({ username })).data.type).toBe('Bot');
  });
});
