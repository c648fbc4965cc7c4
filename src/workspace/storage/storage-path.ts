import * as path from 'node:path';
import { ToolError } from '../../contract/errors.ts';

/** Limits of a run's own files; a waiting session carries all of them. */
export const storageLimits = {
  fileBytes: 1024 * 1024,
  /** All folders but `persist`. */
  bytes: 3 * 1024 * 1024,
  files: 300,
  /** `persist`, for all runs on a repository. */
  persistentBytes: 1024 * 1024,
  persistentFiles: 100,
  /** Content stored before writes, over the whole run. */
  checkpointBytes: 64 * 1024 * 1024,
  pathCharacters: 300,
  pathParts: 10,
} as const;

/** Folder whose files later runs on the same repository see. */
export const persistentRoot = 'persist';

/** Folders of a run's own files, in display order. */
export const storageRoots = ['output', 'scratch', 'plan', 'summaries', persistentRoot] as const;

/**
 * Returns the normal form of a path among the own files: relative, below one of `roots`, no `.` or
 * `..`; '' for the root. Throws `ToolError`: `outside_workspace` for a path elsewhere,
 * `invalid_input` for an impossible path.
 */
export function storagePath(given: string, roots: readonly string[]): string {
  const normal = path.posix.normalize(given.trim().replace(/^\/+/, '')).replace(/\/+$/, '');
  if (normal === '.' || normal === '') return '';
  const parts = normal.split('/');
  const [top = ''] = parts;
  if (!roots.includes(top)) {
    throw new ToolError(
      'outside_workspace',
      top === persistentRoot
        ? `${given}: this run has no ${persistentRoot}/, since nothing is stored for later runs. Use ${listed(roots)}.`
        : `${given} is none of the run's own files: their paths begin with ${listed(roots)}. For files of the repository use read, grep or edit_file.`,
    );
  }
  if (hasControlCharacter(normal)) {
    throw new ToolError('invalid_input', 'A path cannot hold line breaks or other control characters.');
  }
  if (parts.length > storageLimits.pathParts || normal.length > storageLimits.pathCharacters) {
    throw new ToolError(
      'invalid_input',
      `The path is too long: at most ${storageLimits.pathParts} parts and ${storageLimits.pathCharacters} characters.`,
    );
  }
  return normal;
}

function listed(roots: readonly string[]): string {
  return roots.map((root) => `${root}/`).join(', ');
}

function hasControlCharacter(text: string): boolean {
  return [...text].some((character) => character < ' ' || character === '\u007f');
}
