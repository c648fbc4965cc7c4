import { ToolError } from '../../contract/errors.ts';
import type { Finding } from '../../contract/findings.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/**
 * Returns the problem with a finding's location for the model, or null. A line of the new side must
 * exist in its current file; the old side cannot be verified here.
 */
export async function checkFinding(workspace: Workspace, finding: Finding): Promise<string | null> {
  const { path, line, start_line, side } = finding;
  if (start_line !== undefined && start_line > line) {
    return `start_line ${start_line} comes after line ${line}; give the first line and the last one.`;
  }
  try {
    const relative = workspace.files.relative(path);
    if (side === 'LEFT') return null;
    const lines = await countLines(workspace, relative);
    // An empty file has no line, but may still be the problem.
    if (line <= Math.max(1, lines)) return null;
    const legal = lines === 0 ? 'has no lines' : `has the lines 1 to ${lines}`;
    return `${relative} ${legal}; for a deleted line give side LEFT and its old number.`;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return error.kind === 'not_found'
      ? `${error.message} For a file that the change deletes, give side LEFT.`
      : error.message;
  }
}

/** Returns the current lines of the new side that a finding refers to; null if unreadable. */
export async function linesOf(
  workspace: Workspace,
  { path, line, start_line, side }: Finding,
): Promise<string[] | null> {
  if (side === 'LEFT' || (await workspace.files.stat(path))?.kind !== 'file') return null;
  const { bytes } = await workspace.files.read(path);
  return bytes
    .toString('utf8')
    .split(/\r?\n/)
    .slice((start_line ?? line) - 1, line);
}

/** Counts the lines of a file as a diff does. A link has one line: its target. */
async function countLines(workspace: Workspace, path: string): Promise<number> {
  if ((await workspace.files.stat(path))?.kind === 'symlink') return 1;
  const { bytes } = await workspace.files.read(path);
  let lines = 0;
  let end = 0;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, end)) {
    lines += 1;
    end = at + 1;
  }
  return end < bytes.length ? lines + 1 : lines;
}
