import type { Question } from '../../contract/run-results.ts';

/** Maximum characters of an answer. */
const readLength = 8_000;

/**
 * Returns the text below a quote of the waiting question, as *Quote reply* creates it. Null if it
 * quotes something else or addresses a person: people may discuss a question first.
 */
export function quotedAnswer(body: string, question: Question): string | null {
  const { quote, answer } = readQuote(body) ?? { quote: '', answer: '' };
  if (answer === '' || answer.startsWith('>') || /(?<![\w`])@[A-Za-z0-9]/.test(answer)) return null;
  return isAbout(quote, question) ? answer : null;
}

/** Returns true if a comment begins with a quote of this question. */
export function quotesQuestion(body: string, question: Question): boolean {
  const read = readQuote(body);
  return read !== null && isAbout(read.quote, question);
}

/**
 * Splits a comment into its leading quote and the text below; null without a quote. The quote ends
 * at the first empty line (CommonMark, "Block quotes", laziness).
 */
function readQuote(body: string): { readonly quote: string; readonly answer: string } | null {
  const text = body.replaceAll('\r\n', '\n').trimStart();
  if (!text.startsWith('>') || text.length > readLength) return null;
  // Deeper quotes are not of our question.
  if (/^[ \t]*(?:>[ \t]*){4}/m.test(text)) return null;
  const end = /\n[ \t]*(?:\n|$)/.exec(text)?.index ?? text.length;
  return { quote: text.slice(0, end), answer: text.slice(end).trim() };
}

function isAbout(quote: string, question: Question): boolean {
  const ours = questionLines(question);
  const lines = quote.split('\n').map(plain);
  return lines.some((line) => line.length >= 4 && ours.has(line));
}

/** Returns the lines of the question and its options, without marks and case. */
function questionLines(question: Question): ReadonlySet<string> {
  const all = [question, ...question.questions];
  return new Set(
    all.flatMap((single) => single.question.split('\n').map(plain)).filter((line) => line !== ''),
  );
}

function plain(line: string): string {
  return line
    .replaceAll(/[>*_`]/g, '')
    .replace(/^\s*\d+\.\s+/, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}
