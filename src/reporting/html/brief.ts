import { oneLine } from '../text/markdown.ts';
import { fitText, type Html, html } from './html.ts';

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
