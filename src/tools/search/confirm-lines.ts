import { ToolError } from '../../contract/errors.ts';
import type { ConfinedFiles } from '../../workspace/files/confined-files.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { ShellSessions } from '../shell/sessions/sessions.ts';
import { decodeText } from '../text/text-file.ts';
import type { TextResult } from './text-query.ts';

/**
 * An answer without the lines that the confined files do not hold. A search program walks by names: while something
 * that the run left running swaps folders for links under it, it can be led out of the tree, and what it then gives is
 * not there. Where nothing was ever left running the answer stands as it is; else each file that was found is read.
 */
export async function confirmLines(
  result: TextResult,
  run: { readonly workspace: Workspace; readonly sessions: Pick<ShellSessions, 'list'> },
): Promise<TextResult> {
  if (run.sessions.list().length === 0) return result;
  const texts = new Map<string, string>();
  for (const { path } of result.lines)
    if (!texts.has(path)) texts.set(path, await textOf(run.workspace.files, path));
  const lines = result.lines.filter(({ path, text }) => texts.get(path)?.includes(shownPart(text)) === true);
  return { ...result, lines, changed: result.lines.length - lines.length };
}

/** What of a line is its own, without the notes of what was cut off and halves of characters at the cuts. */
function shownPart(text: string): string {
  return text
    .replace(/^\[\d+ characters\] … /, '')
    .replace(/ … \[\d+ more characters\]$/, '')
    .replace(/^\ufffd|\ufffd$/g, '');
}

async function textOf(files: ConfinedFiles, path: string): Promise<string> {
  try {
    return decodeText((await files.read(path)).bytes);
  } catch (error) {
    if (error instanceof ToolError) return '';
    throw error;
  }
}
