import { longestSecret } from '../../redaction/longest-secret.ts';
import { stripInvisible } from '../../untrusted-text/invisible.ts';
import { plainText } from './plain-text.ts';

/** What somebody elsewhere wrote: without orders to a terminal and without what a reader would not see, its lines ended by `\n`. */
export const visibleText = (text: string): string =>
  stripInvisible(plainText(text)).text.replaceAll('\r\n', '\n');

/**
 * Its beginning, of at most `most` characters. `hide` takes out secrets before that is cut, as half of one is none that could be found. Of a
 * text of any length no more is read than a secret takes that begins within `most`.
 */
export function visibleStart(text: string, most: number, hide: (text: string) => string): string {
  const room = most + longestSecret;
  const hidden = hide(visibleText(text.slice(0, room)));
  // What was taken out brings the end nearer, where half a secret may stand.
  return hidden.slice(
    0,
    text.length > room ? Math.min(most, Math.max(0, hidden.length - longestSecret)) : most,
  );
}

/** The same as one line of at most `most` characters; '' for what is no text. `hide` takes out secrets before anything is cut. */
export function oneLine(value: unknown, most: number, hide?: (text: string) => string): string {
  if (typeof value !== 'string') return '';
  const visible =
    hide === undefined ? visibleText(value.slice(0, most * 4)) : visibleStart(value, most * 4, hide);
  const line = visible.replaceAll(/\s+/g, ' ').trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}
