import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { artifactServiceOf, uploadArtifact } from '../../../src/github/artifact-service.ts';
import { startArtifactJob } from './artifacts/artifact-service.ts';
import { createApp, ensureAccount } from './create-app.ts';
import { createRepository, type Files } from './create-repository.ts';
import { createGraphqlServer } from './graphql/graphql.ts';
import { createPages } from './pages/pages.ts';
import { type Api, loadApi } from './protocol/api.ts';
import { covers } from './protocol/call.ts';
import { createRepositoryHandle } from './repository-handle.ts';
import { type Limits, lowered } from './rules/limits.ts';
import { createReplica } from './rules/replica.ts';
import { createTraffic } from './rules/traffic.ts';
import { createFaults } from './server/faults.ts';
import { createRequestLog } from './server/request-log.ts';
import { createRestServer } from './server/rest.ts';
import { createGitHubServer } from './server/server.ts';
import { addUpload } from './uploads.ts';
import { createWebhooks, installationPayload } from './webhooks/webhooks.ts';
import { type Account, findRepository, type Permissions, timestamp, type World } from './world.ts';

export interface GitHubOptions {
  /** The clock of all timestamps and expiries; the machine's where left out. */
  readonly now?: () => Date;
  /** A free one where left out. */
  readonly port?: number;
  /** Shared with other stand-ins for a faster start; read again by default. */
  readonly api?: Api;
  /** Lower limits than GitHub's, so that a test of one is cheap. */
  readonly limits?: Partial<Limits>;
  /** Checks every answer and payload against the description, into `problems`; for the stand-in's own tests. */
  readonly checkOutput?: boolean;
}

/**
 * Ids of the stand-in are larger than 32 bits hold, as those of GitHub's comments and check runs are: `databaseId` of
 * GraphQL cannot say them (GitHub Docs, "Objects" of the GraphQL reference: use `fullDatabaseId`).
 */
const firstId = 2 ** 32;

/** The stand-in for GitHub: what `startGitHub` gives. */
export type GitHub = Awaited<ReturnType<typeof startGitHub>>;

/**
 * Starts a GitHub on loopback: REST at `url` and `url/api/v3`, GraphQL at `/graphql` and `/api/graphql`, git
 * at `/owner/name.git`, pages at `/owner/name/pull/N` and `/issues/N`. Strict by GitHub's own descriptions.
 */
