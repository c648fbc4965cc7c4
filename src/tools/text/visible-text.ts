import { longestSecret } from '../../redaction/secret-forms.ts';
import { stripInvisible } from '../../untrusted-text/invisible.ts';
import { plainText } from './plain-text.ts';

/** Removes terminal sequences and invisible characters from foreign text; lines end with `\n`. */
export const visibleText = (text: string): string =>
  stripInvisible(plainText(text)).text.replaceAll('\r\n', '\n');

/**
 * Returns the beginning of a text, at most `most` characters. `hide` removes secrets before the
 * cut, as half a secret cannot be found. Reads no more of a long text than a secret needs that
 * begins within `most`.
 */
export function visibleStart(text: string, most: number, hide: (text: string) => string): string {
  const budget = most + longestSecret;
  const hidden = hide(visibleText(text.slice(0, budget)));
  // Removed text moves the end nearer, which may hold half a secret.
  return hidden.slice(
    0,
    text.length > budget ? Math.min(most, Math.max(0, hidden.length - longestSecret)) : most,
  );
}

/**
 * Returns the same as one line of at most `most` characters; empty for non-text. `hide` removes
 * secrets before anything is cut.
 */
export function visibleLine(value: unknown, most: number, hide?: (text: string) => string): string {
  if (typeof value !== 'string') return '';
  const visible =
    hide === undefined ? visibleText(value.slice(0, most * 4)) : visibleStart(value, most * 4, hide);
  const line = visible.replaceAll(/\s+/g, ' ').trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}
