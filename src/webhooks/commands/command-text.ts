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
 * Returns the paragraphs and headings of a comment with their positions; none if the text cannot be
 * followed, as where it is too long. Lists, quotes and code are left out.
 */
export function paragraphsOf(text: string): { readonly text: string; readonly start: number }[] {
  const tokens = parse(text);
  if (tokens.map(({ raw }) => raw).join('') !== text) return [];
  let end = 0;
  return tokens.flatMap(({ type, raw }) => {
    const start = end;
    end += raw.length;
    return type === 'paragraph' || type === 'heading' ? [{ text: raw, start }] : [];
  });
}

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

function mentionPattern(word: string): RegExp {
  return new RegExp(
    `(?<![\\p{L}\\p{N}_.+/@\\\\-])@${escaped(word)}(?![\\p{L}\\p{N}\\p{M}_/@-]|\\.[\\p{L}\\p{N}])`,
    'iu',
  );
}

/**
 * Returns the text after `/word` as the first word of a comment; null elsewhere. The comment must
 * begin with a paragraph, not a quote, a fence or an indented block. Empty if the line ends there,
 * since the text below may be a quote or code.
 */
export function slashCommand(body: string, word: string): string | null {
  const match = new RegExp(`^/${escaped(word)}(?=\\s|$)`, 'iu').exec(body.trimStart());
  if (match === null) return null;
  const first = parse(body).find((token) => token.type !== 'space');
  if (first?.type !== 'paragraph' && first?.type !== 'heading') return null;
  const rest = body.trimStart().slice(match[0].length);
  return /^[^\S\n]*\n/.test(rest) ? '' : rest.trim();
}

/** Returns a word as part of a regular expression with the flag `u`. */
export function escaped(word: string): string {
  return word.replace(/[^A-Za-z0-9]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
