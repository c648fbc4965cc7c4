import type { Octokit } from '@octokit/rest';
import { isNotFound } from '../../github/is-not-found.ts';
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
 * there. Of a branch too large to be listed whole, what GitHub left out counts as not there.
 */
export function steeringOnGitHub(octokit: Octokit, place: ConfigPlace) {
  let listed: Promise<readonly ListedFile[]> | null = null;
  const all = () => {
    listed ??= filesOf(octokit, place);
    return listed;
  };
  const read = new Map<string, Promise<Map<string, Buffer>>>();
  return {
    async below(folder: string, depth: number, most: number): Promise<readonly ListedFile[]> {
      const start = folder === '' ? '' : `${folder}/`;
      const isNear = (path: string) =>
        path.startsWith(start) && path.slice(start.length).split('/').length <= depth;
      return (await all()).filter(({ path }) => isNear(path)).slice(0, most);
    },
    async read(paths: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
      const files = await all();
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

/** The regular files of a branch (GitHub Docs, "Get a tree"), sorted; none of a repository without a commit. */
async function filesOf(
  octokit: Octokit,
  { owner, name, branch }: ConfigPlace,
): Promise<readonly ListedFile[]> {
  const asked = { owner, repo: name, tree_sha: branch, recursive: 'true' };
  const answer = await octokit.rest.git.getTree(asked).catch((error: unknown) => {
    // GitHub answers 409 for a repository that is empty.
    if (isNotFound(error) || (error as { status?: unknown }).status === 409) return null;
    throw error;
  });
  const files = (answer?.data.tree ?? []).flatMap(({ path, mode, size }) =>
    path !== undefined && mode?.startsWith('100')
      ? [{ path, size: size ?? 0, executable: mode === '100755' }]
      : [],
  );
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}
