import * as z from 'zod';
import { ToolError } from '../contract/errors.ts';
import { makeProposedChange, ProposedChange } from './edit/proposed-change.ts';
import { readForChange } from './edit/read-for-change.ts';
import { flag } from './input/flag.ts';
import { splitLines } from './text/text-file.ts';
import { defineTool } from './tool.ts';

const input = z.object({
  path: z.string().min(1),
  content: z.string(),
  overwrite: flag().default(false),
});

/** Writes a whole text file. */
export const createFile = defineTool({
  name: 'create_file',
  aliases: { write_file: { overwrite: true }, Write: { overwrite: true } },
  argumentAliases: { file_path: 'path', contents: 'content' },
  description: 'Create a text file; overwrite replaces an existing one.',
  input,
  level: 'confirm_write',
  readOnly: false,
  targets: (args) => ({ what: args.path, paths: [{ path: args.path, access: 'write' }] }),
  async prepare(args, context) {
    const { workspace } = context;
    const path = workspace.files.relative(args.path);
    const before = await readForChange(workspace, path);
    if (before !== null && !args.overwrite) {
      throw new ToolError(
        'file_exists',
        `${path} exists already. Change it with edit_file, or set overwrite to replace all of it.`,
      );
    }
    if (before !== null) workspace.memory.check(path, before.content);
    const after = { content: Buffer.from(args.content), mode: before?.mode ?? 0o644 };
    const lines = splitLines(args.content).length;
    const verb = before === null ? 'Created' : 'Overwrote';
    const message = `${verb} ${path} (${lines} line${lines === 1 ? '' : 's'}).`;
    return new ProposedChange([{ path, before, after }], message, { path, lines }).prepared();
  },
  execute: (_args, context, prepared) => makeProposedChange(prepared, context, 'create_file'),
});
