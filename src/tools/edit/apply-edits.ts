import { ToolError } from '../../contract/errors.ts';
import type { Json } from '../../contract/json.ts';
import { applyHunks } from '../patch/apply-hunks.ts';
import { parseHunksOnly } from '../patch/parse-unified.ts';
import { numberLines } from '../text/number-lines.ts';
import { splitLines, type TextFile } from '../text/text-file.ts';
import type { EditShape } from './edit-shape.ts';
import { replaceText } from './replace-text.ts';

const contextLines = 2;
const snippetLines = 20;

/** An edited file, and the words about it for the model. */
export interface EditedText {
  readonly text: TextFile;
  readonly message: string;
  readonly data: { readonly [key: string]: Json };
}

/** Applies an edit to a file's text, each replacement to what the one before left. Throws `ToolError`. */
export function applyEdits(path: string, file: TextFile, shape: EditShape): EditedText {
  if (shape.kind === 'unified_diff') {
    const hunks = parseHunksOnly(shape.diff);
    const text = applyHunks(path, file, hunks);
    if (text.text === file.text) {
      throw new ToolError('invalid_input', `The diff would change nothing in ${path}.`);
    }
    const count = `${hunks.length} hunk${hunks.length === 1 ? '' : 's'}`;
    const snippet = snippetOf(text.text, firstDifference(file.text, text.text), 1);
    return { text, message: `Edited ${path} (${count}).\n${snippet}`, data: { hunks: hunks.length } };
  }
  let { text } = file;
  const notes: string[] = [];
  const strategies: string[] = [];
  for (const [index, replacement] of shape.replacements.entries()) {
    const done = explained(index, shape.replacements.length, () => replaceText(path, text, replacement));
    text = done.text;
    strategies.push(done.strategy);
    const how = done.strategy === 'exact' ? '' : `, matched ${done.strategy}`;
    const places =
      done.count === 1 ? `line ${done.firstLine}` : `${done.count} places, from line ${done.firstLine}`;
    notes.push(`${places}${how}:\n${snippetOf(text, done.firstLine, done.lastLine - done.firstLine + 1)}`);
  }
  return {
    text: { ...file, text },
    message: `Edited ${path}, ${notes.join('\n')}`,
    data: { strategies },
  };
}

/** Says which of several edits failed, and that none was made. */
function explained<Result>(index: number, count: number, run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    if (count === 1 || !(error instanceof ToolError)) throw error;
    throw new ToolError(error.kind, `Edit ${index + 1} of ${count}: ${error.message} No edit was made.`, {
      cause: error,
    });
  }
}

function snippetOf(text: string, firstLine: number, count: number): string {
  const lines = splitLines(text);
  const start = Math.max(1, firstLine - contextLines);
  const shown = lines.slice(start - 1, firstLine - 1 + Math.min(count, snippetLines) + contextLines);
  return numberLines(shown, start, 4000).text;
}

function firstDifference(before: string, after: string): number {
  const old = splitLines(before);
  const index = splitLines(after).findIndex((line, at) => line !== old[at]);
  return index === -1 ? old.length : index + 1;
}
