import * as z from 'zod';
import { invalidInput } from '../../contract/errors.ts';
import { list, unlessNull } from '../input/lenient.ts';
import { defineTool } from '../tool.ts';
import { makeProposedChange, ProposedChange } from '../write/proposed-change.ts';
import { editItemOfFile, replacementOf } from './edit-shape.ts';
import { type FileEdit, planEdits } from './plan-edits.ts';

const input = z.object({
  path: unlessNull(z.string().min(1)).describe('the file of edits that name none'),
  edits: list(z.array(editItemOfFile).min(1)).describe('in order, each on the result of the one before'),
});

/** Makes several replacements in one or several files, all or none. */
export const multiEdit = defineTool({
  name: 'multi_edit',
  aliases: { MultiEdit: {} },
  argumentAliases: { file_path: 'path' },
  description: 'Make several replacements in one or several text files, all or none.',
  exposure: 'deferred',
  input,
  level: 'confirm_write',
  targets: (args) => {
    const paths = [...new Set(fileEdits(args).map(({ path }) => path))];
    return { what: paths.join(', '), paths: paths.map((path) => ({ path, access: 'write' })) };
  },
  async prepare(args, context) {
    const { files, message, data } = await planEdits(context.workspace, fileEdits(args));
    return new ProposedChange(files, message, data).prepared();
  },
  execute: (_args, context, prepared) => makeProposedChange(prepared, context, 'multi_edit'),
});

function fileEdits({ path, edits }: z.output<typeof input>): FileEdit[] {
  return edits.map((edit, index) => {
    const file = edit.path ?? path;
    if (file !== undefined) return { path: file, replacement: replacementOf(edit, {}) };
    throw invalidInput(
      `Edit ${index + 1} of ${edits.length} names no file. Give path, for all edits or in each.`,
    );
  });
}
