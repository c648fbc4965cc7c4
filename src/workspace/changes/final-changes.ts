import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import * as path from 'node:path';
import type { ChangeSet, FileChange } from '../../contract/change.ts';
import type { OwnGit } from '../git/own-git.ts';
import { patchedTree } from '../git/patched-tree.ts';
import type { RawChange } from '../git/raw-diff.ts';
import { readObjects } from '../git/read-objects.ts';
import { gitLine, runGit } from '../git/run-git.ts';
import { diffTrees, isBinaryPatch } from '../git/tree-diff.ts';
import { printableName } from '../git/tree-names.ts';

const NO_MODE = '000000';

function fileChange(change: RawChange, patch: string, contents: Map<string, Buffer>): FileChange {
  const binary = isBinaryPatch(patch);
  return {
    path: change.path,
    kind: change.kind,
    old_path: change.oldPath ?? undefined,
    mode: change.newMode === NO_MODE ? null : change.newMode,
    old_mode: change.oldMode === NO_MODE ? null : change.oldMode,
    content: contents.get(change.newObject)?.toString('base64') ?? null,
    binary,
    diff: binary ? '' : patch,
  };
}

/**
 * Returns the difference of two trees as the outcome stores it. `baseSha` is the commit the run
 * started on, or null. A submodule entry has a mode and no content.
 */
export async function changesBetween(
  git: OwnGit,
  from: string,
  to: string,
  baseSha: string | null,
): Promise<ChangeSet> {
  const base_sha = baseSha ?? '';
  if (from === to) return { base_sha, patch: '', files: [] };
  const found = await diffTrees(git, from, to);
  // GitHub accepts only names that are valid text.
  const nameable = found.changes.map(
    ({ path, oldPath }) => path.isWellFormed() && oldPath?.isWellFormed() !== false,
  );
  const changes = found.changes.filter((_, at) => nameable[at]);
  const patches = found.patches.filter((_, at) => nameable[at]);
  const unnamed = found.changes.filter((_, at) => !nameable[at]).map(({ path }) => printableName(path));
  const patch = unnamed.length === 0 ? found.patch : patches.join('');
  const files = changes.filter(({ newMode }) => newMode !== NO_MODE && newMode !== '160000');
  const contents = await readObjects(
    git,
    files.map(({ newObject }) => newObject),
  );
  return {
    base_sha,
    patch,
    files: changes.map((one, at) => fileChange(one, patches[at] ?? '', contents)),
    left_out: unnamed.length === 0 ? undefined : unnamed,
  };
}

/**
 * Returns the change set that gives existing files of a commit new contents. It is made in git's
 * object store, so no work tree, filter or line-end conversion takes part. Modes stay. Throws for a
 * path that is not a regular file in the commit.
 */
export async function changesByTexts(
  git: OwnGit,
  sha: string,
  texts: ReadonlyMap<string, string>,
): Promise<ChangeSet> {
  const modes = await modesAt(git, sha, [...texts.keys()]);
  const entries: string[] = [];
  for (const [file, text] of texts) {
    const mode = modes.get(file);
    if (mode === undefined) throw new Error(`${sha} has no regular file ${file}.`);
    const object = await gitLine(['hash-object', '-w', '--no-filters', '--stdin'], { ...git, stdin: text });
    entries.push(`${mode} ${object}\t${file}\0`);
  }
  const indexFile = path.join(git.gitDirectory, `texts-${randomBytes(6).toString('hex')}.index`);
  const location = { ...git, indexFile };
  try {
    await runGit(['read-tree', sha], location);
    await runGit(['update-index', '-z', '--index-info'], { ...location, stdin: entries.join('') });
    const tree = await gitLine(['write-tree', '--missing-ok'], location);
    return await changesBetween(git, await gitLine(['rev-parse', `${sha}^{tree}`], git), tree, sha);
  } finally {
    await rm(indexFile, { force: true });
  }
}

/** Returns the change set of a patch on a commit; null if the patch does not fit. */
export async function changesOfPatch(git: OwnGit, sha: string, patch: string): Promise<ChangeSet | null> {
  if (patch === '') return { base_sha: sha, patch, files: [] };
  const tree = await patchedTree(git, sha, patch);
  if (tree === null) return null;
  return changesBetween(git, await gitLine(['rev-parse', `${sha}^{tree}`], git), tree, sha);
}

async function modesAt(git: OwnGit, sha: string, paths: readonly string[]): Promise<Map<string, string>> {
  const { stdout } = await runGit(
    ['--literal-pathspecs', 'ls-tree', '-z', '--full-tree', sha, '--', ...paths],
    git,
  );
  const entries = stdout.toString('utf8').split('\0');
  return new Map(
    entries.flatMap((entry) => {
      const [, mode, name] = /^(100\d+) blob [0-9a-f]+\t(.*)$/s.exec(entry) ?? [];
      return mode === undefined || name === undefined ? [] : [[name, mode] as const];
    }),
  );
}
