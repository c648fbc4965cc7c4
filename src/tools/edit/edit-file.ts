import * as z from 'zod';
import { invalidInput, ToolError } from '../../contract/errors.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { flag, integer, list, unlessNull } from '../input/lenient.ts';
import { applyHunks } from '../patch/apply-hunks.ts';
import { parseHunksOnly } from '../patch/parse-unified.ts';
import { decodeTextFile, encodeTextFile } from '../text/text-file.ts';
import { defineTool } from '../tool.ts';
import { changedPlaces } from '../write/changed-places.ts';
import { makeProposedChange, ProposedChange } from '../write/proposed-change.ts';
import { readKnownFile } from '../write/read-for-change.ts';
import { editItem, editShape, occurrence } from './edit-shape.ts';
import { type PlannedEdits, planEdits } from './plan-edits.ts';

const input = z.object({
  path: z.string().min(1),
  edits: unlessNull(list(z.array(editItem))),
  old_str: unlessNull(z.string()),
  new_str: unlessNull(z.string()),
  occurrence: unlessNull(occurrence).meta({ hidden: true }),
  replace_all: unlessNull(flag()),
  unified_diff: unlessNull(z.string()),
  /** Expected number of locations of the old text. More than one means all of them. */
  expected_replacements: unlessNull(integer(z.int().positive())).meta({ hidden: true }),
  /** The command of another agent's editing tool. */
  command: unlessNull(z.string()).meta({ hidden: true }),
});

/** Changes one existing text file. An empty old text creates a missing file. */
export const editFile = defineTool({
  name: 'edit_file',
  aliases: {
    Edit: {},
    str_replace: {},
    str_replace_editor: {},
    str_replace_based_edit_tool: {},
    replace: {},
    search_replace: {},
    replace_in_file: {},
  },
  argumentAliases: {
    file_path: 'path',
    old_string: 'old_str',
    new_string: 'new_str',
    diff: 'unified_diff',
    allow_multiple: 'replace_all',
  },
  description: 'Edit a text file: old_str (as in the file, unique) and new_str, or edits, or unified_diff.',
  input,
  level: 'confirm_write',
  targets: (args) => ({ what: args.path, paths: [{ path: args.path, access: 'write' }] }),
  async prepare(args, context) {
    refuseOtherCommand(args.command);
    const { expected_replacements: expected = 1 } = args;
    const shape = editShape(expected > 1 ? { ...args, replace_all: args.replace_all ?? true } : args);
    const { workspace } = context;
    const path = workspace.files.relative(args.path);
    if (shape.kind === 'unified_diff') {
      const { files, message, data } = await applyDiff(workspace, path, shape.diff);
      return new ProposedChange(files, message, { path, ...data }).prepared();
    }
    const { files, message, places, data } = await planEdits(
      workspace,
      shape.replacements.map((replacement) => ({ path: args.path, replacement })),
    );
    if (expected > 1 && places !== expected) {
      throw new ToolError(
        'ambiguous',
        `The old text occurs ${places === 1 ? 'once' : `${places} times`} in ${path}, not ${expected} times as expected_replacements says. Nothing was changed.`,
      );
    }
    return new ProposedChange(files, message, { path, ...data }).prepared();
  },
  execute: (_args, context, prepared) => makeProposedChange(prepared, context, 'edit_file'),
});

/** Refuses editor commands other than `str_replace`. */
function refuseOtherCommand(command: string | undefined): void {
  if (command === undefined || command === 'str_replace') return;
  throw invalidInput(
    `edit_file only replaces text; it has no command "${command}". Use read to see a file, create_file to write one, and insert_text to insert lines.`,
  );
}

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
    throw invalidInput(`The edit would change nothing in ${path}.`);
  }
  const places = changedPlaces(file.text, text.text);
  const what = `${hunks.length} hunk${hunks.length === 1 ? '' : 's'}`;
  return {
    files: [{ path, before, after: { content: encodeTextFile(path, text), mode: before.mode } }],
    message: `Edited ${path}, ${what}${places === '' ? '.' : `:\n${places}`}`,
    data: { hunks: hunks.length },
  };
}
