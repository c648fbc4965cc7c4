import { createAppAuth } from '@octokit/auth-app';
import { Octokit } from '@octokit/rest';
import type { InstalledRepository } from '../contract/tenant.ts';
import { silentLog, userAgent } from './create-octokit.ts';
import { isNotFound } from './is-not-found.ts';
import { ownOriginFetch } from './own-origin-fetch.ts';

/**
 * What a token is for. `read` serves deciding and fetching, `react` the first sign of life, `write` the publisher, `scan`
 * code scanning, `checks` what failed in CI, `check` and `status` how a run shows on its commit; for these an installation
 * need not have the permissions.
 * The least permissions that do it: GitHub docs, "Permissions required for GitHub Apps".
 */
export type TokenPurpose = 'read' | 'react' | 'write' | 'scan' | 'checks' | 'check' | 'status';

const permissions: Record<TokenPurpose, Record<string, string>> = {
  read: { contents: 'read', issues: 'read', metadata: 'read', pull_requests: 'read' },
  react: { issues: 'write', metadata: 'read', pull_requests: 'write' },
  write: { contents: 'write', issues: 'write', metadata: 'read', pull_requests: 'write' },
  checks: { actions: 'read', checks: 'read', metadata: 'read' },
  check: { checks: 'write', metadata: 'read' },
  status: { metadata: 'read', statuses: 'write' },
  scan: { metadata: 'read', security_events: 'write' },
};

export interface AppTokens {
  /**
   * A token for one repository of its installation, valid for an hour. It is made once and kept until its last minute; with
   * `fresh` it is made anew. It is for the repository's id, so that it opens nothing of another that has taken the name.
   */
  tokenFor(repository: InstalledRepository, purpose: TokenPurpose, fresh?: boolean): Promise<string>;
  /**
   * What an installation was granted and is told of, and whether it is suspended. Throws octokit's `RequestError` (404) where it is
   * gone.
   */
  grantsOf(installation: number): Promise<{
    readonly permissions: Readonly<Record<string, string>>;
    readonly events: readonly string[];
    readonly suspended: boolean;
  }>;
  /** Who may read a repository; null where its installation is gone, or does not reach it. */
  visibilityOf(repository: InstalledRepository): Promise<'public' | 'private' | null>;
  /** The login that the App writes under: `anode-ci[bot]`. */
  ownLogin(): Promise<string>;
}

/** Whether GitHub says of a repository that the installation does not reach it, or is gone itself (404). */
function isUnreached(error: unknown): boolean {
  return isNotFound(error) || (error instanceof Error && 'status' in error && error.status === 422);
}

/** Installation tokens of the App, each narrowed to one repository and one purpose. */
export function createAppTokens(options: { appId: number; privateKey: string; apiUrl: string }): AppTokens {
  const { appId, privateKey, apiUrl: baseUrl } = options;
  const plain = { baseUrl, userAgent, log: silentLog, request: { fetch: ownOriginFetch(baseUrl) } };
  const { request } = new Octokit(plain);
  const auth = createAppAuth({ appId, privateKey, request });
  const asApp = new Octokit({
    ...plain,
    authStrategy: createAppAuth,
    auth: { appId, privateKey },
  });
  return {
    async tokenFor({ installation, repository }, purpose, fresh = false) {
      const { token } = await auth({
        type: 'installation',
        installationId: installation,
        repositoryIds: [repository],
        permissions: permissions[purpose],
        refresh: fresh,
      });
      return token;
    },
    async grantsOf(installation_id) {
      const { data } = await asApp.rest.apps.getInstallation({ installation_id });
      const permissions: Record<string, string> = {};
      for (const [name, level] of Object.entries(data.permissions))
        if (typeof level === 'string') permissions[name] = level;
      return { permissions, events: data.events, suspended: data.suspended_at !== null };
    },
    async visibilityOf({ installation, repository }) {
      try {
        const { data } = await asApp.rest.apps.createInstallationAccessToken({
          installation_id: installation,
          repository_ids: [repository],
          permissions: { metadata: 'read' },
        });
        const found = data.repositories?.find(({ id }) => id === repository);
        if (found === undefined) throw new Error("GitHub's answer about a repository does not name it.");
        return found.private ? 'private' : 'public';
      } catch (error) {
        if (isUnreached(error)) return null;
        throw error;
      }
    },
    async ownLogin() {
      const { data } = await asApp.rest.apps.getAuthenticated();
      if (data === null || data.slug === undefined)
        throw new Error("GitHub's answer to GET /app names no slug.");
      return `${data.slug}[bot]`;
    },
  };
}
