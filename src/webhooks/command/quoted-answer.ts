import { lexer, type Token } from 'marked';
import type { Question } from '../../contract/question.ts';

/** Anyone may comment, and the parser is slow on what is long. */
const readLength = 8_000;

/**
 * What a comment says below a quote of the question that waits, as GitHub's *Quote reply* makes one; null where it
 * quotes something else, or turns to somebody by name: people may talk about a question before they answer it.
 */
export function quotedAnswer(body: string, question: Question): string | null {
  const { quote, answer } = readQuote(body) ?? { quote: '', answer: '' };
  if (answer === '' || answer.startsWith('>') || /(?<![\w`])@[A-Za-z0-9]/.test(answer)) return null;
  return isAbout(quote, question) ? answer : null;
}

/** Whether a comment begins with a quote of this question, whatever it says below. */
export function quotesQuestion(body: string, question: Question): boolean {
  const read = readQuote(body);
  return read !== null && isAbout(read.quote, question);
}

/** The quote that a comment begins with, and what stands below it; null without one. */
function readQuote(body: string): { readonly quote: string; readonly answer: string } | null {
  const text = body.replaceAll('\r\n', '\n').trimStart();
  if (!text.startsWith('>') || text.length > readLength) return null;
  // Deep nesting would take the parser's stack.
  if (/^[ \t]*(?:>[ \t]*){4}/m.test(text)) return null;
  const [quote, ...rest]: Token[] = lexer(text, { gfm: true });
  if (quote?.type !== 'blockquote') return null;
  const answer = rest.map(({ raw }) => raw).join('');
  return { quote: quote.raw, answer: answer.trim() };
}

function isAbout(quote: string, question: Question): boolean {
  const known = knownWords(question);
  const lines = quote.split('\n').map(plain);
  return lines.some((line) => line.length >= 4 && known.has(line));
}

/** The lines of the question and its options, without marks and case. */
function knownWords(question: Question): ReadonlySet<string> {
  const all = [question, ...question.questions];
  return new Set(all.flatMap((asked) => asked.question.split('\n').map(plain)).filter((line) => line !== ''));
}

function plain(line: string): string {
  return line
    .replaceAll(/[>*_`]/g, '')
    .replace(/^\s*\d+\.\s+/, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}
