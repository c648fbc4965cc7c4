import { ApiError } from '../protocol/api-error.ts';
import type { Repository, World } from '../world.ts';

/** The path of a request with the repository by its name, where it is by its number: `/repositories/7/issues`. */
export function named(world: World, path: string): string {
  const match = /^\/repositories\/(\d+)(?=\/|$)/.exec(path);
  if (match === null) return path;
  const found = [...world.repositories.values()].find(({ id }) => id === Number(match[1]));
  return found === undefined ? path : `/repos/${found.fullName}${path.slice(match[0].length)}`;
}

/** The repository that had the name before it was renamed, if no other has used the name since. */
function formerly(world: World, fullName: string): Repository | undefined {
  const name = fullName.toLowerCase();
  return world.repositories.has(name) ? undefined : world.renamed.get(name);
}

/**
 * Throws the redirect of a renamed repository: 301 for a read, 307 for a write, to the repository
 * by its number (GitHub Docs, "Renaming a repository", and "Best practices for using the REST API",
 * redirects).
 */
export function assertNotRenamed(world: World, method: string, path: string, query: string): void {
  const match = /^\/repos\/([^/]+\/[^/]+)(?=\/|$)/.exec(path);
  const found = match === null ? undefined : formerly(world, decodeURIComponent(match[1] ?? ''));
  if (match === null || found === undefined) return;
  const reads = method === 'GET' || method === 'HEAD';
  const location = `${world.url}/repositories/${found.id}${path.slice(match[0].length)}${query}`;
  throw new ApiError(reads ? 301 : 307, reads ? 'Moved Permanently' : 'Temporary Redirect', undefined, {
    location,
  });
}

/** The address of a renamed repository's git requests, null if it was not renamed. */
export function movedGit(world: World, path: string, query: string): string | null {
  const match = /^\/([^/]+\/[^/]+?)(?:\.git)?\/(info\/refs|git-(?:upload|receive)-pack)$/.exec(path);
  const found = match === null ? undefined : formerly(world, match[1] ?? '');
  return found === undefined ? null : `${world.url}/${found.fullName}.git/${match?.[2]}${query}`;
}

/** Gives a repository another name; the old one leads to it from now on. */
export function rename(world: World, repository: Repository, name: string): void {
  world.repositories.delete(repository.fullName.toLowerCase());
  world.renamed.set(repository.fullName.toLowerCase(), repository);
  repository.name = name;
  repository.fullName = `${repository.owner.login}/${name}`;
  world.repositories.set(repository.fullName.toLowerCase(), repository);
}
