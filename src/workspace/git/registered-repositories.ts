import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import * as path from 'node:path';
import { isInside } from '../files/confine-path.ts';
import { findGit } from './git-layout.ts';

/** Another checkout on this machine that a run may only read. */
export interface RegisteredRepository {
  readonly name: string;
  /** Path shown to the model, as registered: `../shared-lib`. */
  readonly displayPath: string;
  /** Real absolute path. */
  readonly root: string;
}

/** System folders that are not a checkout themselves; a checkout may lie below some. */
const systemFolders = ['/', '/home', '/media', '/mnt', '/opt', '/root', '/srv', '/tmp', '/usr', '/var'];
/** System folders that contain no checkouts. */
const systemTrees = ['/bin', '/boot', '/dev', '/etc', '/lib', '/lib64', '/proc', '/run', '/sbin', '/sys'];

/**
 * Finds the checkouts registered in `workspace.repos`. `root` is the real path of the workspace.
 * Relative paths start at `from`, which differs from `root` for a run on its own checkout.
 * `private` are our own folders, which none may overlap. Missing folders, folders without a git
 * work tree and forbidden locations are omitted and described in `problems` for the operator.
 */
export function findRepositories(options: {
  readonly registered: readonly { readonly name?: string | undefined; readonly path: string }[];
  readonly root: string;
  readonly from: string;
  readonly private: readonly string[];
}): { repositories: RegisteredRepository[]; problems: string[] } {
  const repositories: RegisteredRepository[] = [];
  const problems: string[] = [];
  const own = options.private.map(realOrSame);
  for (const [index, entry] of options.registered.entries()) {
    const normal = path.normalize(entry.path).replace(/(?<=.)\/+$/, '');
    const root = realOrNull(path.resolve(options.from, normal));
    // A descending path from elsewhere would name a folder in the workspace.
    const displayPath = options.from === options.root || normal.startsWith('..') ? normal : (root ?? normal);
    const problem = root === null ? 'there is no such folder' : unfit(root, displayPath, { ...options, own });
    if (root === null || problem !== null) {
      problems.push(`workspace.repos.${index} (${entry.path}) is left out: ${problem}.`);
      continue;
    }
    const name = entry.name ?? path.basename(root);
    const twin = repositories.find((one) => one.name === name || one.root === root);
    if (twin === undefined) repositories.push({ name, displayPath, root });
    else
      problems.push(
        `workspace.repos.${index} (${entry.path}) is left out: it has the name or the folder of ${twin.displayPath}. Give it a name of its own.`,
      );
  }
  return { repositories, problems };
}

/** Returns why a folder is rejected, or null. Checks the real path, with links resolved. */
function unfit(
  root: string,
  displayPath: string,
  { root: workspace, own }: { readonly root: string; readonly own: readonly string[] },
): string | null {
  const named = path.resolve(workspace, displayPath);
  if (isInside(workspace, root) || isInside(workspace, named))
    return 'it lies in the workspace, where it can be read anyway';
  if (isInside(root, workspace) || isInside(named, workspace)) return 'it holds the workspace itself';
  if (own.some((folder) => isInside(folder, root) || isInside(root, folder)))
    return 'Anode CI keeps data of its own there';
  for (const place of [root, named]) {
    if (systemFolders.includes(place) || systemTrees.some((tree) => isInside(tree, place)))
      return 'it is a folder of the system';
  }
  const home = realOrSame(homedir());
  if (isInside(root, home)) return 'it is, or holds, a home folder';
  if (isInside(home, root) && path.relative(home, root).startsWith('.'))
    return 'it lies in a hidden folder of the home folder, where settings and credentials are kept';
  if (findGit(root) === null) return 'it is not the top of a git work tree';
  return null;
}

function realOrNull(folder: string): string | null {
  try {
    return realpathSync(folder);
  } catch {
    return null;
  }
}

const realOrSame = (folder: string): string => realOrNull(folder) ?? folder;
