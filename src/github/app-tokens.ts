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

/** Purposes whose token is made with less if the installation lacks a permission. */
const narrowable: ReadonlySet<TokenPurpose> = new Set(['read', 'react', 'write', 'checks']);

/** Milliseconds before the full permissions are requested again: they may be granted by then. */
const narrowedMs = 5 * 60_000;

const levels = ['read', 'write', 'admin'];

/** Returns the requested permissions as far as they are granted, at the granted level at most. */
function grantedPart(
  wanted: Readonly<Record<string, string>>,
  granted: Readonly<Record<string, string>>,
): Record<string, string> {
  const part: Record<string, string> = { metadata: 'read' };
  for (const [name, level] of Object.entries(wanted)) {
    const has = granted[name];
    if (has !== undefined) part[name] = levels.indexOf(has) < levels.indexOf(level) ? has : level;
  }
  return part;
}

const sameLevels = (
  one: Readonly<Record<string, string>>,
  other: Readonly<Record<string, string>>,
): boolean => Object.keys({ ...one, ...other }).every((name) => one[name] === other[name]);

export interface AppTokens {
  /**
   * Returns a token for one repository of its installation, valid for an hour. Cached until its
   * last minute; `fresh` makes a new one. It is bound to the repository's id, so it never opens
   * another repository that took the name. A token to read, react or write has what is granted of
   * its permissions. For `scan`, `check` and `status` all must be granted: a `RequestError` (422).
   */
  tokenFor(repository: InstalledRepository, purpose: TokenPurpose, fresh?: boolean): Promise<string>;
  /**
   * Returns permissions, events and suspension of an installation. Throws octokit's `RequestError`
   * (404) if it was deleted.
   */
  grantsOf(installation: number): Promise<{
    readonly permissions: Readonly<Record<string, string>>;
    readonly events: readonly string[];
    readonly suspended: boolean;
  }>;
  /**
   * Returns the visibility of a repository; null if its installation was deleted or cannot access
   * it.
   */
  visibilityOf(repository: InstalledRepository): Promise<'public' | 'private' | null>;
  /** Returns the App's login: `anode-ci[bot]`. */
  ownLogin(): Promise<string>;
}

const isUnprocessable = (error: unknown): boolean =>
  error instanceof Error && 'status' in error && error.status === 422;

/** True if the installation was deleted (404) or cannot access the repository (422). */
const isUnreached = (error: unknown): boolean => isNotFound(error) || isUnprocessable(error);

type MakeToken = (
  repository: InstalledRepository,
  wanted: Record<string, string>,
  fresh: boolean,
) => Promise<string>;

/**
 * Requests tokens with the permissions of their purpose. If GitHub refuses (422), requests one with
 * those that the installation has, and does so at once for some minutes.
 */
function narrowingTokens(make: MakeToken, grantsOf: AppTokens['grantsOf']): AppTokens['tokenFor'] {
  const narrowed = new Map<string, { readonly part: Record<string, string>; readonly until: number }>();
  return async (repository, purpose, fresh = false) => {
    const wanted = permissions[purpose];
    const key = `${repository.installation}/${purpose}`;
    const known = narrowed.get(key);
    const usual = known !== undefined && !fresh && known.until > Date.now() ? known.part : wanted;
    try {
      return await make(repository, usual, fresh);
    } catch (error) {
      narrowed.delete(key);
      if (!narrowable.has(purpose) || !isUnprocessable(error)) throw error;
      const part = grantedPart(wanted, (await grantsOf(repository.installation)).permissions);
      // Nothing else to request: the repository is out of reach.
      if (sameLevels(part, usual)) throw error;
      const token = await make(repository, part, fresh);
      narrowed.set(key, { part, until: Date.now() + narrowedMs });
      return token;
    }
  };
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
  const grantsOf: AppTokens['grantsOf'] = async (installation_id) => {
    const { data } = await asApp.rest.apps.getInstallation({ installation_id });
    const permissions: Record<string, string> = {};
    for (const [name, level] of Object.entries(data.permissions))
      if (typeof level === 'string') permissions[name] = level;
    return { permissions, events: data.events, suspended: data.suspended_at !== null };
  };
  return {
    tokenFor: narrowingTokens(
      async ({ installation, repository }, wanted, refresh) =>
        auth({
          type: 'installation',
          installationId: installation,
          repositoryIds: [repository],
          permissions: wanted,
          refresh,
        }).then(({ token }) => token),
      grantsOf,
    ),
    grantsOf,
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
