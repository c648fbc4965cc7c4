import { ToolError } from '../../contract/errors.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { readSlice } from '../search/read-slice.ts';

/** Limits for files in a prompt: their number, bytes of each, and bytes of all together. */
const bounds = { files: 20, each: 32 * 1024, all: 128 * 1024 };

/**
 * Renders numbered lines of the files, each file under a line with its path. A file that cannot be
 * read or exceeds the bounds gets a note instead.
 */
export async function inlineFiles(
  paths: readonly string[],
  workspace: Pick<Workspace, 'files' | 'memory'>,
): Promise<string> {
  const parts: string[] = [];
  let left = bounds.all;
  for (const path of paths.slice(0, bounds.files)) {
    const text =
      left <= 0 ? '[not shown: there is no more room; read it]' : await shown(path, workspace, left);
    parts.push(`===== ${path} =====\n${text}`);
    left -= Buffer.byteLength(text);
  }
  const more = paths.slice(bounds.files);
  if (more.length > 0) parts.push(`[not shown, read them: ${more.join(', ')}]`);
  return parts.join('\n');
}

async function shown(
  path: string,
  workspace: Pick<Workspace, 'files' | 'memory'>,
  left: number,
): Promise<string> {
  try {
    const whole = { start: 1, end: null };
    return (await readSlice(workspace, path, whole, Math.min(left, bounds.each))).text;
  } catch (error) {
    if (error instanceof ToolError) return `[not shown: ${error.message}]`;
    throw error;
  }
}
