import * as z from 'zod';
import { ToolError } from '../contract/errors.ts';
import { applyEdits } from './edit/apply-edits.ts';
import { editShape } from './edit/edit-shape.ts';
import { makeProposedChange, ProposedChange } from './edit/proposed-change.ts';
import { readKnownFile } from './edit/read-for-change.ts';
import { flag } from './input/flag.ts';
import { integer } from './input/integer.ts';
import { list } from './input/list.ts';
import { decodeTextFile, encodeTextFile } from './text/text-file.ts';
import { defineTool } from './tool.ts';

/** Many models fill in every field, the ones they do not mean with null. */
const unlessNull = <Output>(schema: z.ZodType<Output>) =>
  z.preprocess((value) => value ?? undefined, schema.optional()).optional();

const occurrence = integer(z.int().nonnegative());

const edit = z.preprocess(
  (value) => renamed(value),
  z.object({
    old: z.string(),
    new: z.string(),
    occurrence: unlessNull(occurrence).describe('from 1'),
    replace_all: unlessNull(flag()).meta({ hidden: true }),
  }),
);

const input = z.object({
  path: z.string().min(1),
  edits: unlessNull(list(z.array(edit))),
  old_str: unlessNull(z.string()),
  new_str: unlessNull(z.string()),
  occurrence: unlessNull(occurrence).meta({ hidden: true }),
  replace_all: unlessNull(flag()),
  unified_diff: unlessNull(z.string()),
  /** What the one tool of another agent for all editing was to do. */
  command: unlessNull(z.string()).meta({ hidden: true }),
});

/** Changes one existing text file. */
export const editFile = defineTool({
  name: 'edit_file',
  aliases: {
    Edit: {},
    MultiEdit: {},
    str_replace: {},
    str_replace_editor: {},
    str_replace_based_edit_tool: {},
  },
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
    refuseOtherCommand(args.command);
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

/** Of the commands of an editor under whose name this tool is called, it has one. */
function refuseOtherCommand(command: string | undefined): void {
  if (command === undefined || command === 'str_replace') return;
  throw new ToolError(
    'invalid_input',
    `edit_file only replaces text; it has no command "${command}". Use read to see a file, create_file to write one, and edit_file with old_str and new_str to insert.`,
  );
}

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
