import { createAppAuth } from '@octokit/auth-app';
import { Octokit } from '@octokit/rest';
import type { InstalledRepository } from '../contract/state-store.ts';
import { isNotFound } from './api-errors.ts';
import { silentLog, userAgent } from './create-octokit.ts';
import { ownOriginFetch } from './own-origin-fetch.ts';

/**
 * Purpose of a token, with the least permissions for it (GitHub docs, "Permissions required for
 * GitHub Apps"). `read`: deciding and fetching. `react`: the first reaction. `write`: the
 * publisher. `scan`: code scanning. `checks`: failed CI. `check` and `status`: the run's display on
 * its commit. Installations may lack the permissions of the last four.
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
   * Returns a token for one repository of its installation, valid for an hour. Cached until its
   * last minute; `fresh` makes a new one. It is bound to the repository's id, so it never opens
   * another repository that took the name.
   */
  tokenFor(repository: InstalledRepository, purpose: TokenPurpose, fresh?: boolean): Promise<string>;
  /**
   * Returns permissions, events and suspension of an installation. Throws octokit's `RequestError`
   * (404) if it is gone.
   */
  grantsOf(installation: number): Promise<{
    readonly permissions: Readonly<Record<string, string>>;
    readonly events: readonly string[];
    readonly suspended: boolean;
  }>;
  /**
   * Returns the visibility of a repository; null if its installation is gone or cannot access it.
   */
  visibilityOf(repository: InstalledRepository): Promise<'public' | 'private' | null>;
  /** Returns the App's login: `anode-ci[bot]`. */
  ownLogin(): Promise<string>;
}

/** True if the installation is gone (404) or cannot access the repository (422). */
function isUnreached(error: unknown): boolean {
  return isNotFound(error) || (error instanceof Error && 'status' in error && error.status === 422);
}

/** Installation tokens of the App, each limited to one repository and one purpose. */
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
