import { ensureLabel } from '../actions/threads.ts';
import { branchHead, listRefs } from '../git/git.ts';
import { readCommit } from '../git/read-commit.ts';
import { ApiError, notFound } from '../protocol/api-error.ts';
import { hasRole, permit, roleOf } from '../protocol/authorize.ts';
import { bodyOf, type Handlers, onRepository, type RepositoryCall } from '../protocol/call.ts';
import { assertLabel } from '../rules/texts.ts';
import { accountShape } from '../shapes/account.ts';
import { commitShape } from '../shapes/commit.ts';
import { apiBase, permissionFlags, repositoryShape } from '../shapes/repository.ts';
import { labelShape } from '../shapes/thread.ts';
import { findAccount } from '../world.ts';

/** GitHub's older four words, which have none for `maintain` and `triage`. */
const legacy = {
  admin: 'admin',
  maintain: 'write',
  write: 'write',
  triage: 'read',
  read: 'read',
  none: 'none',
};

async function branchShape({ world, repository }: RepositoryCall, name: string, sha: string) {
  const commit = await readCommit(repository.directory, sha);
  const api = `${apiBase(world, repository)}/branches/${name}`;
  return {
    name,
    commit: commitShape(world, repository, commit),
    _links: { self: api, html: `${world.url}/${repository.fullName}/tree/${name}` },
    protected: false,
    protection: { enabled: false },
    protection_url: `${api}/protection`,
  };
}

export const repositoryHandlers: Handlers = {
  'repos/get': onRepository((call) => {
    permit(call, 'metadata', 'read');
    const { credential } = call;
    const viewer = credential.kind === 'token' ? credential.token.actor : undefined;
    return { status: 200, body: repositoryShape(call.world, call.repository, viewer) };
  }),

  'repos/get-branch': onRepository(async (call) => {
    permit(call, 'contents', 'read');
    const name = call.params.branch ?? '';
    const sha = await branchHead(call.repository.directory, name);
    if (sha === null) throw new ApiError(404, 'Branch not found');
    return { status: 200, body: await branchShape(call, name, sha) };
  }),

  'repos/list-branches': onRepository(async (call) => {
    permit(call, 'contents', 'read');
    const refs = await listRefs(call.repository.directory);
    const list = [...refs]
      .filter(([ref]) => ref.startsWith('refs/heads/'))
      .map(([ref, sha]) => ({
        name: ref.slice('refs/heads/'.length),
        commit: { sha, url: `${apiBase(call.world, call.repository)}/commits/${sha}` },
        protected: false,
      }));
    return { status: 200, list };
  }),

  'repos/get-collaborator-permission-level': onRepository((call) => {
    permit(call, 'metadata', 'read');
    const { world, repository, params, credential } = call;
    // GitHub Docs, "REST API endpoints for collaborators": an app needs to read metadata, a person to push.
    const person = credential.kind === 'token' && credential.token.permissions === null;
    if (person && !hasRole(repository, credential.token.actor, 'write'))
      throw new ApiError(403, 'Must have push access to view collaborator permission.');
    const account = findAccount(world, params.username ?? '');
    if (account === undefined) throw notFound();
    if (account.type === 'Bot') throw new ApiError(404, `${account.login} is not a user`);
    const role = roleOf(repository, account);
    return {
      status: 200,
      body: {
        permission: legacy[role],
        role_name: role,
        user: {
          ...accountShape(world, account),
          role_name: role,
          permissions: permissionFlags(repository, account),
        },
      },
    };
  }),

  'repos/check-collaborator': onRepository((call) => {
    permit(call, 'metadata', 'read');
    const known = call.repository.roles.has((call.params.username ?? '').toLowerCase());
    if (!known) throw notFound();
    return { status: 204 };
  }),

  'issues/list-labels-for-repo': onRepository((call) => {
    permit(call, 'issues', 'read');
    const { world, repository } = call;
    return {
      status: 200,
      list: [...repository.labels.values()].map((label) => labelShape(world, repository, label)),
    };
  }),

  'issues/get-label': onRepository((call) => {
    permit(call, 'issues', 'read');
    const { world, repository, params } = call;
    const label = repository.labels.get((params.name ?? '').toLowerCase());
    if (label === undefined) throw notFound();
    return { status: 200, body: labelShape(world, repository, label) };
  }),

  'issues/create-label': onRepository((call) => {
    permit(call, 'issues', 'write');
    const { world, repository } = call;
    const body = bodyOf<{ name: string; color?: string; description?: string }>(call);
    assertLabel(body);
    if (repository.labels.has(body.name.toLowerCase()))
      throw new ApiError(422, 'Validation Failed', [
        { resource: 'Label', code: 'already_exists', field: 'name' },
      ]);
    const label = ensureLabel(world, repository, body.name, body);
    return { status: 201, body: labelShape(world, repository, label) };
  }),
};
