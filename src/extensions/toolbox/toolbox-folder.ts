import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { isInside } from '../../workspace/files/confine-path.ts';

/** A folder of toolbox programs, with its owner. */
export interface ToolboxFolder {
  readonly shown: string;
  /** A path in the trusted commit, or an absolute path of the operator's. */
  readonly from: 'repository' | 'operator';
  readonly path: string;
}

/**
 * Lists the folders of `ANODE_TOOLBOX` (a path list), then those of `tools.toolboxDirs`, each once.
 * Problems are sentences. A relative folder, or one inside the checkout, is read from the trusted
 * commit, as a run may have changed the work tree.
 */
export async function toolboxFolders(
  { environment, config }: { readonly environment: string | undefined; readonly config: readonly string[] },
  { root, home }: { readonly root: string; readonly home: string | undefined },
): Promise<{ readonly folders: readonly ToolboxFolder[]; readonly problems: readonly string[] }> {
  const folders = new Map<string, ToolboxFolder>();
  const problems: string[] = [];
  const add = (folder: ToolboxFolder) => {
    const key = `${folder.from} ${folder.path}`;
    if (!folders.has(key)) folders.set(key, folder);
  };
  const addAbsolute = async (shown: string) => {
    const named = path.resolve(home === undefined ? shown : shown.replace(/^~(?=\/|$)/, home));
    const real = await realpath(named).catch(() => named);
    const inside = [named, real].find((one) => isInside(root, one));
    if (inside === undefined) add({ shown, from: 'operator', path: real });
    else add({ shown, from: 'repository', path: path.relative(root, inside) });
  };
  for (const shown of (environment ?? '').split(path.delimiter).filter((one) => one !== '')) {
    if (/^[/~]/.test(shown)) await addAbsolute(shown);
    else problems.push(`ANODE_TOOLBOX names ${shown}, which is no absolute path; it is left out.`);
  }
  for (const shown of config) {
    const below = path.posix.normalize(shown).replace(/\/$/, '');
    if (/^[/~]/.test(shown)) await addAbsolute(shown);
    else if (below === '..' || below.startsWith('../'))
      problems.push(`tools.toolboxDirs names ${shown}, which leads out of the repository; it is left out.`);
    else add({ shown, from: 'repository', path: below === '.' ? '' : below });
  }
  return { folders: [...folders.values()], problems };
}

/** A program of a toolbox, in a folder that no run can write to. */
export interface ToolboxProgram {
  /** Its origin for messages: `.tools/run-tests`. */
  readonly shown: string;
  /** Its file, absolute. */
  readonly file: string;
  /** Identifies this program by its contents: results for the same contents are still valid. */
  readonly digest: string;
}
