import type { ConfinedFiles } from '../../workspace/files/confined-files.ts';
import { unlessToolError } from '../../workspace/files/unless-tool-error.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { ShellSessions } from '../shell/sessions/sessions.ts';
import { decodeText } from '../text/text-file.ts';
import type { TextResult } from './text-query.ts';

/**
 * Removes lines that the confined files do not contain. A search program walks by names, so a
 * process left running could swap a folder for a link and lead it out of the tree. Does nothing if
 * no process was left running; otherwise reads each found file.
 */
export async function confirmLines(
  result: TextResult,
  run: { readonly workspace: Workspace; readonly sessions: Pick<ShellSessions, 'list'> },
): Promise<TextResult> {
  if (run.sessions.list().length === 0) return result;
  const texts = new Map<string, string>();
  for (const { path } of result.lines)
    if (!texts.has(path)) texts.set(path, await textOf(run.workspace.files, path));
  const lines = result.lines.filter(
    ({ path, text }) => texts.get(path)?.includes(withoutNotes(text)) === true,
  );
  return { ...result, lines, changed: result.lines.length - lines.length };
}

/** Removes the truncation notes of a line, and halves of characters at the cuts. */
function withoutNotes(text: string): string {
  return text
    .replace(/^\[\d+ characters\] … /, '')
    .replace(/ … \[\d+ more characters\]$/, '')
    .replace(/^\ufffd|\ufffd$/g, '');
}

async function textOf(files: ConfinedFiles, path: string): Promise<string> {
  return (await unlessToolError(async () => decodeText((await files.read(path)).bytes))) ?? '';
}
