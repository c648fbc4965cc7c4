import { stripInvisible } from '../../permissions/text/invisible.ts';

/** What a server said, without the sequences that colour terminals and without what cannot be seen. */
export function plainText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: an escape is one
  return stripInvisible(text.replaceAll(/\u001b\[[\d;]*[A-Za-z]/g, '')).text.replaceAll('\r\n', '\n');
}

/** The same as one line of at most `most` characters. */
export function oneLine(text: string, most: number): string {
  const line = plainText(text.slice(0, most * 4))
    .replaceAll(/\s+/g, ' ')
    .trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}
