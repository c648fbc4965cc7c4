import { makesSense } from '../../untrusted-text/invisible.ts';
import { oneLine } from '../text/markdown.ts';

/** A piece of a page: text of strangers is in it only as text. Made by `html` and nothing else. */
export interface Html {
  readonly html: string;
}

type Value = string | number | null | Html | readonly (Html | null)[];

/**
 * What cannot stand in a page as it is: marks of HTML, characters that show nothing or turn the direction of text,
 * halves of pairs, and so many accents on one letter that they cover other lines. Line feed and tab stay.
 */
const special =
  /[[&<>"'`\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]--[\n\t]]|\p{M}{9,}/gv;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

/**
 * A template whose values are escaped, strings in the text and in attributes alike, unless they are `Html`
 * themselves; null is nothing. What a reader would not see is spelt out.
 */
export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  let done = '';
  for (const [index, part] of strings.entries()) {
    done += part;
    const value = values[index];
    if (index < values.length && value !== undefined) done += insert(value, isInTag(done));
  }
  return { html: done };
}

/** Several pieces as one. */
export function joined(pieces: readonly (Html | null)[]): Html {
  return { html: pieces.map((piece) => piece?.html ?? '').join('') };
}

export const nothing: Html = { html: '' };

function insert(value: Value, attribute: boolean): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return value.replace(special, attribute ? inAttribute : inText);
  return 'html' in value ? value.html : joined(value).html;
}

/** All before is ours or escaped, so a bracket that is open is that of a tag. */
function isInTag(before: string): boolean {
  return before.lastIndexOf('<') > before.lastIndexOf('>');
}

function inText(found: string, at: number, text: string): string {
  const entity = entities[found];
  if (entity !== undefined) return entity;
  return makesSense(text, found, at) ? found : `<span class="u">${nameOf(found)}</span>`;
}

function inAttribute(found: string, at: number, text: string): string {
  return entities[found] ?? (makesSense(text, found, at) ? found : `[${nameOf(found)}]`);
}

/** Controls by their abbreviation (Unicode, "C0 Controls and Basic Latin"). */
const controls =
  'NUL SOH STX ETX EOT ENQ ACK BEL BS HT LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US'.split(
    ' ',
  );

/** What a character that is not seen is called. */
function nameOf(found: string): string {
  const code = found.codePointAt(0) ?? 0;
  if (/^\p{M}{9}/u.test(found)) return `${[...found].length} accents`;
  if (code === 0x7f) return 'DEL';
  return controls[code] ?? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** A text as HTML of at most `room` bytes, and how many of its UTF-16 units are in it. */
interface FittedText {
  readonly text: Html;
  readonly taken: number;
}

/** As much of a text, from its start, as `room` bytes of HTML hold; never half a character. */
export function fitText(text: string, room: number): FittedText {
  let done = '';
  let left = room;
  let last = 0;
  const plain = (end: number): boolean => {
    const part = text.slice(last, end);
    const { read, written } = encoder.encodeInto(
      part,
      new Uint8Array(Math.max(0, Math.min(left, part.length * 3))),
    );
    done += part.slice(0, read);
    left -= written;
    last += read;
    return read === part.length;
  };
  for (const match of text.matchAll(special)) {
    if (!plain(match.index)) return { text: { html: done }, taken: last };
    const piece = inText(match[0], match.index, text);
    const size = encoder.encode(piece).length;
    if (size > left) return { text: { html: done }, taken: last };
    done += piece;
    left -= size;
    last = match.index + match[0].length;
  }
  plain(text.length);
  return { text: { html: done }, taken: last };
}

const encoder = new TextEncoder();

/** How many bytes a piece takes in the file. */
export function sizeOf({ html: text }: Html): number {
  return Buffer.byteLength(text);
}

/** The most bytes that a character of a short text takes on average: one that would be spelt out takes thirty. */
const bytesOfCharacter = 3;

/** A stranger's words on one line, at most `length` characters of them, also when each of them has to be spelt out. */
export function brief(text: string, length: number): Html {
  // More than is shown is not looked at: white space may shrink, but not without end.
  const line = oneLine(text.slice(0, length * 4));
  const short = line.slice(0, /[\uD800-\uDBFF]/.test(line[length - 1] ?? '') ? length - 1 : length);
  const fitted = fitText(short, length * bytesOfCharacter);
  return fitted.taken === line.length && text.length <= length * 4 ? fitted.text : html`${fitted.text}…`;
}
