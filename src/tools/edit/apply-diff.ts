import { ToolError } from '../../contract/errors.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { applyHunks } from '../patch/apply-hunks.ts';
import { parseHunksOnly } from '../patch/parse-unified.ts';
import { decodeTextFile, encodeTextFile } from '../text/text-file.ts';
import { changedPlaces } from '../write/changed-places.ts';
import { readKnownFile } from '../write/read-for-change.ts';
import type { PlannedEdits } from './plan-edits.ts';

/**
 * Plans the hunks of a unified diff on one existing file, ignoring its header names. Throws
 * `ToolError`.
 */
export async function applyDiff(
  workspace: Workspace,
  path: string,
  diff: string,
): Promise<Omit<PlannedEdits, 'places'>> {
  const before = await readKnownFile(workspace, path, 'text');
  const file = decodeTextFile(path, before.content);
  const hunks = parseHunksOnly(diff);
  const text = applyHunks(path, file, hunks);
  if (text.text === file.text) {
    throw new ToolError('invalid_input', `The edit would change nothing in ${path}.`);
  }
  const places = changedPlaces(file.text, text.text);
  const what = `${hunks.length} hunk${hunks.length === 1 ? '' : 's'}`;
  return {
    files: [{ path, before, after: { content: encodeTextFile(path, text), mode: before.mode } }],
    message: `Edited ${path}, ${what}${places === '' ? '.' : `:\n${places}`}`,
    data: { hunks: hunks.length },
  };
}
