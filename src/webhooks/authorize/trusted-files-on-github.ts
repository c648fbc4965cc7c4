import type { Octokit } from '@octokit/rest';
import { isNotFound } from '../../github/api-errors.ts';
import { readBaseFiles } from './read-base-files.ts';
import type { ConfigLocation } from './read-config.ts';

/** Maximum bytes of a trusted file, as with a clone. */
const largest = 256 * 1024;

interface ListedFile {
  readonly path: string;
  readonly size: number;
  readonly executable: boolean;
}

/**
 * Reads the trusted files of a run without a clone. One request lists the branch, further ones read
 * only files that exist. A branch too large to list is read folder by folder.
 */
export function trustedFilesOnGitHub(octokit: Octokit, location: ConfigLocation) {
  let listed: Promise<readonly ListedFile[] | null> | null = null;
  const all = () => {
    listed ??= filesOf(octokit, location);
    return listed;
  };
  const level = folderReader(octokit, location);
  const filesBelow = async (folder: string, depth: number): Promise<ListedFile[]> => {
    const { files, folders } = await level(folder);
    if (depth <= 1) return files;
    const deeper = await Promise.all(folders.map((name) => filesBelow(name, depth - 1)));
    return [...files, ...deeper.flat()];
  };
  const near = async (folder: string, depth: number): Promise<readonly ListedFile[]> => {
    const files = await all();
    if (files === null) return sorted(await filesBelow(folder, depth));
    const start = folder === '' ? '' : `${folder}/`;
    return files.filter(
      ({ path }) => path.startsWith(start) && path.slice(start.length).split('/').length <= depth,
    );
  };
  const read = new Map<string, Promise<Map<string, Buffer>>>();
  return {
    async below(folder: string, depth: number, most: number): Promise<readonly ListedFile[]> {
      return (await near(folder, depth)).slice(0, most);
    },
    async read(paths: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
      const folders = new Set(paths.map(folderOf));
      const files = (await all()) ?? (await Promise.all([...folders].map((one) => near(one, 1)))).flat();
      const wanted = files.filter(({ path, size }) => size <= largest && paths.includes(path));
      const found = new Map<string, Buffer>();
      for (const { path } of wanted) {
        const file = read.get(path) ?? readBaseFiles(octokit, location, [path]);
        read.set(path, file);
        for (const [name, bytes] of await file) found.set(name, bytes);
      }
      return found;
    },
  };
}

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

const sorted = (files: ListedFile[]): ListedFile[] => files.sort((a, b) => (a.path < b.path ? -1 : 1));

interface Level {
  readonly files: ListedFile[];
  /** Folder paths with the ids of their trees. */
  readonly trees: ReadonlyMap<string, string>;
  readonly folders: readonly string[];
}

/** Reads folders of a branch, each once; a missing folder is empty. */
function folderReader(octokit: Octokit, { owner, name, branch }: ConfigLocation) {
  const loaded = new Map<string, Promise<Level>>();
  const read = async (folder: string): Promise<Level> => {
    const tree_sha = folder === '' ? branch : (await level(folderOf(folder))).trees.get(folder);
    if (tree_sha === undefined) return { files: [], trees: new Map(), folders: [] };
    const { data } = await octokit.rest.git.getTree({ owner, repo: name, tree_sha });
    const start = folder === '' ? '' : `${folder}/`;
    const trees = new Map(
      data.tree.flatMap(({ path, type, sha }) =>
        path !== undefined && type === 'tree' && sha !== undefined ? [[`${start}${path}`, sha] as const] : [],
      ),
    );
    return { files: regularFiles(data.tree, start), trees, folders: [...trees.keys()] };
  };
  const level = (folder: string): Promise<Level> => {
    const found = loaded.get(folder) ?? read(folder);
    loaded.set(folder, found);
    return found;
  };
  return level;
}

const regularFiles = (
  tree: readonly { readonly path?: string; readonly mode?: string; readonly size?: number }[],
  start: string,
): ListedFile[] =>
  tree.flatMap(({ path, mode, size }) =>
    path !== undefined && mode?.startsWith('100')
      ? [{ path: `${start}${path}`, size: size ?? 0, executable: mode === '100755' }]
      : [],
  );

/**
 * Lists the regular files of a branch, sorted (GitHub Docs, "Get a tree"). Empty without a commit;
 * null if GitHub truncates the list.
 */
async function filesOf(
  octokit: Octokit,
  { owner, name, branch }: ConfigLocation,
): Promise<readonly ListedFile[] | null> {
  const request = { owner, repo: name, tree_sha: branch, recursive: 'true' };
  const answer = await octokit.rest.git.getTree(request).catch((error: unknown) => {
    // GitHub answers 409 for an empty repository.
    if (isNotFound(error) || (error as { status?: unknown }).status === 409) return null;
    throw error;
  });
  if (answer?.data.truncated === true) return null;
  return sorted(regularFiles(answer?.data.tree ?? [], ''));
}
