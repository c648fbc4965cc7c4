import { ToolError } from '../../contract/errors.ts';
import type { RegisteredRepository } from '../../workspace/git/registered-repositories.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/** Where a search starts: a folder or file, named as the tools name it. */
export interface SearchRoot {
  /** From the workspace's root, which is `.`; `../shared-lib/src` in another repository. */
  readonly path: string;
  readonly kind: 'directory' | 'file';
  /** The repository it lies in; left out, the workspace. */
  readonly repository?: RegisteredRepository;
}

/** What a search may look at. */
export interface SearchPlaces {
  readonly workspace: Workspace;
  readonly repositories: readonly RegisteredRepository[];
}

/**
 * Checks the path of a search before a program is given it: a link is refused, its name would be no name of what is
 * found. Throws `ToolError` for what is missing or outside the workspace and the registered repositories.
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
    throw new ToolError('invalid_input', `${path} is a ${info.kind}; searches start at a directory or file.`);
  }
  const repository = repositories.find(({ shown }) => relative === shown || relative.startsWith(`${shown}/`));
  return { path: relative, kind: info.kind, ...(repository === undefined ? {} : { repository }) };
}

/** The places a search of `path` goes through, in the order of its answer: without a path, every repository. */
async function searchRoots(places: SearchPlaces, path: string): Promise<SearchRoot[]> {
  const root = await searchRoot(places.workspace, path, places.repositories);
  return root.path === '.' ? [root, ...places.repositories.map(rootOf)] : [root];
}

/** A registered repository as the place of a search. */
export function rootOf(repository: RegisteredRepository): SearchRoot {
  return { path: repository.shown, kind: 'directory', repository };
}

/** Where the repository of a root begins, as its paths are named: '' for the workspace, else with a slash. */
export function topOf(root: SearchRoot): string {
  return root.repository === undefined ? '' : `${root.repository.shown}/`;
}

/** What stands before the paths below a root: '' for the workspace. */
export function prefixOf(root: SearchRoot): string {
  return root.path === '.' ? '' : `${root.path}/`;
}

/**
 * The places of a search whose glob may name a repository itself (`../shared-lib/src/*.ts`), and the glob as it holds
 * there.
 */
export async function rootsForGlob<Glob extends string | undefined>(
  places: SearchPlaces,
  path: string,
  glob: Glob,
): Promise<{ readonly roots: readonly SearchRoot[]; readonly glob: Glob | string }> {
  const repository = places.repositories.find(({ shown }) => glob?.startsWith(`${shown}/`) === true);
  if (repository === undefined || glob === undefined || workspaceOnly(path) === false)
    return { roots: await searchRoots(places, path), glob };
  return { roots: [rootOf(repository)], glob: glob.slice(repository.shown.length + 1) };
}

/** True for a path that names the workspace as a whole. */
const workspaceOnly = (path: string): boolean => path === '.' || path === '' || path === './';
