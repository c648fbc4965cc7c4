import type { Octokit } from '@octokit/rest';
import { isNotFound } from '../../github/api-errors.ts';
import { readBaseFiles } from './read-base-files.ts';
import type { ConfigPlace } from './read-config.ts';

/** Bytes of a file that steers a run; the same as where there is a clone. */
const largest = 256 * 1024;

interface ListedFile {
  readonly path: string;
  readonly size: number;
  readonly executable: boolean;
}

/**
 * What steers a run where there is no clone of the branch it is read from: one request lists the branch, and others read only what is
 * there. A branch too large to be listed whole is read folder by folder.
 */
export function steeringOnGitHub(octokit: Octokit, place: ConfigPlace) {
  let listed: Promise<readonly ListedFile[] | null> | null = null;
  const all = () => {
    listed ??= filesOf(octokit, place);
    return listed;
  };
  const level = folderReader(octokit, place);
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
        const file = read.get(path) ?? readBaseFiles(octokit, place, [path]);
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
  /** Paths of the folders in it, with the ids of their trees. */
  readonly trees: ReadonlyMap<string, string>;
  readonly folders: readonly string[];
}

/** Reads one folder of a branch after the other, each once; one that is not there is empty. */
function folderReader(octokit: Octokit, { owner, name, branch }: ConfigPlace) {
  const known = new Map<string, Promise<Level>>();
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
    const found = known.get(folder) ?? read(folder);
    known.set(folder, found);
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
 * The regular files of a branch (GitHub Docs, "Get a tree"), sorted; none of a repository without a commit, null where GitHub
 * lists only some.
 */
async function filesOf(
  octokit: Octokit,
  { owner, name, branch }: ConfigPlace,
): Promise<readonly ListedFile[] | null> {
  const asked = { owner, repo: name, tree_sha: branch, recursive: 'true' };
  const answer = await octokit.rest.git.getTree(asked).catch((error: unknown) => {
    // GitHub answers 409 for a repository that is empty.
    if (isNotFound(error) || (error as { status?: unknown }).status === 409) return null;
    throw error;
  });
  if (answer?.data.truncated === true) return null;
  return sorted(regularFiles(answer?.data.tree ?? [], ''));
}
