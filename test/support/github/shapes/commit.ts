import type { CommitRecord } from '../git/read-commit.ts';
import { nodeId, type Repository, type World } from '../world.ts';
import { accountShape } from './account.ts';
import { apiBase, pageBase } from './repository.ts';

/** Nothing is signed here: the stand-in's commits say so as GitHub does. */
const verification = {
  verified: false,
  reason: 'unsigned',
  signature: null,
  payload: null,
  verified_at: null,
};

/** The account an address belongs to: GitHub's `id+login@users.noreply.github.com`, or none. */
export function accountOfEmail(world: World, email: string) {
  const login = /^(?:\d+\+)?(.+)@users\.noreply\.github\.com$/.exec(email)?.[1];
  return login === undefined ? undefined : world.accounts.get(login.toLowerCase());
}

/** The address GitHub writes into commits that it makes for an account. */
export const noreply = (account: { readonly id: number; readonly login: string }) =>
  `${account.id}+${account.login}@users.noreply.github.com`;

/** A commit as the commits API gives it. */
export function commitShape(world: World, repository: Repository, commit: CommitRecord) {
  const api = apiBase(world, repository);
  const person = (email: string) => {
    const account = accountOfEmail(world, email);
    return account === undefined ? null : accountShape(world, account);
  };
  return {
    url: `${api}/commits/${commit.sha}`,
    sha: commit.sha,
    node_id: `C_${commit.sha}`,
    html_url: `${pageBase(world, repository)}/commit/${commit.sha}`,
    comments_url: `${api}/commits/${commit.sha}/comments`,
    commit: {
      url: `${api}/git/commits/${commit.sha}`,
      author: commit.author,
      committer: commit.committer,
      message: commit.message,
      comment_count: 0,
      tree: { sha: commit.tree, url: `${api}/git/trees/${commit.tree}` },
      verification,
    },
    author: person(commit.author.email),
    committer: person(commit.committer.email),
    parents: parentsShape(world, repository, commit),
  };
}

/** A commit as the git database gives it (`git-commit`). */
export function gitCommitShape(world: World, repository: Repository, commit: CommitRecord) {
  const api = apiBase(world, repository);
  return {
    sha: commit.sha,
    node_id: `C_${commit.sha}`,
    url: `${api}/git/commits/${commit.sha}`,
    html_url: `${pageBase(world, repository)}/commit/${commit.sha}`,
    author: commit.author,
    committer: commit.committer,
    message: commit.message,
    tree: { sha: commit.tree, url: `${api}/git/trees/${commit.tree}` },
    parents: parentsShape(world, repository, commit),
    verification,
  };
}

const parentsShape = (world: World, repository: Repository, commit: CommitRecord) =>
  commit.parents.map((sha) => ({
    sha,
    url: `${apiBase(world, repository)}/commits/${sha}`,
    html_url: `${pageBase(world, repository)}/commit/${sha}`,
  }));

/** A ref with the object it names. */
export function refShape(world: World, repository: Repository, ref: string, sha: string, type = 'commit') {
  const api = apiBase(world, repository);
  return {
    ref,
    node_id: `${nodeId('REF', repository.id)}${ref}`,
    url: `${api}/git/${ref}`,
    object: { type, sha, url: `${api}/git/${type}s/${sha}` },
  };
}
