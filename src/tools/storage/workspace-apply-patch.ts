import * as z from 'zod';
import { invalidInput, ToolError } from '../../contract/errors.ts';
import { flag, unlessNull } from '../input/lenient.ts';
import { findPlaces } from '../text/find-lines.ts';
import { lineAt } from '../text/text-range.ts';
import { defineTool } from '../tool.ts';
import { changedPlaces } from '../write/changed-places.ts';
import { nearestLines } from '../write/nearest-lines.ts';

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

/** A text with a replaced piece, and the number of replacements. */
interface ExactReplacement {
  readonly text: string;
  readonly count: number;
}

/**
 * Replaces `old` where it matches exactly: at its only location, or at all with `all`. Throws
 * `ToolError`: `not_found` with the nearest lines, `ambiguous` with the lines of all matches,
 * `invalid_input` for an edit without effect.
 */
export function replaceExactly(
  path: string,
  text: string,
  edit: { readonly old: string; readonly new: string; readonly all: boolean },
): ExactReplacement {
  if (edit.old === '') {
    throw invalidInput(
      'old_string is empty. To write the whole file, or to add to its end, use workspace.write_file.',
    );
  }
  if (edit.old === edit.new) {
    throw invalidInput(`new_string is the same as old_string; nothing would change in ${path}.`);
  }
  const pieces = text.split(edit.old);
  const count = pieces.length - 1;
  if (count === 0) throw notFound(path, text, edit.old);
  if (count > 1 && !edit.all) {
    throw new ToolError(
      'ambiguous',
      `old_string stands ${count} times in ${path}, at lines ${linesOf(text, edit.old)}. Add the text around it until it is unique, or set replace_all.`,
    );
  }
  return { text: pieces.join(edit.new), count };
}

function notFound(path: string, text: string, old: string): ToolError {
  const nearest = nearestLines(text, old);
  const like = nearest === null ? '' : ` The nearest lines are:\n${nearest}\n`;
  return new ToolError(
    'not_found',
    `old_string does not stand in ${path}; it must match exactly, without line numbers.${like || ' '}Read the file with workspace.read_file and copy the text as it is.`,
  );
}

/** Lists the lines of the first ten matches. */
function linesOf(text: string, old: string): string {
  const places = findPlaces(text, old);
  const lines = places.slice(0, 10).map((at) => lineAt(text, at));
  return lines.join(', ') + (places.length > 10 ? ', …' : '');
}
