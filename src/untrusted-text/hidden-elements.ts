import type { TakeOut } from './take-out.ts';

const unseen =
  /display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?:\.0+)?(?![.\d])|font-size\s*:\s*0|color\s*:\s*(?:white|transparent|#f{3,8})/i;
const plainly = /\shidden(?=[\s=/>]|$)|\scolor\s*=\s*["']?(?:white|transparent|#f{3,8})/i;

/** A tag without another bracket in it. */
const tag = /<([a-z][a-z0-9]*)\b([^<>]*)>/gi;

/**
 * Takes out elements that say of themselves that they do not show, with all up to their end: the closing tag, an empty line, or the
 * end of the text. `restored` gives a part as it was written. The time grows with the length of the text.
 */
export function stripHiddenElements(
  text: string,
  takeOut: TakeOut,
  restored: (part: string) => string,
): string {
  let done = '';
  let last = 0;
  for (const { index, 0: opening, 1: name = '', 2: attributes = '' } of text.matchAll(tag)) {
    if (index < last || !isHidden(attributes)) continue;
    const end = new RegExp(String.raw`</${name}\s*>|\n[ \t]*\n`, 'gi');
    end.lastIndex = index + opening.length;
    const to = end.exec(text) === null ? text.length : end.lastIndex;
    done += text.slice(last, index) + takeOut('hidden HTML element', restored(text.slice(index, to)), true);
    last = to;
  }
  return done + text.slice(last);
}

/** True where the attributes of a tag hide it. A style reaches to its closing quote; one without a quote to the next. */
function isHidden(attributes: string): boolean {
  if (plainly.test(attributes)) return true;
  let looked = 0;
  for (const { index, 0: opening, 1: quote = '' } of attributes.matchAll(/\sstyle\s*=\s*(["']?)/gi)) {
    const from = index + opening.length;
    // Many styles without a quote would each look at all that follows.
    if (quote === '' && from < looked) continue;
    const rest = quote === '' ? /["']|$/g : new RegExp(`${quote}|$`, 'g');
    rest.lastIndex = from;
    const to = rest.exec(attributes)?.index ?? from;
    if (unseen.test(attributes.slice(from, to))) return true;
    looked = to;
  }
  return false;
}
