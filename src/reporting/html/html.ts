import { makesSense } from '../../untrusted-text/invisible.ts';
import { oneLine } from '../text/markdown.ts';

/** A piece of a page. It contains untrusted text only escaped. Made only by `html`. */
export interface Html {
  readonly html: string;
}

type Value = string | number | null | Html | readonly (Html | null)[];

/**
 * Characters that need escaping: HTML, invisible and direction characters, lone surrogates, and
 * stacks of accents that cover other lines. Not line feed and tab.
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
 * Builds HTML from a template. Values are escaped in text and attributes, unless they are `Html`;
 * null is empty. Invisible characters are spelled out.
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

/** All before is ours or escaped, so an open bracket belongs to a tag. */
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

/** Names an invisible character. */
function nameOf(found: string): string {
  const code = found.codePointAt(0) ?? 0;
  if (/^\p{M}{9}/u.test(found)) return `${[...found].length} accents`;
  if (code === 0x7f) return 'DEL';
  return controls[code] ?? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** A text as HTML of at most `budget` bytes, and how many of its UTF-16 units are in it. */
interface FittedText {
  readonly text: Html;
  readonly length: number;
}

/** Fits the start of a text into `budget` bytes of HTML, never half a character. */
export function fitText(text: string, budget: number): FittedText {
  let done = '';
  let remaining = budget;
  let last = 0;
  const plain = (end: number): boolean => {
    const part = text.slice(last, end);
    const { read, written } = encoder.encodeInto(
      part,
      new Uint8Array(Math.max(0, Math.min(remaining, part.length * 3))),
    );
    done += part.slice(0, read);
    remaining -= written;
    last += read;
    return read === part.length;
  };
  for (const match of text.matchAll(special)) {
    if (!plain(match.index)) return { text: { html: done }, length: last };
    const piece = inText(match[0], match.index, text);
    const size = encoder.encode(piece).length;
    if (size > remaining) return { text: { html: done }, length: last };
    done += piece;
    remaining -= size;
    last = match.index + match[0].length;
  }
  plain(text.length);
  return { text: { html: done }, length: last };
}

const encoder = new TextEncoder();

/** Returns the size of a piece in bytes. */
export function htmlBytes({ html: text }: Html): number {
  return Buffer.byteLength(text);
}

/** Average limit in bytes per character of a short text. A spelled-out character takes thirty. */
const bytesOfCharacter = 3;

/** Renders untrusted text on one line, at most `length` characters, also if each is spelled out. */
export function brief(text: string, length: number): Html {
  // No text beyond the maximum is read: white space may shrink, but not without end.
  const line = oneLine(text.slice(0, length * 4));
  const short = line.slice(0, /[\uD800-\uDBFF]/.test(line[length - 1] ?? '') ? length - 1 : length);
  const fitted = fitText(short, length * bytesOfCharacter);
  return fitted.length === line.length && text.length <= length * 4 ? fitted.text : html`${fitted.text}…`;
}
