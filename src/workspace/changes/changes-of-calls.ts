import * as path from 'node:path';
import type { Change, ChangeSet, FileChange } from '../../contract/change.ts';
import type { ConfinedFiles } from '../files/confined-files.ts';
import { isBinary } from '../files/is-binary.ts';
import { gitMode } from '../git/git-mode.ts';
import { type RestoreStep, restorePlan } from './restore-plan.ts';
import { type StoredImage, storedContent, storedImages } from './stored-images.ts';
import { unifiedDiff } from './unified-diff.ts';

type State = { readonly content: Buffer; readonly mode: number } | null;

/** Permission bits of a file whose mode was not recorded. */
const plainMode = 0o644;

/**
 * Returns the difference between changed files and their before-images without any write: for a
 * full disk. Files count in their current state. An entry without a regular file or an image has a
 * name and no diff; binary files have no diff either. `runFolder` contains `before/`.
 */
export async function changesOfCalls(
  changes: readonly Change[],
  { runFolder, files, headSha }: { runFolder: string; files: ConfinedFiles; headSha: string | null },
): Promise<ChangeSet> {
  const images = await storedImages(path.join(runFolder, 'before'));
  const found: FileChange[] = [];
  for (const step of restorePlan(changes)) {
    const before = await stateBefore(step, images, runFolder);
    found.push(fileChange(step, before, await stateNow(step.path, files)));
  }
  return { base_sha: headSha ?? '', patch: found.map(({ diff }) => diff).join(''), files: found };
}

async function stateBefore(
  { path: file, before }: RestoreStep,
  images: readonly StoredImage[],
  folder: string,
): Promise<State | 'unknown'> {
  if (before === null) return null;
  const stored = await storedContent(file, before, images, folder);
  return stored === null ? 'unknown' : { content: stored.content, mode: stored.mode ?? plainMode };
}

async function stateNow(file: string, files: ConfinedFiles): Promise<State | 'unknown'> {
  const info = await files.stat(file);
  if (info === null) return null;
  if (info.kind !== 'file') return 'unknown';
  const { bytes, size, mode } = await files.read(file);
  return bytes.length < size ? 'unknown' : { content: bytes, mode };
}

function fileChange({ path }: RestoreStep, before: State | 'unknown', after: State | 'unknown'): FileChange {
  const kind = kindOf(before, after);
  if (before === 'unknown' || after === 'unknown')
    return { path, kind, mode: null, old_mode: null, content: null, binary: false, diff: '' };
  return {
    ...{ path, kind },
    mode: after && gitMode(after.mode),
    old_mode: before && gitMode(before.mode),
    content: after?.content.toString('base64') ?? null,
    binary: [before, after].some((state) => state !== null && isBinary(state.content)),
    diff: unifiedDiff({ path, before, after }),
  };
}

function kindOf(before: State | 'unknown', after: State | 'unknown'): FileChange['kind'] {
  if (before === null) return 'add';
  return after === null ? 'delete' : 'modify';
}
