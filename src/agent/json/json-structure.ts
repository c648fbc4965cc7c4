import { deepestJson } from '../../contract/json.ts';

/** Words that stand for themselves in the JSON that models write, JavaScript's and Python's among them. */
const constants = /^(?:true|false|null|True|False|None|undefined|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

const closers: Readonly<Record<string, string>> = { '{': '}', '[': ']' };

/** What of a text is looked at next: a string with its quotes, a comment, white space, one sign, or a bare word. */
const token =
  /"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|\/\/[^\n]*|\/\*[\s\S]*?\*\/|\s+|[{}[\],:]|[^\s{}[\],:"']+|["']/g;

/**
 * Why a text that is nearly JSON has more than one reading, in words, or null when its structure is certain: every
 * bracket and string closes, a string ends where a value or a key can end, nothing but constants stands bare as a
 * value. What was cut off, or holds a quote that was not escaped, would be repaired into half of a command.
 */
export function structureProblem(text: string): string | null {
  const open: string[] = [];
  let before = '';
  for (const [piece] of text.matchAll(token)) {
    if (/^\s|^\/[/*]/.test(piece)) continue;
    const kind = kindOf(piece);
    if (kind === 'quote') return 'a string in them does not end';
    if ((kind === 'string' || kind === 'bare') && (before === 'string' || before === 'bare')) {
      return 'a quote inside a string is not escaped, or a comma is missing';
    }
    if (kind === 'bare' && !(open.at(-1) === '}' && before !== ':') && !constants.test(piece)) {
      return `the value ${piece.slice(0, 40)} has no quotes`;
    }
    if (kind === 'open') open.push(closers[piece] ?? '');
    if (open.length > deepestJson) return `they are nested more than ${deepestJson} levels deep`;
    // One bracket too many behind the object changes nothing of what it says.
    if (kind === 'close' && before === 'end') continue;
    if (kind === 'close' && open.pop() !== piece) return 'their brackets do not match';
    if (kind === 'close' && open.length === 0) before = 'end';
    else if (before === 'end') return 'something follows the object';
    else before = kind === 'sign' ? piece : kind;
  }
  return open.length > 0 ? 'they end in the middle' : null;
}

function kindOf(piece: string): 'open' | 'close' | 'sign' | 'string' | 'quote' | 'bare' {
  if (piece === '{' || piece === '[') return 'open';
  if (piece === '}' || piece === ']') return 'close';
  if (piece === ',' || piece === ':') return 'sign';
  if (piece === '"' || piece === "'") return 'quote';
  return piece.startsWith('"') || piece.startsWith("'") ? 'string' : 'bare';
}
