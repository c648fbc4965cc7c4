import { stripInvisible } from '../../permissions/text/invisible.ts';
import { plainText } from '../shell/plain-text.ts';

/** What somebody elsewhere wrote: without orders to a terminal and without what a reader would not see, its lines ended by `\n`. */
export const visibleText = (text: string): string =>
  stripInvisible(plainText(text)).text.replaceAll('\r\n', '\n');

/**
 * The same as one line of at most `most` characters; '' for what is no text. `hide` takes out secrets before anything is cut: half of
 * one is none that could be found.
 */
export function oneLine(value: unknown, most: number, hide?: (text: string) => string): string {
  if (typeof value !== 'string') return '';
  const visible = hide === undefined ? visibleText(value.slice(0, most * 4)) : hide(visibleText(value));
  const line = visible.replaceAll(/\s+/g, ' ').trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}
