import { hasRole, roleOf } from '../protocol/authorize.ts';
import { type Account, isPull, type Repository, type World } from '../world.ts';
import { accountShape } from './account.ts';

/** The address below which the repository's REST resources are. */
export const apiBase = (world: World, repository: Repository) => `${world.url}/repos/${repository.fullName}`;

/** The address below which the repository's pages are. */
export const pageBase = (world: World, repository: Repository) => `${world.url}/${repository.fullName}`;

/** A repository as the API names it; `viewer` adds what that account may do. */
export function repositoryShape(
  world: World,
  repository: Repository,
  viewer?: Account,
): Record<string, unknown> {
  const api = apiBase(world, repository);
  const page = pageBase(world, repository);
  const open = repository.threads.filter((thread) => thread.state === 'open').length;
  const parent = repository.parent;
  const links = Object.fromEntries(
    Object.entries(templates).map(([name, template]) => [name, `${api}${template}`]),
  );
  return {
    ...links,
    id: repository.id,
    node_id: repository.nodeId,
    name: repository.name,
    full_name: repository.fullName,
    private: repository.private,
    visibility: repository.private ? 'private' : 'public',
    owner: accountShape(world, repository.owner),
    html_url: page,
    description: null,
    fork: parent !== null,
    ...(parent === null
      ? {}
      : { parent: repositoryShape(world, parent), source: repositoryShape(world, parent) }),
    url: api,
    created_at: repository.createdAt,
    updated_at: repository.createdAt,
    pushed_at: repository.createdAt,
    homepage: null,
    size: 1,
    language: null,
    license: null,
    topics: [],
    git_url: `${page.replace(/^https?:/, 'git:')}.git`,
    ssh_url: `git@${new URL(page).hostname}:${repository.fullName}.git`,
    clone_url: `${page}.git`,
    svn_url: page,
    mirror_url: null,
    default_branch: repository.defaultBranch,
    archived: repository.archived,
    disabled: false,
    has_issues: true,
    has_projects: true,
    has_downloads: true,
    has_wiki: false,
    has_pages: false,
    has_discussions: false,
    allow_forking: true,
    open_issues: open,
    open_issues_count: open,
    forks: 0,
    forks_count: 0,
    watchers: 0,
    watchers_count: 0,
    stargazers_count: 0,
    ...(viewer === undefined ? {} : { permissions: permissionFlags(repository, viewer) }),
  };
}

const templates = {
  archive_url: '/{archive_format}{/ref}',
  assignees_url: '/assignees{/user}',
  blobs_url: '/git/blobs{/sha}',
  branches_url: '/branches{/branch}',
  collaborators_url: '/collaborators{/collaborator}',
  comments_url: '/comments{/number}',
  commits_url: '/commits{/sha}',
  compare_url: '/compare/{base}...{head}',
  contents_url: '/contents/{+path}',
  contributors_url: '/contributors',
  deployments_url: '/deployments',
  downloads_url: '/downloads',
  events_url: '/events',
  forks_url: '/forks',
  git_commits_url: '/git/commits{/sha}',
  git_refs_url: '/git/refs{/sha}',
  git_tags_url: '/git/tags{/sha}',
  hooks_url: '/hooks',
  issue_comment_url: '/issues/comments{/number}',
  issue_events_url: '/issues/events{/number}',
  issues_url: '/issues{/number}',
  keys_url: '/keys{/key_id}',
  labels_url: '/labels{/name}',
  languages_url: '/languages',
  merges_url: '/merges',
  milestones_url: '/milestones{/number}',
  notifications_url: '/notifications{?since,all,participating}',
  pulls_url: '/pulls{/number}',
  releases_url: '/releases{/id}',
  stargazers_url: '/stargazers',
  statuses_url: '/statuses/{sha}',
  subscribers_url: '/subscribers',
  subscription_url: '/subscription',
  tags_url: '/tags',
  teams_url: '/teams',
  trees_url: '/git/trees{/sha}',
};

/** The five flags of a role, as in `repository.permissions`. */
export function permissionFlags(repository: Repository, account: Account): Record<string, boolean> {
  return {
    admin: hasRole(repository, account, 'admin'),
    maintain: hasRole(repository, account, 'maintain'),
    push: hasRole(repository, account, 'write'),
    triage: hasRole(repository, account, 'triage'),
    pull: hasRole(repository, account, 'read'),
  };
}

/** The account's relation to the repository, as in `author_association`. */
export function association(repository: Repository, account: Account): string {
  if (account.id === repository.owner.id) return 'OWNER';
  const role = repository.roles.has(account.login.toLowerCase()) ? roleOf(repository, account) : 'none';
  if (role !== 'none') return repository.owner.type === 'Organization' ? 'MEMBER' : 'COLLABORATOR';
  const contributed = repository.threads.some(
    (thread) => isPull(thread) && thread.pull.mergedAt !== null && thread.author.id === account.id,
  );
  return contributed ? 'CONTRIBUTOR' : 'NONE';
}
