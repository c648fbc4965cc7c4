import { ToolError } from '../../contract/errors.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { readSlice } from '../search/read-slice.ts';

/** Files put into a prompt, at most so many, and so many bytes of each and of all together. */
const bounds = { files: 20, each: 32 * 1024, all: 128 * 1024 };

/**
 * Numbered lines of the files, each under a line with its path. What cannot be read, or is beyond the bounds, is said so
 * in its place: an agent that reads can look at it by itself.
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
