/** What begins each part of a block, and what ends the last; the marks are 5 to 9 long. */
const marks = [/^[-<]{5,9} SEARCH>?\s*$/, /^={5,9}\s*$/, /^[+>]{5,9} REPLACE>?\s*$/] as const;

/**
 * Edits written as blocks of `<<<<<<< SEARCH`, `=======` and `>>>>>>> REPLACE`, as other agents have them in place of
 * a diff. Null where the text has something else in it.
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
