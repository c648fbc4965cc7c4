import { isUtf8 } from 'node:buffer';
import type { Octokit } from '@octokit/rest';
import type { ChangedFile, CheckedDiff } from '../src/checks/changed-file.ts';
import { isLockFile, lockPaths } from '../src/checks/lock-formats.ts';
import { type HunkMap, hunkMapOf, hunksOfListed } from '../src/reporting/diff/hunk-map.ts';

/** Maximum files whose content is read, and bytes of one. Each file takes one or two requests. */
const most = { files: 200, bytes: 1024 * 1024 } as const;
/** Bytes that identify the kind of a binary file. */
const headLength = 16;
const nowhere = '000000';

interface PullAddress {
  readonly owner: string;
  readonly repo: string;
  readonly pull_number: number;
}

/** A file of a tree, as GitHub's API lists it. */
interface TreeFile {
  readonly mode: string;
  readonly sha: string;
  readonly size: number | null;
}

type Tree = ReadonlyMap<string, TreeFile>;

/** The change of a pull request as the checks need it, with its lines and its head. */
export interface FetchedDiff {
  readonly diff: CheckedDiff;
  readonly map: HunkMap;
  readonly sha: string;
}

/**
 * Collects the change of a pull request for the checks, by GitHub's API alone. A file of more than
 * 1 MiB is only measured, and of more than 200 files the rest is.
 */
export async function fetchCheckedDiff(octokit: Octokit, at: PullAddress): Promise<FetchedDiff> {
  const { owner, repo, pull_number } = at;
  const { data: pull } = await octokit.rest.pulls.get({ owner, repo, pull_number });
  const { sha } = pull.head;
  const basehead = `${pull.base.sha}...${sha}`;
  const compared = await octokit.rest.repos.compareCommitsWithBasehead({ owner, repo, basehead });
  const listed = await octokit.paginate(octokit.rest.pulls.listFiles, { ...at, per_page: 100 });
  const notes: string[] = [];
  const tree = (commit: string) => readTree(octokit, { owner, repo, commit }, notes);
  const [before, after] = await Promise.all([tree(compared.data.merge_base_commit.sha), tree(sha)]);
  if (listed.length > most.files)
    notes.push(`The checks looked into the first ${most.files} of ${listed.length} changed files.`);
  const read = blobReader(octokit, { owner, repo });
  const files: ChangedFile[] = [];
  for (const [index, file] of listed.entries()) {
    const sides = sidesOf(file, before, after);
    const contents =
      index < most.files ? { before: await read(sides.before), after: await read(sides.after) } : unread;
    files.push(changedFile(file, sides, contents));
  }
  const neighbours = await readNeighbours(files, after, read);
  return { diff: { files, neighbours, notes }, map: hunkMapOf(listed.map(hunksOfListed)), sha };
}

type ListedFile = Parameters<typeof hunksOfListed>[0];

/** One value for each side of a change; none where the file does not exist. */
interface Sides<Value, None> {
  readonly before: Value | None;
  readonly after: Value | None;
}

const unread: Sides<Buffer, null> = { before: null, after: null };

function sidesOf({ filename, previous_filename, status }: ListedFile, before: Tree, after: Tree) {
  return {
    before: status === 'added' ? undefined : before.get(previous_filename ?? filename),
    after: status === 'removed' ? undefined : after.get(filename),
  };
}

function changedFile(
  file: ListedFile,
  { before, after }: Sides<TreeFile, undefined>,
  contents: Sides<Buffer, null>,
): ChangedFile {
  const text = textOf(contents.after);
  return {
    path: file.filename,
    oldPath: file.previous_filename ?? null,
    kind: kinds[file.status] ?? 'modify',
    modes: { before: before?.mode ?? nowhere, after: after?.mode ?? nowhere },
    bytes: { before: before?.size ?? null, after: after?.size ?? null },
    before: textOf(contents.before),
    after: text,
    binary: text === null ? (contents.after?.subarray(0, headLength) ?? null) : null,
    added: addedIn(file),
  };
}

const kinds: Readonly<Record<string, ChangedFile['kind']>> = {
  added: 'add',
  removed: 'delete',
  renamed: 'rename',
};

async function readTree(
  octokit: Octokit,
  { owner, repo, commit }: { readonly owner: string; readonly repo: string; readonly commit: string },
  notes: string[],
): Promise<Tree> {
  const request = { owner, repo, tree_sha: commit, recursive: 'true' };
  const { data } = await octokit.rest.git.getTree(request);
  if (data.truncated) notes.push('GitHub lists only a part of the files, so the checks know only these.');
  return new Map(
    data.tree
      .filter(({ type }) => type !== 'tree')
      .map(({ path, mode, sha, size }) => [path, { mode, sha, size: size ?? null }]),
  );
}

/** Returns a reader of files and links. Submodules and large files give null. */
function blobReader(octokit: Octokit, at: Pick<PullAddress, 'owner' | 'repo'>) {
  return async (file: TreeFile | undefined): Promise<Buffer | null> => {
    if (file === undefined || file.mode === '160000' || (file.size ?? 0) > most.bytes) return null;
    const { data } = await octokit.rest.git.getBlob({ ...at, file_sha: file.sha });
    return Buffer.from(data.content, 'base64');
  };
}

/** Reads a text as git does: a NUL byte near the start makes it binary. */
function textOf(bytes: Buffer | null): string | null {
  if (bytes === null || bytes.subarray(0, 8000).includes(0)) return null;
  return isUtf8(bytes) ? bytes.toString('utf8') : new TextDecoder('windows-1252').decode(bytes);
}

const addedIn = (file: ListedFile): Set<number> =>
  new Set(
    hunksOfListed(file)
      .hunks.flat()
      .flatMap(({ kind, newLine }) => (kind === 'added' && newLine !== null ? [newLine] : [])),
  );

/** Reads the lock files that belong to changed manifests, as the head has them. */
async function readNeighbours(
  files: readonly ChangedFile[],
  tree: Tree,
  read: (file: TreeFile | undefined) => Promise<Buffer | null>,
): Promise<Map<string, string>> {
  const paths = new Set(files.filter(({ kind }) => kind !== 'delete').flatMap(({ path }) => lockPaths(path)));
  const found = new Map<string, string>();
  for (const path of [...paths].filter(isLockFile)) {
    const text = textOf(await read(tree.get(path)));
    if (text !== null) found.set(path, text);
  }
  return found;
}
