import type { Token } from 'marked';
import { readMarkdown } from '../../contract/read-markdown.ts';
import { createSilentHtml } from './silent-html.ts';

/** Block and inline kinds whose text is someone else's, code, hidden, or no mention on GitHub either. */
const silent = new Set(['blockquote', 'code', 'codespan', 'html', 'link', 'image', 'def', 'hr', 'space']);

const blocks = new Set(['paragraph', 'heading', 'list', 'list_item', 'table', 'text']);

/** GitHub Docs, "Writing mathematical expressions": what a formula shows is for its own commands to say. */
const formula = /\$\$[^$]*\$\$|\$(?![\s$])[^$\n]*(?<!\s)\$(?![\p{L}\p{N}])/gu;

/** A footnote (GitHub Docs, "Basic writing and formatting syntax", Footnotes): one that nothing refers to does not show. */
const footnote =
  /^((?:[ \t]*(?:[>*+-]|\d{1,9}[.)])){0,20}[ \t]*)\[\^[^\]\n]{1,200}\]:[^\n]*(?:\n(?![ \t]*\n)[^\n]+)*/gm;

/**
 * Anyone may comment, and what they wrote is read before anybody asks who they are, so this costs next to
 * nothing whatever it is: Markdown of GitHub's full length can take the parser ten seconds, and deep nesting its
 * stack. Of a text that takes too much work nothing is read.
 */
const readLength = 8_000;
const deepMarks = /^((?:[ \t]*(?:[>*+-]|\d{1,9}[.)])){20})[^\n]*/gm;

function parse(body: string): Token[] {
  return readMarkdown(body.slice(0, readLength).replace(deepMarks, '$1').replace(footnote, '$1')) ?? [];
}

/**
 * The words of a GitHub Markdown comment that its author addresses to the reader: quotes, code spans,
 * fences, formulas, HTML (comments and folded parts included), footnotes and links are left out, as is what stands beyond the
 * first 8,000 characters.
 * Blocks are separated by line feeds.
 */
export function spokenText(body: string): string {
  const pieces: string[] = [];
  const html = createSilentHtml();
  const walk = (tokens: readonly Token[]): void => {
    for (const token of tokens) {
      if (token.type === 'html') html.read(token.raw);
      if (silent.has(token.type)) {
        // A word must not grow together across what was left out.
        pieces.push('\0');
        continue;
      }
      const inner = childTokens(token);
      if (inner.length > 0) walk(inner);
      else if (!html.isSilent()) pieces.push(token.raw);
      if (blocks.has(token.type)) pieces.push('\n');
    }
  };
  walk(parse(body));
  return pieces.join('').replace(formula, '\0');
}

/** The tokens inside one; those of a list and a table are kept under other names. */
function childTokens(token: Token): readonly Token[] {
  if (token.type === 'list' && 'items' in token && Array.isArray(token.items)) return token.items;
  if (token.type === 'table' && 'header' in token) {
    const cells = [...token.header, ...token.rows.flat()] as { tokens: Token[] }[];
    return cells.flatMap((cell) => cell.tokens);
  }
  return 'tokens' in token && Array.isArray(token.tokens) ? token.tokens : [];
}

/**
 * Whether the text mentions `@word` by itself: not `@wordy`, `@word-x`, `@word/team`, `@word.com` or
 * `mail@word`. Logins are compared without case, as GitHub does.
 */
export function mentions(spoken: string, word: string): boolean {
  return mentionPattern(word).test(spoken);
}

/**
 * What follows a mention at the very start of a comment, without the comma or colon behind it: whole, or null where it
 * begins with something else. `sameLine` is false where only a line feed follows: what comes then may be code.
 */
export function afterLeadingMention(
  body: string,
  word: string,
): { readonly words: string; readonly sameLine: boolean } | null {
  const text = body.trim();
  const match = mentionPattern(word).exec(text);
  if (match?.index !== 0 || mentionPattern(word).exec(spokenText(body).trim())?.index !== 0) return null;
  const behind = text.slice(match[0].length);
  return { words: behind.replace(/^[\s,:]+/, ''), sameLine: !/^[^\S\n]*(?:[,:]+[^\S\n]*)?\n/.test(behind) };
}

function mentionPattern(word: string): RegExp {
  return new RegExp(
    `(?<![\\p{L}\\p{N}_.+/@\\\\-])@${escaped(word)}(?![\\p{L}\\p{N}\\p{M}_/@-]|\\.[\\p{L}\\p{N}])`,
    'iu',
  );
}

/**
 * The words after `/word` where it is the first word of the comment, null elsewhere. The comment has to begin with
 * a paragraph, so that a quote, a fence or an indented block is no command. '' where none stands on the same line: what
 * comes below may be a quote or code.
 */
export function slashCommand(body: string, word: string): string | null {
  const match = new RegExp(`^/${escaped(word)}(?=\\s|$)`, 'iu').exec(body.trimStart());
  if (match === null) return null;
  const first = parse(body).find((token) => token.type !== 'space');
  if (first?.type !== 'paragraph' && first?.type !== 'heading') return null;
  const behind = body.trimStart().slice(match[0].length);
  return /^[^\S\n]*\n/.test(behind) ? '' : behind.trim();
}

function escaped(word: string): string {
  return word.replace(/[^A-Za-z0-9]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
