import { stripVTControlCharacters } from 'node:util';

/** Control characters that belong to text. */
const layout = new Set(['\t', '\n', '\r']);

/** A terminal sequence with a text, such as a title or a link (ECMA-48, 8.3.89, OSC). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const sequenceWithText = /\u001b\][^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)/g;

/**
 * Removes terminal sequences in linear time. Node searches for the end of each OSC sequence in all
 * that follows, so many unfinished ones would take minutes; they are displayed literally.
 */
function withoutSequences(text: string): string {
  if (!text.includes('\u001b]')) return stripVTControlCharacters(text);
  return stripVTControlCharacters(text.replaceAll(sequenceWithText, '').replaceAll('\u001b]', '␛]'));
}

/**
 * Converts program output to text. Removes colours and other terminal sequences (ECMA-48), also
 * those of the control characters U+0080 to U+009F. Other control characters become visible symbols
 * (`␀`).
 */
export function plainText(text: string): string {
  return withoutSequences(text).replaceAll(/\p{Cc}/gu, (character) => {
    if (layout.has(character)) return character;
    if (character > '\u007f') return '';
    return character === '\u007f' ? '␡' : String.fromCharCode(0x2400 + character.charCodeAt(0));
  });
}

/**
 * Returns the text that a terminal displays, line by line: the last state of an overwritten line,
 * such as progress, without backspaced characters.
 */
export function terminalText(text: string): string {
  const lines = withoutSequences(text)
    .replaceAll('\u0007', '')
    .replaceAll(/\r+\n/g, '\n')
    .split('\n')
    .map((line) => backspaced(lastState(line)));
  return plainText(lines.join('\n'));
}

function lastState(line: string): string {
  return line.includes('\r') ? (line.split('\r').findLast((state) => state.trim() !== '') ?? '') : line;
}

function backspaced(line: string): string {
  if (!line.includes('\b')) return line;
  const characters: string[] = [];
  for (const character of line) {
    if (character === '\b') characters.pop();
    else characters.push(character);
  }
  return characters.join('');
}

/** True if a text is mostly unreadable. */
export function looksBinary(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  const odd = text.match(/[\u0000-\u0008\u000e-\u001a\u001c-\u001f\ufffd]/g)?.length ?? 0;
  // Without a NUL, an older encoding may be mixed with readable text.
  return odd > text.length * (text.includes('\0') ? 0.1 : 0.4);
}
