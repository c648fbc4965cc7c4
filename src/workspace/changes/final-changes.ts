import type { ChangeSet, FileChange } from '../../contract/change.ts';
import type { OwnGit } from '../git/own-git.ts';
import type { RawChange } from '../git/raw-diff.ts';
import { readObjects } from '../git/read-objects.ts';
import { diffTrees, isBinaryPatch } from '../git/tree-diff.ts';
import { shownName } from '../git/tree-names.ts';

const NO_MODE = '000000';

function fileChange(change: RawChange, patch: string, contents: Map<string, Buffer>): FileChange {
  const binary = isBinaryPatch(patch);
  return {
    path: change.path,
    kind: change.kind,
    ...(change.oldPath === null ? {} : { old_path: change.oldPath }),
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
  const unnamed = found.changes.filter((_, at) => !nameable[at]).map(({ path }) => shownName(path));
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
    ...(unnamed.length === 0 ? {} : { left_out: unnamed }),
  };
}
