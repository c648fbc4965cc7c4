import type { Token } from 'marked';
import { readMarkdown } from '../../contract/read-markdown.ts';
import { createSilentHtml, type SilentHtml } from './silent-html.ts';

/** Token kinds whose text is quoted, code, hidden, or no mention on GitHub either. */
const silent = new Set(['blockquote', 'code', 'codespan', 'html', 'link', 'image', 'def', 'hr', 'space']);

const blocks = new Set(['paragraph', 'heading', 'list', 'list_item', 'table', 'text']);

/** GitHub Docs, "Writing mathematical expressions": the page does not show a formula as written. */
const formula = /\$\$[^$]*\$\$|\$(?![\s$])[^$\n]*(?<!\s)\$(?![\p{L}\p{N}])/gu;

/**
 * A footnote; one without a reference is not displayed (GitHub Docs, "Basic writing and formatting
 * syntax").
 */
const footnote =
  /^((?:[ \t]*(?:[>*+-]|\d{1,9}[.)])){0,20}[ \t]*)\[\^[^\]\n]{1,200}\]:[^\n]*(?:\n(?![ \t]*\n)[^\n]+)*/gm;

/**
 * Limits for text from unknown authors, which is parsed before they are authorized. Markdown of
 * GitHub's full length can take ten seconds, and deep nesting can exhaust the stack. Text beyond
 * the limits is ignored.
 */
const readLength = 8_000;
const deepMarks = /^((?:[ \t]*(?:[>*+-]|\d{1,9}[.)])){20})[^\n]*/gm;

function parse(body: string): Token[] {
  return readMarkdown(body.slice(0, readLength).replace(deepMarks, '$1').replace(footnote, '$1')) ?? [];
}

/**
 * Returns the first 8,000 characters of a comment, with NUL for everything but its author's own
 * words in paragraphs. Lines and positions stay the same. Line ends must be line feeds.
 */
export function addressedText(text: string): string {
  const hide = (all: string, kept: string) => kept + masked(all.slice(kept.length));
  const read = text.slice(0, readLength).replace(deepMarks, hide).replace(footnote, hide);
  const tokens = readMarkdown(read) ?? [];
  if (tokens.map(({ raw }) => raw).join('') !== read) return masked(read);
  const html = createSilentHtml();
  return tokens
    .map((token) => ownWords(token, html))
    .join('')
    .replace(formula, (all) => masked(all));
}

function ownWords(token: Token, html: SilentHtml): string {
  const { raw, type } = token;
  const children = type === 'paragraph' || type === 'heading' ? childTokens(token) : [];
  const inner = children.map((child) => child.raw).join('');
  if (children.length === 0 || !raw.startsWith(inner)) {
    textOf([token], html);
    return masked(raw);
  }
  const words = children.map((child) => {
    const isSilent = html.isSilent() || textOf([child], html).includes('\0');
    return isSilent ? masked(child.raw) : child.raw;
  });
  return words.join('') + masked(raw.slice(inner.length));
}

const masked = (text: string): string => text.replaceAll(/[^\n]/g, '\0');

/**
 * Returns the text that a comment's author addresses to the reader. Quotes, code, formulas, HTML,
 * footnotes, links and text beyond 8,000 characters are omitted. Blocks are separated by line
 * feeds.
 */
export function spokenText(body: string): string {
  return textOf(parse(body), createSilentHtml()).replace(formula, '\0');
}

function textOf(tokens: readonly Token[], html: SilentHtml): string {
  const texts = tokens.map((token) => {
    if (token.type === 'html') html.read(token.raw);
    // Words on both sides must not join.
    if (silent.has(token.type)) return '\0';
    const inner = childTokens(token);
    const own = html.isSilent() ? '' : token.raw;
    const text = inner.length > 0 ? textOf(inner, html) : own;
    return blocks.has(token.type) ? `${text}\n` : text;
  });
  return texts.join('');
}

/** Returns the child tokens; lists and tables store them under other names. */
function childTokens(token: Token): readonly Token[] {
  if (token.type === 'list' && 'items' in token && Array.isArray(token.items)) return token.items;
  if (token.type === 'table' && 'header' in token) {
    const cells = [...token.header, ...token.rows.flat()] as { tokens: Token[] }[];
    return cells.flatMap((cell) => cell.tokens);
  }
  return 'tokens' in token && Array.isArray(token.tokens) ? token.tokens : [];
}

/**
 * Returns true if the text mentions `@word` itself: not `@wordy`, `@word-x`, `@word/team`,
 * `@word.com` or `mail@word`. Case does not count, as on GitHub.
 */
export function mentions(spoken: string, word: string): boolean {
  return mentionPattern(word).test(spoken);
}

/**
 * Returns the text after a leading mention and its comma or colon; null without one. `sameLine` is
 * false if the mention ends its line, since the text below may be code.
 */
export function afterLeadingMention(
  body: string,
  word: string,
): { readonly words: string; readonly sameLine: boolean } | null {
  const text = body.trim();
  const match = mentionPattern(word).exec(text);
  if (match?.index !== 0 || mentionPattern(word).exec(spokenText(body).trim())?.index !== 0) return null;
  const rest = text.slice(match[0].length);
  return { words: rest.replace(/^[\s,:]+/, ''), sameLine: !/^[^\S\n]*(?:[,:]+[^\S\n]*)?\n/.test(rest) };
}

/** The end of a mentioned word, as a regular expression. */
const afterMentionedWord = '(?![\\p{L}\\p{N}\\p{M}_/@-]|\\.[\\p{L}\\p{N}])';

function mentionPattern(word: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}_.+/@\\\\-])@${escaped(word)}${afterMentionedWord}`, 'iu');
}

/** A line that begins with a command or a mention, and the text above it. */
export interface AddressedLine {
  /** Position of the line in the text. */
  readonly start: number;
  /**
   * The text after our name and everything below; begins with a line feed if the line ends there.
   */
  readonly words: string;
  readonly above: string;
}

/**
 * Returns the lines that begin with a sign and one of these words, in order. Only the author's own
 * words in paragraphs count. Expects line feeds as line ends.
 */
export function addressedLines(text: string, sign: '/' | '@', names: readonly string[]): AddressedLine[] {
  const name = names.map(escaped).join('|');
  const end = sign === '/' ? '(?=\\s|$)' : afterMentionedWord;
  const pattern = new RegExp(`^ {0,3}${sign}(?:${name})${end}`, 'gimu');
  return [...addressedText(text).matchAll(pattern)].map(({ index, 0: found }) => ({
    start: index,
    words: text.slice(index + found.length),
    above: text.slice(0, index).trim(),
  }));
}

/**
 * Returns the first line that begins with `/word`; null for none. Its words are empty if the line
 * ends there, since the text below may be a quote or code.
 */
export function slashCommand(body: string, word: string): AddressedLine | null {
  const [first] = addressedLines(withLineFeeds(body), '/', [word]);
  if (first === undefined) return null;
  const { words } = first;
  return { ...first, words: /^[^\S\n]*\n/.test(words) ? '' : words.trim() };
}

/** Returns a comment with line feeds as line ends. */
export const withLineFeeds = (body: string): string => body.replaceAll(/\r\n?/g, '\n');

/** Returns a word as part of a regular expression with the flag `u`. */
export function escaped(word: string): string {
  return word.replace(/[^A-Za-z0-9]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
