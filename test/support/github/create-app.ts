import { randomBytes } from 'node:crypto';
import { type Account, type App, findAccount, type Permissions, type World } from './world.ts';

/** Every event that the stand-in tells of. */
const allEvents = [
  'check_run',
  'issue_comment',
  'issues',
  'pull_request',
  'pull_request_review',
  'pull_request_review_comment',
  'pull_request_review_thread',
  'push',
  'repository',
];

/** The data with which the owner of an app runs it. */
export interface AppCredentials {
  readonly appId: number;
  readonly slug: string;
  readonly login: string;
  /** PKCS #8 PEM. */
  readonly privateKey: string;
  readonly installationId: number;
  readonly webhookSecret: string;
}

/** The account with that login, created as a person if it is new. */
export function ensureAccount(
  world: World,
  login: string,
  fields: { readonly type?: Account['type'] | undefined; readonly id?: number | undefined } = {},
): Account {
  const known = findAccount(world, login);
  if (known !== undefined) return known;
  const type = fields.type ?? (login.endsWith('[bot]') ? 'Bot' : 'User');
  const account = { id: fields.id ?? world.nextId(), login, type, deleted: false };
  world.accounts.set(login.toLowerCase(), account);
  return account;
}

/** Makes an app with a key pair of its own and its bot account, installed on all repositories or on some. */
export function createApp(
  world: World,
  fields: {
    readonly slug: string;
    readonly permissions: Permissions;
    readonly events?: readonly string[];
    readonly repositories?: readonly string[];
  },
): AppCredentials {
  const { publicKey, privateKey } = world.api.keyPair(world.apps.size);
  const app: App = {
    id: world.nextId(),
    slug: fields.slug,
    owner: ensureAccount(world, `${fields.slug}-owner`),
    bot: ensureAccount(world, `${fields.slug}[bot]`, { type: 'Bot' }),
    permissions: { metadata: 'read', ...fields.permissions },
    events: fields.events ?? allEvents,
    publicKey,
    webhookSecret: randomBytes(20).toString('hex'),
    installationId: world.nextId(),
    installedOn:
      fields.repositories === undefined
        ? null
        : new Set(fields.repositories.map((name) => name.toLowerCase())),
    suspendedAt: null,
    isUninstalled: false,
    away: new Set(),
  };
  world.apps.set(app.id, app);
  return {
    appId: app.id,
    slug: app.slug,
    login: app.bot.login,
    privateKey,
    installationId: app.installationId,
    webhookSecret: app.webhookSecret,
  };
}
