import type { DiffFile } from '../git/diff.ts';
import { ApiError } from '../protocol/api-error.ts';
import type { Limits } from './limits.ts';

/**
 * The files of a diff as GitHub lists them: a limited number, without too large patches, and
 * without any once all patches together are too large (GitHub Docs, "Repository limits", diff
 * limits).
 */
export function listedFiles(limits: Limits, files: readonly DiffFile[], most: number): DiffFile[] {
  let bytes = 0;
  return files.slice(0, most).map((file) => {
    if (file.patch === null) return file;
    const size = Buffer.byteLength(file.patch);
    const lines = file.patch.split('\n').length;
    const fits = size <= limits.patchBytes && lines <= limits.patchLines;
    if (fits && bytes + size <= limits.patchesBytes) {
      bytes += size;
      return file;
    }
    return { ...file, patch: null, hunks: [] };
  });
}

/**
 * Throws 406 if a diff is too large for text (the same page; it names 300 files and 20,000 lines).
 */
export function assertTextFits(limits: Limits, text: string): void {
  const refuse = (what: string) => {
    throw new ApiError(406, `Sorry, the diff exceeded the maximum number of ${what}`, [
      { resource: 'PullRequest', field: 'diff', code: 'too_large' },
    ]);
  };
  const files = text.match(/^diff --git /gm)?.length ?? 0;
  if (files > limits.diffFiles)
    refuse(
      `files (${limits.diffFiles}). Consider using 'List pull requests files' API or locally cloning the repository instead.`,
    );
  if (text.split('\n').length > limits.diffLines) refuse(`lines (${limits.diffLines})`);
}
