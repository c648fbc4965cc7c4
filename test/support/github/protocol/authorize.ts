import { assertNotArchived } from '../rules/conditions.ts';
import type { Access, Account, Repository, Role, Thread } from '../world.ts';
import { ApiError, notAccessible, notFound } from './api-error.ts';
import { type Credential, covers } from './call.ts';

const roles: readonly Role[] = ['none', 'read', 'triage', 'write', 'maintain', 'admin'];

/** The role of an account in a repository; anybody reads a public one. */
export function roleOf(repository: Repository, account: Account): Role {
  if (account.id === repository.owner.id) return 'admin';
  return repository.roles.get(account.login.toLowerCase()) ?? (repository.private ? 'none' : 'read');
}

/** True where the account's role is that one or a higher one. */
export const hasRole = (repository: Repository, account: Account, role: Role): boolean =>
  roles.indexOf(roleOf(repository, account)) >= roles.indexOf(role);

/** True where the credential is good for this repository at all. */
export function reaches(credential: Credential, repository: Repository): boolean {
  if (credential.kind !== 'token') return false;
  const { token } = credential;
  if (token.permissions === null) return roleOf(repository, token.actor) !== 'none';
  return token.repositories === null || token.repositories.has(repository.id);
}

/** Throws 404 where the repository is private and not for this credential: GitHub does not tell it exists. */
export function assertVisible(credential: Credential, repository: Repository): void {
  if (repository.private && !reaches(credential, repository)) throw notFound();
}

/** The role a person needs for what an app needs that permission for. */
function personNeeds(permission: string, access: Access): Role {
  if (access === 'read' || permission === 'issues' || permission === 'pull_requests') return 'read';
  return access === 'admin' ? 'admin' : 'write';
}

/**
 * Throws GitHub's refusal where the credential lacks the permission on the repository. Stricter
 * than GitHub in one way: an app's token needs `read` on public repositories too, which reveals a
 * missing permission.
 */
export function permit(
  { credential, repository }: { credential: Credential; repository: Repository },
  permission: string,
  access: Access,
): void {
  if (credential.kind === 'app') throw notAccessible();
  if (credential.kind === 'none') {
    if (access === 'read' && !repository.private) return;
    throw new ApiError(401, 'Requires authentication');
  }
  const { token } = credential;
  if (token.permissions === null) {
    if (!hasRole(repository, token.actor, personNeeds(permission, access)))
      throw access === 'read' ? notFound() : new ApiError(403, 'Must have write access to the repository.');
  } else if (!reaches(credential, repository) || !covers(token.permissions[permission], access)) {
    throw notAccessible(`${permission}=${access}`);
  }
  if (access !== 'read') assertNotArchived(repository);
}

/** As `permit`, by the thread's kind: `pull_requests` for a pull request, else `issues`. */
export const permitThread = (
  call: { credential: Credential; repository: Repository },
  thread: Thread,
  access: Access,
) => permit(call, thread.pull === null ? 'issues' : 'pull_requests', access);

/** Throws 403 where a person has less than the role; an app's permissions were checked before. */
export function assertRole(credential: Credential, repository: Repository, role: Role): void {
  if (credential.kind !== 'token' || credential.token.permissions !== null) return;
  if (!hasRole(repository, credential.token.actor, role))
    throw new ApiError(403, 'Must have triage access to the repository.');
}

/** Throws 403 unless the writer asks, or a person with write access: one app never edits another's words. */
export function assertMayEdit(credential: Credential, repository: Repository, author: Account): void {
  if (credential.kind !== 'token') throw new ApiError(401, 'Requires authentication');
  const { token } = credential;
  if (token.actor.id === author.id) return;
  if (token.permissions !== null) throw notAccessible();
  if (!hasRole(repository, token.actor, 'write'))
    throw new ApiError(403, 'Must have admin rights to Repository.');
}
