import type { Question } from '../../contract/run-results.ts';
import { chosenOption } from './chosen-option.ts';
import { quotedAnswer } from './quoted-answer.ts';

/** A comment that addresses a person. */
const addressesSomebody = /(?<![\w`])@[A-Za-z0-9]/;

/** A sentence that ends in a question mark. */
const asks = /\?(?=\s|$)/;

/**
 * Returns the answer in a comment that does not name us; null for any other comment. It names an
 * option, or quotes the question. In the question's review thread, it may say anything except to
 * address a person or ask something.
 */
export function unaddressedAnswer(body: string, question: Question, isInThread: boolean): string | null {
  const text = body.trim();
  if (chosenOption(text, question) !== null) return text;
  const quoted = quotedAnswer(body, question);
  if (quoted !== null || !isInThread) return quoted;
  const talks = text === '' || text.startsWith('>') || addressesSomebody.test(text) || asks.test(text);
  return talks ? null : text;
}
