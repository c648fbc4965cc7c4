import type { TextRange } from './squeeze-text.ts';

/** A line of `xxd`, `hexdump -C` or `od -A x -t x1z`: an address, bytes in hexadecimal, often their characters. */
const dumpLine =
  /^[ \t]{0,8}(?:0x)?[0-9a-f]{4,16}:?[ \t]{1,4}((?:[0-9a-f]{2,8}(?:[ \t]{1,3}|(?=\n|$))){2,34})(.*)$/gim;

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
  return [bytes, characters].filter((column) => column.length >= 2);
}
