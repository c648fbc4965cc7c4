import type { ToolError } from '../../contract/errors.ts';

export interface FileInfo {
  readonly kind: 'file' | 'directory' | 'symlink' | 'other';
  readonly size: number;
  /** Permission bits, as in `0o755`. */
  readonly mode: number;
}

export interface ReadFileResult {
  readonly bytes: Buffer;
  /** Full size of the file; more than `bytes.length` if the cap cut it. */
  readonly size: number;
  readonly mode: number;
}

/** One file write; `content: null` deletes the file. */
export interface FileWrite {
  readonly path: string;
  readonly content: Buffer | null;
  /** Permission bits. Default: the existing file's, else 0o644. */
  readonly mode?: number | undefined;
}

/**
 * The only file access of tools. Paths are relative to the workspace, or absolute inside it; reads
 * may also use the read-only folders. `..`, symlinks and links swapped in during an access never
 * lead outside. Throws `ToolError('outside_workspace')` for a violation. Throws
 * `ToolError('not_found')`, naming similar files, for a missing file.
 */
export interface ConfinedFiles {
  /** Returns the normal form: relative, `/`-separated, no `.` or `..`; '' is the root. */
  relative(path: string): string;
  stat(path: string): Promise<FileInfo | null>;
  /** Reads a regular file; never blocks on a FIFO or device. */
  read(path: string, maxBytes?: number): Promise<ReadFileResult>;
  /** Returns the `ToolError('not_found')` for a missing path, with similar names. */
  missing(path: string): ToolError;
  list(path: string): Promise<{ name: string; kind: FileInfo['kind'] }[]>;
  /** Returns the target of a link as written; follows nothing. */
  readLink(path: string): Promise<string>;
  /**
   * Opens a directory or regular file for one of our programs to read by descriptor, so that a
   * swapped link cannot redirect it. The caller closes `fd`.
   */
  hold(path: string): { readonly kind: 'file' | 'directory'; readonly fd: number };
  /**
   * Applies all writes or none: everything is staged and synced before the first rename. A crash
   * leaves each file old or new, never half.
   */
  write(writes: readonly FileWrite[]): Promise<void>;
}
