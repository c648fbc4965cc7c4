import { sign } from 'node:crypto';
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

/** A JSON web token with these claims beside good ones, signed by the app's own key. */
const jwt = (claims: Record<string, unknown>, header: Record<string, unknown> = {}): string => {
  const now = Math.floor(clock / 1000);
  const coded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const all = { iat: now - 30, exp: now + 540, iss: world.app.appId, ...claims };
  const text = `${coded({ alg: 'RS256', typ: 'JWT', ...header })}.${coded(all)}`;
  return `${text}.${sign('RSA-SHA256', Buffer.from(text), world.app.privateKey).toString('base64url')}`;
};

/** The answer to a raw request with that token: status and message, '' if there is none. */
async function requested(token: string, path = '/app', body?: string) {
  const response = await fetch(`${world.github.apiUrl}${path}`, {
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body }),
  });
  const { message = '' } = (await response.json()) as { message?: string };
  return [response.status, message];
}

describe('GitHub Docs, "Generating a JSON Web Token (JWT) for a GitHub App"', () => {
  it('a token that expired, lives too long, was not issued yet or lacks a claim is refused with a message', async () => {
    const now = Math.floor(clock / 1000);
    const answers = [
      await requested(jwt({})),
      await requested(jwt({ exp: now - 1 })),
      await requested(jwt({ exp: 'soon' })),
      await requested(jwt({ exp: undefined })),
      await requested(jwt({ exp: now + 3_600 })),
      await requested(jwt({ iat: now + 600 })),
      await requested(jwt({ iss: undefined })),
      await requested(jwt({ iss: 999 })),
      await requested(jwt({}, { alg: 'none' })),
    ];
    const expiry =
      "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires";
    expect(answers).toEqual([
      [200, ''],
      [401, expiry],
      [401, expiry],
      [401, "Missing 'expiration time' claim ('exp') in assertion"],
      [401, "'Expiration time' claim ('exp') is too far in the future"],
      [
        401,
        "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
      ],
      [401, "Missing 'issuer' claim ('iss') in assertion"],
      [404, 'Integration not found'],
      [401, 'A JSON web token could not be decoded'],
    ]);
  });
});

describe('GitHub Docs, "Troubleshooting the REST API"', () => {
  it('a body that is no JSON object and an invalid percent encoding in a path are bad requests', async () => {
    const tokens = `/app/installations/${world.app.installationId}/access_tokens`;
    const comments = '/repos/acme/shop/issues/1/comments';
    const ann = world.github.createToken({ actor: 'ann' });
    const answers = [
      await requested(jwt({}), tokens, '{"permissions":'),
      await requested(jwt({}), tokens, '{"permissions":"invalid_data"}'),
      await requested(jwt({}), tokens, '"text"'),
      await requested(ann, comments, '["text"]'),
      await requested(ann, '/repos/acme/shop/contents/100%'),
    ];
    expect(answers).toEqual([
      [400, 'Problems parsing JSON'],
      [400, 'Problems parsing JSON'],
      [400, 'Body should be a JSON object'],
      [400, 'Body should be a JSON object'],
      [400, 'Bad Request'],
    ]);
  });
});

describe('an app', () => {
  it('signs in with its key and learns its identity and installation', async () => {
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

  it("is refused with another app's key", async () => {
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
  it('limited to reading cannot write', async () => {
    const reader = octokitFor(world.github, await tokenOf({ permissions: { issues: 'read' } }));
    await reader.issues.get({ ...shop, issue_number: 1 });
    expect(await refusalOf(reader.issues.createComment({ ...shop, issue_number: 1, body: 'Hello' }))).toEqual(
      {
        status: 403,
        message: 'Resource not accessible by integration',
      },
    );
  });

  it('limited to another repository does not reach this one', async () => {
    await world.github.createRepository('acme/other', { private: true });
    await world.github.createRepository('acme/secret', { private: true });
    const narrow = octokitFor(world.github, await tokenOf({ repositories: ['other'] }));
    await narrow.repos.get({ owner: 'acme', repo: 'other' });
    expect(await refusalOf(narrow.repos.get({ owner: 'acme', repo: 'secret' }))).toEqual({
      status: 404,
      message: 'Not Found',
    });
  });

  it('cannot have more permissions than the app was granted', async () => {
    const refusal = {
      status: 422,
      message: 'The permissions requested are not granted to this installation.',
    };
    const unknown = { 'test-permissions': 'read' } as object;
    expect([
      await refusalOf(tokenOf({ permissions: { workflows: 'write' } })),
      await refusalOf(tokenOf({ permissions: unknown })),
    ]).toEqual([refusal, refusal]);
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

  it('is distinguished from a bot, which has no permission level', async () => {
    const username = 'github-actions[bot]';
    world.github.addUser(username);
    expect(await refusalOf(world.bot.repos.getCollaboratorPermissionLevel({ ...shop, username }))).toEqual({
      status: 404,
      message: 'github-actions[bot] is not a user',
    });
    expect((await world.bot.users.getByUsername({ username })).data.type).toBe('Bot');
  });
});
