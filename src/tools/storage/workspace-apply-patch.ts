import * as z from 'zod';
import { ToolError } from '../../contract/errors.ts';
import { flag } from '../input/flag.ts';
import { unlessNull } from '../input/unless-null.ts';
import { defineTool } from '../tool.ts';
import { changedPlaces } from '../write/changed-places.ts';
import { replaceExactly } from './replace-exactly.ts';

const input = z.object({
  path: z.string().min(1),
  old_string: z.string().describe('exactly as in the file, without line numbers'),
  new_string: z.string(),
  replace_all: unlessNull(flag()).describe('every place; else there must be one'),
});

/** Replaces a text in one of the run's own files. */
export const workspaceApplyPatch = defineTool({
  name: 'workspace.apply_patch',
  argumentAliases: { file_path: 'path', old_str: 'old_string', new_str: 'new_string' },
  description: 'Replace a text, which must match exactly, in one of your own files outside the repository.',
  exposure: 'deferred',
  input,
  level: 'state_write',
  ownState: true,
  readOnly: false,
  targets: (args) => ({ what: args.path }),
  async execute(args, context) {
    const { storage, callId } = context;
    const path = storage.locate(args.path);
    const { memory } = await storage.open();
    let count!: number;
    let places!: string;
    await storage.change(path, { tool: 'workspace.apply_patch', callId }, (before) => {
      memory.check(path, before);
      if (before === null) {
        throw new ToolError(
          'not_found',
          `${path} does not exist. Write it with workspace.write_file; workspace.list_files shows what there is.`,
        );
      }
      const text = before.toString('utf8');
      const edit = { old: args.old_string, new: args.new_string, all: args.replace_all === true };
      const replaced = replaceExactly(path, text, edit);
      count = replaced.count;
      places = changedPlaces(text, replaced.text);
      return replaced.text;
    });
    const what = `Patched ${path} in ${count} place${count === 1 ? '' : 's'}`;
    return { content: places === '' ? `${what}.` : `${what}:\n${places}`, data: { path, count } };
  },
});
