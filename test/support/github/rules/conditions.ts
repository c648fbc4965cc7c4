import { ApiError } from '../protocol/api-error.ts';
import { hasRole } from '../protocol/authorize.ts';
import type { Credential } from '../protocol/call.ts';
import type { App, Repository, Thread } from '../world.ts';

/** Throws 403 for every change of an archived repository (GitHub Docs, "Archiving repositories"). */
export function assertNotArchived(repository: Repository): void {
  if (repository.archived) throw new ApiError(403, 'Repository was archived so is read-only.');
}

/**
 * Throws 403 where a conversation is locked and the account is no person with write access. Reactions are refused to everybody
 * (GitHub Docs, "Locking conversations"). Observed: apps are refused whatever their permissions (probot/stale, issue 25).
 */
export function assertUnlocked(credential: Credential, thread: Thread, what: 'comment' | 'reaction'): void {
  if (!thread.locked) return;
  const token = credential.kind === 'token' && what === 'comment' ? credential.token : null;
  if (token?.permissions === null && hasRole(thread.repository, token.actor, 'write')) return;
  throw new ApiError(403, `Unable to create ${what} because issue is locked.`);
}

/** Throws 403 for every request of a suspended installation (GitHub Docs, "Suspending a GitHub App installation"). */
export function assertNotSuspended(app: App | null): void {
  if (app?.suspendedAt != null) throw new ApiError(403, 'This installation has been suspended');
}

/**
 * Throws unless the person opened the pull request or has write access to the repository (GitHub
 * Docs, "Commenting on a pull request", resolving conversations). Observed: an app needs `contents:
 * write`.
 */
export function assertMayResolve(credential: Credential, thread: Thread): void {
  if (credential.kind === 'token') {
    const { actor, permissions } = credential.token;
    if (permissions === null && (actor.id === thread.author.id || hasRole(thread.repository, actor, 'write')))
      return;
    if (permissions?.contents === 'write') return;
  }
  throw new ApiError(403, 'Resource not accessible by integration');
}
