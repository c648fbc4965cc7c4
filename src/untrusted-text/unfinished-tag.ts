import { htmlTagEnd } from '../contract/untrusted.ts';
import type { TakeOut } from './take-out.ts';

/** A line that begins HTML which Markdown passes on as it is, up to the next blank line (CommonMark, "HTML blocks", kinds 1 and 6). */
const blockStart =
  /^[ \t>]*(?:(?:[*+-]|\d{1,9}[.)])[ \t]+)*<\/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|pre|script|search|section|style|summary|table|tbody|td|textarea|tfoot|th|thead|title|tr|track|ul)(?=[\s/>])/gim;

/**
 * Takes out a tag in such a block that the block does not end: what stands in it shows nowhere. Where a quoted value of it is open, a
 * browser takes all that follows for that value, so that goes too. Takes time that grows with the text.
 */
export function stripUnfinishedTags(text: string, takeOut: TakeOut): string {
  const blank = /\n[ \t>]*(?:\n|$)/g;
  const tag = /<\/?[a-z][^\s/>]*/gi;
  let kept = '';
  let last = 0;
  let read = 0;
  for (const { index } of text.matchAll(blockStart)) {
    if (index < read) continue;
    blank.lastIndex = index;
    read = blank.exec(text)?.index ?? text.length;
    const block = text.slice(index, read);
    tag.lastIndex = 0;
    for (let found = tag.exec(block); found !== null; found = tag.exec(block)) {
      const end = htmlTagEnd(block, tag.lastIndex);
      if (typeof end === 'number') {
        tag.lastIndex = end;
        continue;
      }
      if (end === 'in value') read = text.length;
      const start = index + found.index;
      kept += text.slice(last, start) + takeOut('HTML tag without an end', text.slice(start, read), true);
      last = read;
      break;
    }
  }
  return kept + text.slice(last);
}
