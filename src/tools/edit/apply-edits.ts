import { ToolError } from '../../contract/errors.ts';
import type { Json } from '../../contract/json.ts';
import { applyHunks } from '../patch/apply-hunks.ts';
import { parseHunksOnly } from '../patch/parse-unified.ts';
import type { TextFile } from '../text/text-file.ts';
import { changedPlaces } from './changed-places.ts';
import type { EditShape } from './edit-shape.ts';
import { type ReplacedText, type Replacement, replaceText } from './replace-text.ts';

/** An edited file, and the words about it for the model. */
export interface EditedText {
  readonly text: TextFile;
  readonly message: string;
  readonly data: { readonly [key: string]: Json };
}

/**
 * Applies an edit to a file's text, each replacement to what the one before left. The message shows every
 * place once, as it is in the end. Throws `ToolError`.
 */
export function applyEdits(path: string, file: TextFile, shape: EditShape): EditedText {
  const { text, what, data } =
    shape.kind === 'unified_diff'
      ? applyDiff(path, file, shape.diff)
      : applyReplacements(path, file, shape.replacements);
  if (text.text === file.text) {
    throw new ToolError('invalid_input', `The edit would change nothing in ${path}.`);
  }
  const places = changedPlaces(file.text, text.text);
  return { text, message: `Edited ${path}, ${what}${places === '' ? '.' : `:\n${places}`}`, data };
}

interface Applied {
  readonly text: TextFile;
  readonly what: string;
  readonly data: EditedText['data'];
}

function applyDiff(path: string, file: TextFile, diff: string): Applied {
  const hunks = parseHunksOnly(diff);
  return {
    text: applyHunks(path, file, hunks),
    what: `${hunks.length} hunk${hunks.length === 1 ? '' : 's'}`,
    data: { hunks: hunks.length },
  };
}

function applyReplacements(path: string, file: TextFile, replacements: readonly Replacement[]): Applied {
  let { text } = file;
  const done: ReplacedText[] = [];
  for (const [index, replacement] of replacements.entries()) {
    const replaced = explained(index, replacements.length, () => replaceText(path, text, replacement));
    text = replaced.text;
    done.push(replaced);
  }
  return {
    text: { ...file, text },
    what: describe(done),
    data: { strategies: done.map((replaced) => replaced.strategy) },
  };
}

/** `line 4`, `3 places`, `2 edits (edit 2 matched line-trimmed)`. */
function describe(done: readonly ReplacedText[]): string {
  const [only] = done;
  if (only !== undefined && done.length === 1) {
    const where = only.count === 1 ? `line ${only.firstLine}` : `${only.count} places`;
    return only.strategy === 'exact' ? where : `${where}, matched ${only.strategy}`;
  }
  const notes = done.flatMap(({ strategy, count }, index) => {
    const parts = [
      ...(count === 1 ? [] : [`in ${count} places`]),
      ...(strategy === 'exact' ? [] : [`matched ${strategy}`]),
    ];
    return parts.length === 0 ? [] : [`edit ${index + 1} ${parts.join(', ')}`];
  });
  return `${done.length} edits${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`;
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
