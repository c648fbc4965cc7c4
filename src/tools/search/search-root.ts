import { invalidInput, ToolError } from '../../contract/errors.ts';
import type { RegisteredRepository } from '../../workspace/git/registered-repositories.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/** The start of a search: a folder or file, named as the tools name it. */
export interface SearchRoot {
  /** Path from the workspace's root (`.`); `../shared-lib/src` in another repository. */
  readonly path: string;
  readonly kind: 'directory' | 'file';
  /** Its repository. Default: the workspace. */
  readonly repository?: RegisteredRepository | undefined;
}

/** The checkouts that may be searched. */
export interface SearchPlaces {
  readonly workspace: Workspace;
  readonly repositories: readonly RegisteredRepository[];
}

/**
 * Validates the path of a search before a program gets it. A link is refused, as results would have
 * other names. Throws `ToolError` for a path that is missing or outside all checkouts.
 */
async function searchRoot(
  workspace: Workspace,
  path: string,
  repositories: readonly RegisteredRepository[] = [],
): Promise<SearchRoot> {
  const relative = workspace.files.relative(path);
  if (relative === '') return { path: '.', kind: 'directory' };
  const info = await workspace.files.stat(relative);
  if (info === null) {
    const { message } = workspace.files.missing(relative);
    throw new ToolError('not_found', `${message} Leave path out to search the whole workspace.`);
  }
  if (info.kind !== 'directory' && info.kind !== 'file') {
    throw invalidInput(`${path} is a ${info.kind}; searches start at a directory or file.`);
  }
  const repository = repositories.find(
    ({ displayPath: shown }) => relative === shown || relative.startsWith(`${shown}/`),
  );
  return { path: relative, kind: info.kind, repository };
}

/** Returns the roots of a search in order; for the whole workspace, every repository too. */
async function searchRoots(places: SearchPlaces, path: string): Promise<SearchRoot[]> {
  const root = await searchRoot(places.workspace, path, places.repositories);
  return root.path === '.' ? [root, ...places.repositories.map(rootOf)] : [root];
}

/** Returns a registered repository as a search root. */
export function rootOf(repository: RegisteredRepository): SearchRoot {
  return { path: repository.displayPath, kind: 'directory', repository };
}

/** Returns the path prefix of a root's repository: empty for the workspace. */
export function topOf(root: SearchRoot): string {
  return root.repository === undefined ? '' : `${root.repository.displayPath}/`;
}

/** Returns the prefix of paths below a root: empty for the workspace. */
export function prefixOf(root: SearchRoot): string {
  return root.path === '.' ? '' : `${root.path}/`;
}

/**
 * Returns the roots of a search whose glob may name a repository (`../shared-lib/src/*.ts`), and
 * the glob relative to them.
 */
export async function rootsForGlob<Glob extends string | undefined>(
  places: SearchPlaces,
  path: string,
  glob: Glob,
): Promise<{ readonly roots: readonly SearchRoot[]; readonly glob: Glob | string }> {
  const repository = places.repositories.find(
    ({ displayPath: shown }) => glob?.startsWith(`${shown}/`) === true,
  );
  if (repository === undefined || glob === undefined || workspaceOnly(path) === false)
    return { roots: await searchRoots(places, path), glob };
  return { roots: [rootOf(repository)], glob: glob.slice(repository.displayPath.length + 1) };
}

/** True for a path that names the whole workspace. */
const workspaceOnly = (path: string): boolean => path === '.' || path === '' || path === './';
