import type { Question } from '../../contract/run-results.ts';

/** Longer than any answer. */
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

/**
 * The quote that a comment begins with, and what stands below it; null without one. The quote goes on to the first empty
 * line, as text right below it belongs to it (CommonMark, "Block quotes", laziness).
 */
function readQuote(body: string): { readonly quote: string; readonly answer: string } | null {
  const text = body.replaceAll('\r\n', '\n').trimStart();
  if (!text.startsWith('>') || text.length > readLength) return null;
  // Nobody quotes a question so deep.
  if (/^[ \t]*(?:>[ \t]*){4}/m.test(text)) return null;
  const end = /\n[ \t]*(?:\n|$)/.exec(text)?.index ?? text.length;
  return { quote: text.slice(0, end), answer: text.slice(end).trim() };
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
