import { type Account, type App, nodeId, type World } from '../world.ts';

/** Whom GitHub names in the place of an account that was deleted (GitHub Docs, "Deleting your personal account"). */
const ghost: Account = { id: 10_137, login: 'ghost', type: 'User', deleted: false };

/** An account where the description allows nobody: null once it was deleted. */
export const authorShape = (world: World, account: Account) =>
  account.deleted ? null : accountShape(world, account);

/** An account as the API names it (`simple-user`); the ghost once it was deleted. */
export function accountShape(world: World, account: Account): Record<string, unknown> {
  if (account.deleted) return accountShape(world, ghost);
  const api = `${world.url}/users/${encodeURIComponent(account.login)}`;
  const page =
    account.type === 'Bot'
      ? `${world.url}/apps/${account.login.replace(/\[bot\]$/, '')}`
      : `${world.url}/${account.login}`;
  return {
    login: account.login,
    id: account.id,
    node_id: accountNodeId(account),
    avatar_url: `${world.url}/avatars/${account.id}`,
    gravatar_id: '',
    url: api,
    html_url: page,
    followers_url: `${api}/followers`,
    following_url: `${api}/following{/other_user}`,
    gists_url: `${api}/gists{/gist_id}`,
    starred_url: `${api}/starred{/owner}{/repo}`,
    subscriptions_url: `${api}/subscriptions`,
    organizations_url: `${api}/orgs`,
    repos_url: `${api}/repos`,
    events_url: `${api}/events{/privacy}`,
    received_events_url: `${api}/received_events`,
    type: account.type,
    user_view_type: 'public',
    site_admin: false,
  };
}

/** The account's global node id, by its kind. */
export function accountNodeId(account: Account): string {
  const prefix = { User: 'U', Bot: 'BOT', Organization: 'O', Mannequin: 'M' }[account.type];
  return nodeId(prefix, account.id);
}

/** An app as the API names it (`integration`). */
export function appShape(world: World, app: App): Record<string, unknown> {
  return {
    id: app.id,
    slug: app.slug,
    node_id: nodeId('A', app.id),
    client_id: `Iv23li${app.id}`,
    owner: accountShape(world, app.owner),
    name: app.slug,
    description: '',
    external_url: world.url,
    html_url: `${world.url}/apps/${app.slug}`,
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
    permissions: app.permissions,
    events: app.events,
    installations_count: 1,
  };
}

/** The app of a comment or check, or null. */
export const appOrNull = (world: World, app: App | null) => (app === null ? null : appShape(world, app));
