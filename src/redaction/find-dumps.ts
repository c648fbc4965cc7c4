import type { TextRange } from './squeeze-text.ts';

/** A line of `xxd`, `hexdump -C` or `od -A x -t x1z`: an address, bytes in hexadecimal, often their characters. */
const dumpLine =
  /^[ \t]{0,8}(?:0x)?[0-9a-f]{4,16}:?[ \t]{1,4}((?:[0-9a-f]{2,8}(?:[ \t]{1,3}|(?=\n|$))){2,34})(.*)$/gim;

/** A line of `od -c`: an address, and a character a column. */
const characterLine =
  /^[0-7]{7}((?:[ \t]{1,3}(?:[^\s\\]|\\\S|[0-7]{3})(?=[ \t\n]|$)|[ \t]{4}(?=[ \t]|$)){2,32})[ \t]*$/gm;

/**
 * The columns of a dump, of bytes and of characters, each as the parts of the text it consists of: a secret in it goes on in
 * the next line of its column. None where the text has no dump.
 */
export function findDumps(text: string): TextRange[][] {
  // Looked for first, as it takes no time: each address has some.
  if (!text.includes('000')) return [];
  const bytes: TextRange[] = [];
  const characters: TextRange[] = [];
  for (const match of text.matchAll(dumpLine)) {
    const [line, column = '', rest = ''] = match;
    const start = match.index + line.length - rest.length;
    bytes.push({ start: start - column.length, end: start });
    if (rest !== '') characters.push({ start, end: start + rest.length });
  }
  const letters: TextRange[] = [];
  for (const match of text.matchAll(characterLine)) {
    const [line, column = ''] = match;
    const start = match.index + line.indexOf(column);
    letters.push({ start, end: start + column.length });
  }
  return [bytes, characters, letters].filter((column) => column.length >= 2);
}
