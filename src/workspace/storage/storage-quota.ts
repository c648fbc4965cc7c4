import { ToolError } from '../../contract/errors.ts';
import { storageLimits } from './storage-limits.ts';
import { keptRoot } from './storage-path.ts';

/** Usage of a run's own files, counted at each write: nothing else writes them. */
export interface StorageQuota {
  /** Throws `ToolError('quota')` if a file of `bytes` does not fit at the path. */
  check(path: string, bytes: number): void;
  set(path: string, bytes: number): void;
  /** All files, sorted. */
  paths(): string[];
}

/** Creates an empty count. */
export function createStorageQuota(): StorageQuota {
  const sizes = new Map<string, number>();

  function checkSum(at: string, bytes: number): void {
    const kept = isKept(at);
    const name = kept ? `${keptRoot}/` : `the folders beside ${keptRoot}/`;
    const most = kept
      ? { files: storageLimits.keptFiles, bytes: storageLimits.keptBytes }
      : { files: storageLimits.files, bytes: storageLimits.bytes };
    const others = [...sizes].filter(([path]) => path !== at && isKept(path) === kept);
    const sum = others.reduce((all, [, size]) => all + size, bytes);
    if (!sizes.has(at) && others.length >= most.files) {
      throw new ToolError(
        'quota',
        `There are ${others.length} files in ${name} already, and no more may be added. Write to one that exists.`,
      );
    }
    if (sum > most.bytes) {
      throw new ToolError(
        'quota',
        `With ${bytes} bytes at ${at}, ${name} would hold ${sum} bytes; at most ${most.bytes} are allowed. Write less, or replace what is no longer needed by an empty text.`,
      );
    }
  }

  return {
    check(path, bytes) {
      if (bytes > storageLimits.fileBytes) {
        throw new ToolError(
          'quota',
          `${path} would have ${bytes} bytes; one file may have ${storageLimits.fileBytes}. Split it.`,
        );
      }
      checkSum(path, bytes);
    },
    set: (path, bytes) => void sizes.set(path, bytes),
    paths: () => [...sizes.keys()].sort(),
  };
}

function isKept(path: string): boolean {
  return path.startsWith(`${keptRoot}/`);
}
