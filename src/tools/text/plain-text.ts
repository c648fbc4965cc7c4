import { stripVTControlCharacters } from 'node:util';

/** Characters that end a line or indent, which text is made of. */
const layout = new Set(['\t', '\n', '\r']);

/** An order that has a text, such as a title or a link (ECMA-48, 8.3.89, OSC), with its end. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const orderWithText = /\u001b\][^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)/g;

/**
 * Without orders to a terminal, in time that grows with the text alone: Node looks for the end of each order with a text in all that
 * follows, so that a few hundred thousand without one would take minutes. Those are shown as what they are.
 */
function withoutOrders(text: string): string {
  if (!text.includes('\u001b]')) return stripVTControlCharacters(text);
  return stripVTControlCharacters(text.replaceAll(orderWithText, '').replaceAll('\u001b]', '␛]'));
}

/**
 * What a program said as text: without colours and other orders to a terminal (ECMA-48), which some terminals also take from the control
 * characters U+0080 to U+009F, and with a picture of each other control character (`␀`), which would not reach a model as what it is.
 */
export function plainText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  return withoutOrders(text).replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, (character) => {
    if (layout.has(character)) return character;
    if (character > '\u007f') return '';
    return character === '\u007f' ? '␡' : String.fromCharCode(0x2400 + character.charCodeAt(0));
  });
}

/**
 * What stands on a terminal after a program wrote to it, line by line: of a line that was written over and
 * over, as progress is, the last state; what was deleted by backspaces is gone.
 */
export function terminalText(text: string): string {
  const lines = withoutOrders(text)
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
  const kept: string[] = [];
  for (const character of line) {
    if (character === '\b') kept.pop();
    else kept.push(character);
  }
  return kept.join('');
}

/** True where so much of a text is no text that nobody can read it. */
export function looksBinary(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  const odd = text.match(/[\u0000-\u0008\u000e-\u001a\u001c-\u001f\ufffd]/g)?.length ?? 0;
  // Where there is no NUL, bytes of an older encoding may stand among much that can be read.
  return odd > text.length * (text.includes('\0') ? 0.1 : 0.4);
}
