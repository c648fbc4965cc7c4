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
