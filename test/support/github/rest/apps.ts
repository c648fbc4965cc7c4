import { randomBytes } from 'node:crypto';
import { ApiError, notFound, notGranted } from '../protocol/api-error.ts';
import { reaches } from '../protocol/authorize.ts';
import { bodyOf, type Call, covers, type Handlers, onRepository, onWorld } from '../protocol/call.ts';
import { assertNotSuspended } from '../rules/conditions.ts';
import { accountShape, appShape } from '../shapes/account.ts';
import { repositoryShape } from '../shapes/repository.ts';
import { type App, findAccount, type Permissions, type Repository, type World } from '../world.ts';

const hour = 3_600_000;

function signedApp(call: Call): App {
  if (call.credential.kind !== 'app') throw new ApiError(401, 'A JSON web token could not be decoded');
  return call.credential.app;
}

/** The repositories that an app is installed on. */
export const installedRepositories = (world: World, app: App): Repository[] =>
  [...world.repositories.values()].filter(
    (repository) =>
      !app.isUninstalled &&
      !app.away.has(repository.id) &&
      (app.installedOn === null
        ? repository.parent === null
        : app.installedOn.has(repository.fullName.toLowerCase())),
  );

/** An app's installation as the API gives it. */
export function installationShape(world: World, app: App): Record<string, unknown> {
  const account = installedRepositories(world, app)[0]?.owner ?? app.owner;
  return {
    id: app.installationId,
    account: accountShape(world, account),
    repository_selection: app.installedOn === null ? 'all' : 'selected',
    access_tokens_url: `${world.url}/app/installations/${app.installationId}/access_tokens`,
    repositories_url: `${world.url}/installation/repositories`,
    html_url: `${world.url}/settings/installations/${app.installationId}`,
    app_id: app.id,
    app_slug: app.slug,
    target_id: account.id,
    target_type: account.type,
    permissions: app.permissions,
    events: app.events,
    single_file_name: null,
    has_multiple_single_files: false,
    single_file_paths: [],
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
    suspended_by: app.suspendedAt === null ? null : accountShape(world, app.owner),
    suspended_at: app.suspendedAt,
  };
}

function installation(call: Call): App {
  const app = signedApp(call);
  if (app.isUninstalled || String(app.installationId) !== call.params.installation_id) throw notFound();
  return app;
}

function narrowedPermissions(app: App, requested: Permissions | undefined): Permissions {
  const all: Permissions = { metadata: 'read', ...app.permissions };
  if (requested === undefined) return all;
  for (const [name, access] of Object.entries(requested)) if (!covers(all[name], access)) throw notGranted();
  return { metadata: 'read', ...requested };
}

interface TokenRequest {
  readonly repositories?: readonly string[];
  readonly repository_ids?: readonly number[];
  readonly permissions?: Permissions;
}

function narrowedRepositories(call: Call, app: App, requests: TokenRequest): Repository[] {
  const all = installedRepositories(call.world, app);
  if (requests.repositories === undefined && requests.repository_ids === undefined) return all;
  const found = all.filter(
    ({ id, name }) =>
      requests.repositories?.includes(name) === true || requests.repository_ids?.includes(id) === true,
  );
  const wanted = (requests.repositories?.length ?? 0) + (requests.repository_ids?.length ?? 0);
  if (found.length < wanted)
    throw new ApiError(
      422,
      'There is at least one repository that does not exist or is not accessible to the parent installation.',
    );
  return found;
}

export const appHandlers: Handlers = {
  'apps/get-authenticated': onWorld((call) => ({
    status: 200,
    body: appShape(call.world, signedApp(call)),
  })),

  'apps/get-by-slug': onWorld((call) => {
    const app = [...call.world.apps.values()].find(({ slug }) => slug === call.params.app_slug);
    if (app === undefined) throw notFound();
    return { status: 200, body: appShape(call.world, app) };
  }),

  'apps/list-installations': onWorld((call) => ({
    status: 200,
    list: [installationShape(call.world, signedApp(call))],
  })),

  'apps/get-installation': onWorld((call) => ({
    status: 200,
    body: installationShape(call.world, installation(call)),
  })),

  'apps/create-installation-access-token': onWorld((call) => {
    const { world } = call;
    const app = installation(call);
    assertNotSuspended(app);
    const requestLog = bodyOf<TokenRequest>(call);
    const permissions = narrowedPermissions(app, requestLog.permissions);
    const repositories = narrowedRepositories(call, app, requestLog);
    const whole = requestLog.repositories === undefined && requestLog.repository_ids === undefined;
    const expiresAt = world.now().getTime() + hour;
    const token = `ghs_${randomBytes(18).toString('hex')}`;
    world.tokens.set(token, {
      token,
      actor: app.bot,
      app,
      permissions,
      repositories: new Set(repositories.map(({ id }) => id)),
      expiresAt,
    });
    return {
      status: 201,
      body: {
        token,
        expires_at: new Date(expiresAt).toISOString().replace(/\.\d+Z$/, 'Z'),
        permissions,
        repository_selection: whole && app.installedOn === null ? 'all' : 'selected',
        ...(whole ? {} : { repositories: repositories.map((one) => repositoryShape(world, one)) }),
      },
    };
  }),

  'apps/revoke-installation-access-token': onWorld(({ world, credential }) => {
    if (credential.kind !== 'token') throw new ApiError(401, 'Requires authentication');
    world.tokens.delete(credential.token.token);
    return { status: 204 };
  }),

  'apps/list-repos-accessible-to-installation': onWorld(({ world, credential }) => {
    if (credential.kind !== 'token' || credential.token.permissions === null)
      throw new ApiError(
        403,
        'You must authenticate with an installation access token in order to list repositories for an installation.',
      );
    const list = [...world.repositories.values()].filter((repository) => reaches(credential, repository));
    return {
      status: 200,
      list: list.map((repository) => repositoryShape(world, repository)),
      envelope: 'repositories',
    };
  }),

  'apps/get-repo-installation': onRepository((call) => {
    const app = signedApp(call);
    if (!installedRepositories(call.world, app).includes(call.repository)) throw notFound();
    return { status: 200, body: installationShape(call.world, app) };
  }),

  'users/get-by-username': onWorld(({ world, params }) => {
    const account = findAccount(world, params.username ?? '');
    if (account === undefined) throw notFound();
    return { status: 200, body: { ...accountShape(world, account), name: account.login, public_repos: 0 } };
  }),

  'users/get-authenticated': onWorld(({ world, credential }) => {
    if (credential.kind !== 'token') throw new ApiError(401, 'Requires authentication');
    if (credential.token.permissions !== null)
      throw new ApiError(403, 'Resource not accessible by integration');
    return { status: 200, body: accountShape(world, credential.token.actor) };
  }),

  'meta/get': onWorld(() => ({ status: 200, body: { verifiable_password_authentication: false } })),
};
