import * as z from 'zod';
import { applyEdits } from './edit/apply-edits.ts';
import { editShape } from './edit/edit-shape.ts';
import { makeProposedChange, ProposedChange } from './edit/proposed-change.ts';
import { readKnownFile } from './edit/read-for-change.ts';
import { decodeTextFile, encodeTextFile } from './text/text-file.ts';
import { defineTool } from './tool.ts';

const edit = z.preprocess(
  (value) => renamed(value),
  z.object({
    old: z.string(),
    new: z.string(),
    occurrence: z.int().nonnegative().default(0).describe('from 1'),
  }),
);

const input = z.object({
  path: z.string().min(1),
  edits: z.array(edit).min(1).optional(),
  old_str: z.string().optional(),
  new_str: z.string().optional(),
  replace_all: z.boolean().default(false),
  unified_diff: z.string().min(1).optional(),
});

/** Changes one existing text file. */
export const editFile = defineTool({
  name: 'edit_file',
  argumentAliases: {
    file_path: 'path',
    old_string: 'old_str',
    new_string: 'new_str',
    diff: 'unified_diff',
  },
  description: 'Edit a text file: old_str (as in the file, unique) and new_str, or edits, or unified_diff.',
  input,
  level: 'confirm_write',
  readOnly: false,
  targets: (args) => ({ what: args.path, paths: [{ path: args.path, access: 'write' }] }),
  async prepare(args, context) {
    const shape = editShape(args);
    const { workspace } = context;
    const path = workspace.files.relative(args.path);
    const before = await readKnownFile(workspace, path);
    const file = decodeTextFile(path, before.content);
    const { text, message, data } = applyEdits(path, file, shape);
    const after = { content: encodeTextFile(path, text), mode: before.mode };
    return new ProposedChange([{ path, before, after }], message, { path, ...data }).prepared();
  },
  execute: (_args, context, prepared) => makeProposedChange(prepared, context, 'edit_file'),
});

/** The names other agents give the two halves of an edit. */
function renamed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const item: Record<string, unknown> = { ...value };
  return {
    ...item,
    old: item.old ?? item.old_str ?? item.old_string,
    new: item.new ?? item.new_str ?? item.new_string,
  };
}
