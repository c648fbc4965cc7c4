import { ToolError } from '../../contract/errors.ts';
import { nearestLines } from '../write/nearest-lines.ts';

/** A text with a replaced piece, and the number of replacements. */
export interface ExactReplacement {
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
    throw new ToolError(
      'invalid_input',
      'old_string is empty. To write the whole file, or to add to its end, use workspace.write_file.',
    );
  }
  if (edit.old === edit.new) {
    throw new ToolError(
      'invalid_input',
      `new_string is the same as old_string; nothing would change in ${path}.`,
    );
  }
  const pieces = text.split(edit.old);
  const count = pieces.length - 1;
  if (count === 0) throw notFound(path, text, edit.old);
  if (count > 1 && !edit.all) {
    throw new ToolError(
      'ambiguous',
      `old_string stands ${count} times in ${path}, at lines ${linesOf(pieces, edit.old)}. Add the text around it until it is unique, or set replace_all.`,
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
function linesOf(pieces: readonly string[], old: string): string {
  const newlines = (text: string) => text.split('\n').length - 1;
  const lines: number[] = [];
  let line = 1;
  for (const piece of pieces.slice(0, 10)) {
    line += newlines(piece);
    lines.push(line);
    line += newlines(old);
  }
  const all = pieces.length - 1;
  return lines.slice(0, all).join(', ') + (all > 10 ? ', …' : '');
}
