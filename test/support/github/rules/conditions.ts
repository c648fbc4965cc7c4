import { ApiError } from '../protocol/api-error.ts';
import { hasRole } from '../protocol/authorize.ts';
import type { Credential } from '../protocol/call.ts';
import type { App, Repository, Thread } from '../world.ts';

/** Throws 403 for anything that would change an archived repository (GitHub Docs, "Archiving repositories"). */
export function assertNotArchived(repository: Repository): void {
  if (repository.archived) throw new ApiError(403, 'Repository was archived so is read-only.');
}

/**
 * Throws 403 where a conversation is locked and whoever asks is no person with write access (GitHub Docs, "Locking conversations").
 * Apps are refused whatever their permissions: people met that, and no page says otherwise.
 */
export function assertUnlocked(credential: Credential, thread: Thread, what: 'comment' | 'reaction'): void {
  if (!thread.locked) return;
  const token = credential.kind === 'token' ? credential.token : null;
  if (token?.permissions === null && hasRole(thread.repository, token.actor, 'write')) return;
  throw new ApiError(403, `Unable to create ${what} because issue is locked.`);
}

/** Throws 403 for whatever a suspended installation asks (GitHub Docs, "Suspending a GitHub App installation"). */
export function assertNotSuspended(app: App | null): void {
  if (app?.suspendedAt != null) throw new ApiError(403, 'This installation has been suspended');
}

/**
 * Throws unless who asks opened the pull request or may write to the repository; an app needs `contents: write` (GitHub Docs,
 * "Commenting on a pull request", resolving conversations).
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
