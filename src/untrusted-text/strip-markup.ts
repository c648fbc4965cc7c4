import { htmlTagEnd } from '../contract/untrusted.ts';

/** Markup that GitHub hides or displays otherwise than written. */
interface HiddenPart {
  readonly kind: string;
  readonly pattern: RegExp;
  /** False for markup in honest use. */
  readonly alarming: boolean;
}

const white = String.raw`(?:\{\s*)?(?:white|transparent|#f{3,8}|#fefefe|#0d1117|rgba?\(\s*255\s*,\s*255\s*,\s*255[^)\\]*\))\s*(?:\}\s*)?`;

/** Removed as a whole and reported. */
export const hiddenParts: readonly HiddenPart[] = [
  // HTML, "Comments": an unterminated one hides everything after it.
  { kind: 'HTML comment', pattern: /<!--[\s\S]*?(?:--!?>|$)/g, alarming: false },
  { kind: 'HTML declaration', pattern: /<![A-Za-z[][\s\S]*?(?:>|$)/g, alarming: true },
  { kind: 'processing instruction', pattern: /<\?[\s\S]*?(?:\?>|$)/g, alarming: true },
  {
    kind: 'HTML element that is not shown',
    pattern:
      /<(script|style|template|noscript|iframe|object|svg|math|title|textarea|head|datalist|audio|video|canvas|rp)\b[\s\S]*?(?:<\/\1\s*>|$)/gi,
    alarming: true,
  },
  {
    kind: 'HTML tag that is not shown',
    pattern: /<(?:source|track|meta|link|base|input|embed|param)\b[^>]*(?:>|$)/gi,
    alarming: false,
  },
  {
    kind: 'image too small to be seen',
    pattern: /<img\b(?=[^<>]*\s(?:width|height)\s*=\s*["']?[01](?:px)?(?=["'\s/>]))[^<>]*>/gi,
    alarming: false,
  },
  {
    kind: 'formula in the colour of the page',
    pattern: new RegExp(
      String.raw`\\(?:text)?color\s*${white}(?:\{[^{}]*\}|[^$\n]*)|\\[hv]?phantom\s*\{[^{}]*\}|\\(?:text)?color(?:\[[^\]\\]*\])?\{1(?:,1){2}\}[^$\n]*`,
      'gi',
    ),
    alarming: true,
  },
  // Unused link reference definitions, a common way to write a comment in Markdown.
  {
    kind: 'Markdown comment',
    pattern: /^[ \t>]*\[(?:\/\/|#|comment|\s*)\]:[^\n]*(?:\n[ \t]+[^\n]*)?$/gim,
    alarming: true,
  },
  {
    kind: 'data URL',
    pattern: /\bdata:[a-z0-9.+-]*(?:\/[a-z0-9.+-]*)?(?:;[\w=.-]+)*,[^\s)"'<>]*/gi,
    alarming: false,
  },
];

/** Attributes that are visible, or locate something. */
const visibleAttributes =
  /^(?:href|src|width|height|align|valign|colspan|rowspan|open|start|type|checked|disabled|dir|border|color|size)$/;

/** Removes attributes that GitHub drops or keeps for machines, and tags whose name is a message. */
export function stripTags(text: string, takeOut: TakeOut): string {
  let done = '';
  let last = 0;
  for (const { start, end, name, attributes, slash } of openingTags(text)) {
    done += text.slice(last, start);
    last = end;
    if (name.length > 20 || name.includes('-')) {
      takeOut('unknown HTML tag', text.slice(start, end), true);
      continue;
    }
    const remaining = attributes.filter((attribute) => {
      const isVisible = visibleAttributes.test(attribute.name);
      if (!isVisible)
        takeOut(attribute.name === 'alt' ? 'alternative text' : 'HTML attribute', attribute.text, false);
      return isVisible;
    });
    done +=
      remaining.length === attributes.length
        ? text.slice(start, end)
        : `${text.slice(start, start + 1 + name.length)}${remaining.map((attribute) => attribute.text).join('')}${slash}>`;
  }
  return done + text.slice(last);
}

/** Removes alternative text of images and titles of links, which show only on hover. */
export function stripTitles(text: string, takeOut: TakeOut): string {
  return text
    .replace(
      /!\[((?:[^[\]\\]|\\.|\[[^[\]]*\])*)\](?=[([])/gs,
      (_, alternative: string) => `![${takeOut('alternative text', alternative, false)}]`,
    )
    .replace(
      /(\]\(\s*(?=\S)(?:<[^<>\n]*>|[^\s()]*(?:\([^\s()]*\)[^\s()]*)*))\s+(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|\(((?:[^()\\]|\\.)*)\))\s*\)/gs,
      (_, link: string, ...titles: (string | undefined)[]) => {
        const [double, single, round] = titles;
        return `${link}${takeOut('title of a link', double ?? single ?? round ?? '', false)})`;
      },
    );
}

/** The text of a link label, which may span lines but no blank one (CommonMark, "Links"). */
const label = String.raw`((?:[^[\]\\\n]|\\.|\n(?![ \t]*\n)){1,999})`;
const definition = new RegExp(
  String.raw`^([ \t>]{0,40}\[${label}\]:[ \t]{0,40}(?:\n[ \t]{0,40})?(?:<[^<>\n]*>|\S+))((?:[ \t]{1,40}|[ \t]{0,40}\n[ \t]{0,40})(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\((?:[^()\\]|\\.)*\)))?[ \t]*$`,
  'gms',
);
const reference = new RegExp(String.raw`\[${label}\](?!:)`, 'gs');
/** An unindented line that continues a paragraph (CommonMark, "Lazy continuation line"). */
const lazy = String.raw`(?![ \t]?(?:#{1,6}[ \t\n]|>|<|\x60{3}|~{3}|[-+*][ \t\n]|1[.)][ \t]|\[\^|([-*_])[ \t]*(?:\2[ \t]*){2,}$))[ \t]?\S`;
const indented = String.raw`(?:[ \t]{2,}|\t)`;
const footnote = new RegExp(
  String.raw`^[ \t>]{0,40}\[(\^[^\]\s]{1,999})\]:[^\n]*(?:\n(?:(?:${indented}|${lazy})[^\n]*|(?=\n${indented}\S)))*$`,
  'gm',
);

/** Removes unused definitions of links and footnotes, and the titles of used ones. */
export function stripDefinitions(text: string, takeOut: TakeOut): string {
  const used = new Set<string>();
  for (const [, name = ''] of text.matchAll(reference)) used.add(normal(name));
  return text
    .replace(footnote, (whole, name: string) =>
      used.has(normal(name)) ? whole : takeOut('footnote that nothing refers to', whole, true),
    )
    .replace(definition, (whole, start: string, name: string, title?: string) => {
      if (name.startsWith('^')) return whole;
      if (!used.has(normal(name))) return takeOut('link definition that nothing refers to', whole, true);
      return `${start}${title === undefined ? '' : takeOut('title of a link', title, false)}`;
    });
}

const normal = (name: string): string => name.replace(/\s+/g, ' ').trim().toLowerCase();

/** Records a part removed from a text. Returns the replacement. */
export type TakeOut = (kind: string, part: string, alarming: boolean) => string;

/** An opening tag (CommonMark, "Raw HTML") with its attributes as written. */
interface Tag {
  readonly start: number;
  readonly end: number;
  readonly name: string;
  readonly attributes: readonly { readonly name: string; readonly value: string; readonly text: string }[];
  /** `/` or '' before the closing bracket. */
  readonly slash: string;
}

const attribute = /\s+([a-z_:@][\w:.@-]*)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'=<>`]+))?/iy;
const tagEnd = /\s*(\/?)>/y;

/** Returns the opening tags of a text in order, in linear time. */
export function openingTags(text: string): Tag[] {
  const tags: Tag[] = [];
  for (const match of text.matchAll(/<([a-z][a-z0-9-]*)(?=[\s/>])/gi)) {
    if (match.index < (tags.at(-1)?.end ?? 0)) continue;
    const { attributes, at } = readAttributes(text, match.index + match[0].length);
    tagEnd.lastIndex = at;
    const end = tagEnd.exec(text);
    if (end === null) continue;
    const name = (match[1] ?? '').toLowerCase();
    tags.push({ start: match.index, end: at + end[0].length, name, attributes, slash: end[1] ?? '' });
  }
  return tags;
}

/** Reads at most 100 attributes from a position. `at` is the position after them. */
function readAttributes(text: string, start: number): { attributes: Tag['attributes']; at: number } {
  let at = start;
  const attributes: Tag['attributes'][number][] = [];
  while (attributes.length < 100) {
    attribute.lastIndex = at;
    const found = attribute.exec(text);
    if (found === null) break;
    attributes.push({ name: (found[1] ?? '').toLowerCase(), value: found[2] ?? '', text: found[0] });
    at += found[0].length;
  }
  return { attributes, at };
}

const unseen =
  /display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?:\.0+)?(?![.\d])|font-size\s*:\s*0|color\s*:\s*(?:white|transparent|#f{3,8})/i;
const plainly = /\shidden(?=[\s=/>]|$)|\scolor\s*=\s*["']?(?:white|transparent|#f{3,8})/i;

/** A tag without other brackets in it. */
const tag = /<([a-z][a-z0-9]*)\b([^<>]*)>/gi;

/**
 * Removes elements that hide themselves, up to their closing tag, an empty line, or the end.
 * `restored` returns a part as it was written. Linear time.
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

/**
 * Returns true if a tag's attributes hide it. A style extends to its closing quote, an unquoted one
 * to the next quote.
 */
function isHidden(attributes: string): boolean {
  if (plainly.test(attributes)) return true;
  let looked = 0;
  for (const { index, 0: opening, 1: quote = '' } of attributes.matchAll(/\sstyle\s*=\s*(["']?)/gi)) {
    const from = index + opening.length;
    // Many unquoted styles would each search all that follows.
    if (quote === '' && from < looked) continue;
    const rest = quote === '' ? /["']|$/g : new RegExp(`${quote}|$`, 'g');
    rest.lastIndex = from;
    const to = rest.exec(attributes)?.index ?? from;
    if (unseen.test(attributes.slice(from, to))) return true;
    looked = to;
  }
  return false;
}

/**
 * A line that begins an HTML block, up to the next blank line (CommonMark, "HTML blocks", kinds 1
 * and 6).
 */
const blockStart =
  /^[ \t>]*(?:(?:[*+-]|\d{1,9}[.)])[ \t]+)*<\/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|pre|script|search|section|style|summary|table|tbody|td|textarea|tfoot|th|thead|title|tr|track|ul)(?=[\s/>])/gim;

/**
 * Removes an unfinished tag at the end of an HTML block, since its content is invisible. If a
 * quoted value is open, browsers extend it to the end of the text, so all of that is removed.
 * Linear time.
 */
export function stripUnfinishedTags(text: string, takeOut: TakeOut): string {
  const blank = /\n[ \t>]*(?:\n|$)/g;
  const tag = /<\/?[a-z][^\s/>]*/gi;
  let remaining = '';
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
      remaining +=
        text.slice(last, start) + takeOut('HTML tag without an end', text.slice(start, read), true);
      last = read;
      break;
    }
  }
  return remaining + text.slice(last);
}
