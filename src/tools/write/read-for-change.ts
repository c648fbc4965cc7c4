import { ToolError } from '../../contract/errors.ts';
import type { Workspace } from '../../workspace/workspace.ts';

const maximumSize = 10 * 1024 * 1024;

export interface CurrentFile {
  readonly content: Buffer;
  /** Permission bits. */
  readonly mode: number;
}

/**
 * Reads a file to change it; null if missing. Throws `ToolError` for a directory, a link, a device,
 * or more than 10 MiB.
 */
export async function readForChange(workspace: Workspace, path: string): Promise<CurrentFile | null> {
  const info = await workspace.files.stat(path);
  if (info === null) return null;
  if (info.kind === 'directory') {
    throw new ToolError('is_directory', `${path || '.'} is a directory; give the path of a file.`);
  }
  if (info.kind !== 'file') {
    throw new ToolError(
      'not_a_file',
      `${path} is ${info.kind === 'symlink' ? 'a symbolic link; change the file it points to' : 'not a regular file'}.`,
    );
  }
  if (info.size > maximumSize) {
    throw new ToolError('too_large', `${path} is over 10 MiB, too large to edit; use a command instead.`);
  }
  const { bytes, mode } = await workspace.files.read(path);
  return { content: bytes, mode };
}

/** Reads a file that must exist as the model last saw it; `by` is how the change is located. */
export async function readKnownFile(
  workspace: Workspace,
  path: string,
  by: 'text' | 'place',
): Promise<CurrentFile> {
  const current = await readForChange(workspace, path);
  workspace.memory.check(workspace.files.relative(path), current?.content ?? null, by);
  if (current === null) throw workspace.files.missing(path);
  return current;
}
