import type { Token, Tokens } from 'marked';
import { normaliseWords } from '../../contract/normalise-words.ts';
import { readMarkdown } from '../../contract/read-markdown.ts';
import { cutWords, oneLine } from '../text/markdown.ts';

/** Characters read of an answer, and characters and list items of a body. */
const longest = { answer: 8_000, body: 400, items: 5 } as const;
/** Git, "git-commit: Discussion": lines of a message are about this long. */
const lineLength = 72;

/** A part of an answer that a commit may quote. */
interface Part {
  readonly kind: 'prose' | 'list';
  /** One line for prose, one for each item of a list. */
  readonly lines: readonly string[];
}

/**
 * Returns why a commit was made, in a few lines of plain text: the first prose of an answer behind
 * its headline, with the list that it introduces. Headings, code, tables, HTML, addresses of links
 * and lists of files are omitted. '' if nothing says more than the headline. Pure.
 */
export function commitBody(answer: string, headline: string): string {
  const parts = (readMarkdown(answer.slice(0, longest.answer)) ?? []).flatMap(partOf);
  // A style may put a type before the words.
  const told = normaliseWords(headline);
  const news = parts.filter(({ lines }) => !told.endsWith(normaliseWords(lines.join(' '))));
  const at = news.findIndex(
    (one, index) => one.kind === 'prose' && (!introduces(one) || news[index + 1]?.kind === 'list'),
  );
  const first = news[at] ?? news.find(({ kind }) => kind === 'list');
  if (first === undefined) return '';
  const list = introduces(first) ? news.slice(at + 1, at + 2) : [];
  return [first, ...list].map(wrapped).join('\n');
}

/** True for prose about what follows. */
const introduces = ({ kind, lines }: Part): boolean => kind === 'prose' && lines[0]?.endsWith(':') === true;

function partOf(token: Token): Part[] {
  if (isParagraph(token)) {
    const line = oneLine(plain(token.tokens));
    return line === '' ? [] : [{ kind: 'prose', lines: [line] }];
  }
  if (!isList(token)) return [];
  const lines = token.items.map(({ tokens }) => oneLine(plain(tokens))).filter((line) => line !== '');
  return lines.length === 0 || lines.every(isFile) ? [] : [{ kind: 'list', lines }];
}

const isParagraph = (token: Token): token is Tokens.Paragraph => token.type === 'paragraph';
const isList = (token: Token): token is Tokens.List => token.type === 'list';

/** True for an item that begins with a path, which the commit itself shows. */
const isFile = (line: string): boolean =>
  /^`?(?:[\w.@-]+\/)*[\w@.-]*\.[a-z]\w{0,9}`?(?=$|[\s:,(])/iu.test(line);

/** Returns the words of tokens: code keeps its marks, a link keeps its text only. */
function plain(tokens: readonly Token[]): string {
  return tokens
    .map((token): string => {
      if (token.type === 'codespan') return token.raw;
      if (token.type === 'html') return token.raw.startsWith('<br') ? ' ' : '';
      if (['image', 'code', 'list', 'checkbox', 'space'].includes(token.type)) return ' ';
      if ('tokens' in token && token.tokens !== undefined) return plain(token.tokens);
      return token.type === 'escape' && 'text' in token ? String(token.text) : token.raw;
    })
    .join('');
}

function wrapped({ kind, lines }: Part): string {
  if (kind === 'prose') return wrap(cutSentences(lines.join(' ')), '');
  const items = lines.slice(0, longest.items).map((line) => `- ${wrap(cutSentences(line), '  ')}`);
  return items.join('\n');
}

/** Cuts after the last sentence that fits, else between words. */
function cutSentences(text: string): string {
  if (text.length <= longest.body) return text;
  const [sentences = ''] = /^.*[.!?](?=\s)/su.exec(text.slice(0, longest.body + 1)) ?? [];
  return sentences === '' ? cutWords(text, longest.body) : sentences;
}

/** Breaks a line between words. Further lines are indented, and count with the indent. */
function wrap(text: string, indent: string): string {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    const fits = line !== undefined && indent.length + line.length + 1 + word.length <= lineLength;
    if (fits) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines.join(`\n${indent}`);
}