export async function startGitHub(options: GitHubOptions = {}) {
  let lastId = firstId;
  const problems: string[] = [];
  const world: World = {
    url: '',
    directory: await mkdtemp(join(tmpdir(), 'github-stand-in-')),
    now: options.now ?? (() => new Date()),
    api: options.api ?? loadApi(),
    limits: lowered(options.limits ?? {}),
    nextId: () => {
      lastId += 1;
      return lastId;
    },
    accounts: new Map(),
    apps: new Map(),
    tokens: new Map(),
    repositories: new Map(),
    renamed: new Map(),
    uploads: new Map(),
    artifactJobs: new Map(),
    emit: () => {},
  };
  const log = createRequestLog();
  const faults = createFaults();
  const traffic = createTraffic(world);
  const replica = createReplica(world);
  const webhooks = createWebhooks(world, { check: options.checkOutput ?? false, changed: log.changed });
  world.emit = webhooks.emit;
  const server = createGitHubServer(world, {
    rest: createRestServer(world, options.checkOutput === true ? problems : null),
    graphql: createGraphqlServer(world, traffic.spend),
    page: createPages(world),
    log,
    faults,
    traffic,
    replica,
  });
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The stand-in listens on no port');
  world.url = `http://127.0.0.1:${address.port}`;

  const appBySlug = (slug: string) => {
    const app = [...world.apps.values()].find((one) => one.slug === slug);
    if (app === undefined) throw new Error(`There is no app ${slug}`);
    return app;
  };

  return {
    url: world.url,
    apiUrl: `${world.url}/api/v3`,
    graphqlUrl: `${world.url}/api/graphql`,
    world,

    close: async () => {
      await webhooks.settled();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      await rm(world.directory, { recursive: true, force: true });
    },

    addUser: (login: string, fields: { readonly type?: Account['type']; readonly id?: number } = {}) =>
      ensureAccount(world, login, fields),

    addApp: (fields: Parameters<typeof createApp>[1]) => createApp(world, fields),

    createRepository: async (
      fullName: string,
      fields: { readonly files?: Files; readonly private?: boolean; readonly defaultBranch?: string } = {},
    ) => createRepositoryHandle(world, await createRepository(world, fullName, fields)),

    /** Uploads a file for a comment; gives its address. Of a private one only the signed address can be read. */
    upload: (bytes: Buffer, fields: { readonly private?: boolean } = {}) => addUpload(world, bytes, fields),

    /** The handle of a repository that is there already. */
    repository: (fullName: string) => {
      const found = findRepository(world, fullName);
      if (found === undefined) throw new Error(`There is no repository ${fullName}`);
      return createRepositoryHandle(world, found);
    },

    /**
     * A token. With `permissions` it is a workflow's (an app's, if there is one with the actor's
     * slug); without them it is a person's, limited by the person's role.
     */
    createToken: (fields: {
      readonly actor: string;
      readonly permissions?: Permissions;
      readonly repositories?: readonly string[];
      readonly expiresInSeconds?: number;
    }): string => {
      const actor = ensureAccount(world, fields.actor);
      const app = [...world.apps.values()].find(({ bot }) => bot.id === actor.id) ?? null;
      const token = `${fields.permissions === undefined ? 'ghp' : 'ghs'}_${randomBytes(18).toString('hex')}`;
      const named = fields.repositories?.flatMap((name) => findRepository(world, name)?.id ?? []);
      world.tokens.set(token, {
        token,
        actor,
        app,
        permissions: fields.permissions === undefined ? null : { metadata: 'read', ...fields.permissions },
        repositories: named === undefined ? null : new Set(named),
        expiresAt:
          fields.expiresInSeconds === undefined
            ? null
            : world.now().getTime() + fields.expiresInSeconds * 1000,
      });
      return token;
    },

    /**
     * Starts a job of a workflow run: the variables with which its actions reach the artifact
     * service. `head` is the branch, and the fork, of the event.
     */
    startArtifactJob: (
      fullName: string,
      fields: { readonly runId: number; readonly branch?: string; readonly fork?: string },
    ) => startArtifactJob(world, fullName, fields),
    /** Uploads an artifact from a job of a workflow run, as any program in it can. */
    uploadArtifact: async (
      fullName: string,
      { runId, name, bytes }: { readonly runId: number; readonly name: string; readonly bytes: Buffer },
    ) => {
      const service = artifactServiceOf(startArtifactJob(world, fullName, { runId }), world.url);
      if (typeof service === 'string') throw new Error(service);
      await uploadArtifact(service, name, bytes);
    },
    /** The runtime tokens of all jobs, oldest first. */
    runtimeTokens: () => [...world.artifactJobs.keys()],

    /**
     * Sends the app every event of its repositories from now on, signed, one after the other; `shuffled` sends what happens together
     * all at once, the newest first.
     */
    subscribe: (slug: string, url: string, order: 'in order' | 'shuffled' = 'in order') =>
      webhooks.subscribe(appBySlug(slug), url, order),
    deliver: webhooks.deliver,
    deliveries: webhooks.deliveries,
    /** Resolves when everything emitted so far is delivered. */
    settled: webhooks.settled,

    /** The newest payload of an event (and action), without an installation: what an event file holds. */
    lastEventPayload: (event: string, action?: string) => {
      const found = webhooks.payloads.findLast(
        (one) => one.event === event && (action === undefined || one.payload.action === action),
      );
      if (found === undefined)
        throw new Error(`No ${event} event happened${action === undefined ? '' : ` with ${action}`}`);
      return found.payload;
    },
    payloads: webhooks.payloads,
    installationPayload: (slug: string, action: string) =>
      installationPayload(world, appBySlug(slug), action),

    requests: log.requests,
    onRequest: log.onRequest,
    waitFor: log.waitFor,
    failNext: faults.failNext,

    /** Refuses the next requests (GraphQL too) as GitHub's secondary rate limit does. */
    limitSecondary: ({ times = 1, retryAfterSeconds = 1, method, path }: SecondaryLimit = {}) =>
      faults.failNext({
        ...(method === undefined ? {} : { method }),
        ...(path === undefined ? {} : { path }),
        times,
        status: 403,
        message: 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.',
        headers: { 'retry-after': String(retryAfterSeconds) },
      }),

    /** Has so many reads after a write see what was there before it. */
    lag: replica.lag,
    /** Turns GitHub's secondary limits on: too many requests at once, or too many that make something. */
    limitBursts: traffic.limitBursts,

    /** Suspends the installation of an app, or gives it back. */
    suspend: (slug: string, suspended = true) => {
      appBySlug(slug).suspendedAt = suspended ? timestamp(world) : null;
    },

    /** Gives the installation of an app exactly these permissions; tokens lose what is no longer granted. */
    grant: (slug: string, permissions: Permissions) => {
      const app = appBySlug(slug);
      app.permissions = { metadata: 'read', ...permissions };
      for (const [token, one] of world.tokens) {
        if (one.app !== app || one.permissions === null) continue;
        const left = Object.entries(one.permissions).filter(([name, level]) =>
          covers(app.permissions[name], level),
        );
        world.tokens.set(token, { ...one, permissions: Object.fromEntries(left) });
      }
    },

    /**
     * Removes an app from a repository, like a change of the installation or a transfer, or
     * restores it.
     */
    takeAway: (slug: string, { repository: { id } }: { repository: { id: number } }, away = true) => {
      appBySlug(slug).away[away ? 'add' : 'delete'](id);
    },
    /** Makes an end of the installation of an app. */
    uninstall: (slug: string) => {
      appBySlug(slug).isUninstalled = true;
    },

    /** Deletes a person's account: its texts stay without an author. */
    deleteUser: (login: string) => {
      ensureAccount(world, login).deleted = true;
    },

    /** Faults of answers and payloads by the description, with `checkOutput`. */
    problems: () => [...problems, ...webhooks.problems],
  };
}

interface SecondaryLimit {
  readonly times?: number;
  readonly retryAfterSeconds?: number;
  readonly method?: string;
  readonly path?: RegExp;
}
