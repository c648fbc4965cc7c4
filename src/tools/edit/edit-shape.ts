import * as z from 'zod';
import { invalidInput, type ToolError } from '../../contract/errors.ts';
import { flag, integer, unlessNull } from '../input/lenient.ts';
import type { Replacement } from './replace-text.ts';

/** The three forms of an edit in the tool's schema. */
interface EditInput {
  readonly edits?: readonly EditItem[] | undefined;
  readonly old_str?: string | undefined;
  readonly new_str?: string | undefined;
  readonly occurrence?: number | undefined;
  readonly replace_all?: boolean | undefined;
  readonly unified_diff?: string | undefined;
}

/** One replacement as given. */
interface EditItem {
  readonly old: string;
  readonly new: string;
  readonly occurrence?: number | undefined;
  readonly replace_all?: boolean | undefined;
}

type EditShape =
  | { readonly kind: 'replacements'; readonly replacements: readonly Replacement[] }
  | { readonly kind: 'unified_diff'; readonly diff: string };

/**
 * Returns the one form in which an edit was given; empty fields beside it count as missing.
 * `occurrence` and `replace_all` hold for each of `edits` without its own. Throws
 * `ToolError('invalid_input')` for no form, several, or half of one.
 */
export function editShape(input: EditInput): EditShape {
  const blocks = searchBlocks(input.unified_diff ?? '');
  const edits = [...(input.edits ?? []), ...(blocks ?? [])];
  const diff = blocks === null ? (input.unified_diff ?? '') : '';
  const hasOtherForm = edits.length > 0 || diff.trim() !== '';
  const strings = [input.old_str, input.new_str];
  const hasStrings = strings.some((text) => (hasOtherForm ? (text ?? '') !== '' : text !== undefined));
  const given = [
    ...(edits.length === 0 ? [] : ['edits']),
    ...(hasStrings ? ['old_str and new_str'] : []),
    ...(diff.trim() === '' ? [] : ['unified_diff']),
  ];
  if (given.length !== 1) throw notOneForm(given);
  if (edits.length > 0) {
    return { kind: 'replacements', replacements: edits.map((edit) => replacementOf(edit, input)) };
  }
  if (!hasStrings) return { kind: 'unified_diff', diff };
  if (input.old_str === undefined || input.new_str === undefined) {
    throw invalidInput('old_str and new_str belong together; to delete text, give an empty new_str.');
  }
  return {
    kind: 'replacements',
    replacements: [replacementOf({ old: input.old_str, new: input.new_str }, input)],
  };
}

function notOneForm(given: readonly string[]): ToolError {
  const count = given.length === 0 ? 'none was given' : `given were ${given.join(', ')}`;
  return invalidInput(`Give exactly one of edits, old_str with new_str, or unified_diff; ${count}.`);
}

type Which = Pick<EditItem, 'occurrence' | 'replace_all'>;

/**
 * Returns one edit as a replacement. `common` applies if the edit itself names no occurrence.
 * Throws `ToolError('invalid_input')` if one occurrence and all are requested.
 */
export function replacementOf(edit: EditItem, common: Which): Replacement {
  const own: Which = edit.occurrence !== undefined || edit.replace_all !== undefined ? edit : common;
  const occurrence = own.occurrence ?? 0;
  if (occurrence > 0 && own.replace_all === true) {
    throw invalidInput(
      `occurrence ${occurrence} wants one place and replace_all wants every one; give only one of the two.`,
    );
  }
  return { old: edit.old, new: edit.new, occurrence: own.replace_all === true ? 'all' : occurrence };
}

/** Marks that begin each part of a block and end the last; 5 to 9 characters long. */
const marks = [/^[-<]{5,9} SEARCH>?\s*$/, /^={5,9}\s*$/, /^[+>]{5,9} REPLACE>?\s*$/] as const;

/**
 * Parses edits written as blocks of `<<<<<<< SEARCH`, `=======` and `>>>>>>> REPLACE`, which other
 * agents use instead of a diff. Null if the text contains anything else.
 */
export function searchBlocks(text: string): { readonly old: string; readonly new: string }[] | null {
  const blocks: { old: string; new: string }[] = [];
  let parts: string[] = [];
  for (const line of text.split(/(?<=\n)/)) {
    const next = marks[parts.length];
    if (next?.test(line) === true) {
      const [old, replacement] = parts;
      if (old !== undefined && replacement !== undefined) {
        blocks.push({ old, new: replacement });
        parts = [];
      } else parts.push('');
    } else if (parts.length > 0) parts[parts.length - 1] += line;
    else if (line.trim() !== '') return null;
  }
  return parts.length > 0 || blocks.length === 0 ? null : blocks;
}

/** The occurrence to replace, from 1. 0 requires the old text to be unique. */
export const occurrence = integer(z.int().nonnegative());

/** One of several edits. Other agents name its halves `old_str` and `old_string`. */
export const editItem = z.preprocess(
  renamed,
  z.object({
    old: z.string(),
    new: z.string(),
    occurrence: unlessNull(occurrence).describe('from 1'),
    replace_all: unlessNull(flag()).meta({ hidden: true }),
  }),
);

/** An edit that may name its own file. */
export const editItemOfFile = z.preprocess(
  renamed,
  z.object({
    path: unlessNull(z.string().min(1)).describe('where it is another file'),
    old: z.string(),
    new: z.string(),
    occurrence: unlessNull(occurrence).describe('from 1'),
    replace_all: unlessNull(flag()),
  }),
);

function renamed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const item: Record<string, unknown> = { ...value };
  return {
    ...item,
    path: item.path ?? item.file_path,
    old: item.old ?? item.old_str ?? item.old_string,
    new: item.new ?? item.new_str ?? item.new_string,
  };
}
