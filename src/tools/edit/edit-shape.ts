import { ToolError } from '../../contract/errors.ts';
import type { Replacement } from './replace-text.ts';

/** The three ways to say an edit, as the tool's schema takes them. */
export interface EditInput {
  readonly edits?:
    | readonly { readonly old: string; readonly new: string; readonly occurrence: number }[]
    | undefined;
  readonly old_str?: string | undefined;
  readonly new_str?: string | undefined;
  readonly replace_all: boolean;
  readonly unified_diff?: string | undefined;
}

export type EditShape =
  | { readonly kind: 'replacements'; readonly replacements: readonly Replacement[] }
  | { readonly kind: 'unified_diff'; readonly diff: string };

/** The one way an edit was given in. Throws `ToolError('invalid_input')` for none, several, or half of one. */
export function editShape(input: EditInput): EditShape {
  const given = [
    ...(input.edits === undefined ? [] : ['edits']),
    ...(input.old_str === undefined && input.new_str === undefined ? [] : ['old_str and new_str']),
    ...(input.unified_diff === undefined ? [] : ['unified_diff']),
  ];
  if (given.length !== 1) {
    throw new ToolError(
      'invalid_input',
      `Give exactly one of edits, old_str with new_str, or unified_diff; ${given.length === 0 ? 'none was given' : `given were ${given.join(', ')}`}.`,
    );
  }
  if (input.unified_diff !== undefined) return { kind: 'unified_diff', diff: input.unified_diff };
  if (input.edits !== undefined) return { kind: 'replacements', replacements: input.edits };
  if (input.old_str === undefined || input.new_str === undefined) {
    throw new ToolError(
      'invalid_input',
      'old_str and new_str belong together; to delete text, give an empty new_str.',
    );
  }
  return {
    kind: 'replacements',
    replacements: [{ old: input.old_str, new: input.new_str, occurrence: input.replace_all ? 'all' : 0 }],
  };
}
