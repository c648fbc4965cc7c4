import type { ToolError } from '../../contract/errors.ts';

export interface FileInfo {
  readonly kind: 'file' | 'directory' | 'symlink' | 'other';
  readonly size: number;
  /** Permission bits, as in `0o755`. */
  readonly mode: number;
}

export interface ReadFileResult {
  readonly bytes: Buffer;
  /** Whole size of the file; more than `bytes.length` when the cap cut it. */
  readonly size: number;
  readonly mode: number;
}

/** One file as it shall be after a change; `content: null` deletes it. */
export interface FileWrite {
  readonly path: string;
  readonly content: Buffer | null;
  /** Kept from the existing file when left out; 0o644 for a new one. */
  readonly mode?: number;
}

/**
 * The only way tools touch files. Every path is relative to the workspace (or absolute inside it, or inside
 * one of the extra read-only folders for reading); `..`, symlinks and a link swapped in mid-way never lead outside. A
 * violation is `ToolError('outside_workspace')`, a missing file `ToolError('not_found')` naming near ones.
 */
export interface ConfinedFiles {
  /** The normal form used everywhere else: relative, `/`-separated, no `.` or `..`; '' is the root. */
  relative(path: string): string;
  stat(path: string): Promise<FileInfo | null>;
  /** Reads a regular file; never blocks on a FIFO or device. */
  read(path: string, maxBytes?: number): Promise<ReadFileResult>;
  /** The `ToolError('not_found')` for a path at which there is nothing, with the names that may have been meant. */
  missing(path: string): ToolError;
  list(path: string): Promise<{ name: string; kind: FileInfo['kind'] }[]>;
  /** Where a link points, as it is written there; nothing is followed. */
  readLink(path: string): Promise<string>;
  /**
   * Opens a directory or a regular file for a program of ours that is to read it by the descriptor, so that no
   * link swapped in meanwhile can lead it elsewhere. The caller closes `fd`.
   */
  hold(path: string): { readonly kind: 'file' | 'directory'; readonly fd: number };
  /**
   * Makes all changes or none: everything is written beside its target and synced before the first rename.
   * A crash leaves each file old or new, never half.
   */
  write(writes: readonly FileWrite[]): Promise<void>;
}
