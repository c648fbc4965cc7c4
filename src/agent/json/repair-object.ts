import { jsonrepair } from 'jsonrepair';
import { deepestJson, type JsonObject, parseJson } from '../../contract/json.ts';

/** The parsed object, or the reason why the text has no single reading. */
export type RepairedObject = { readonly object: JsonObject } | { readonly problem: string };

/**
 * Parses the JSON object that a model wrote, and repairs mistakes with a single reading. These are
 * raw line breaks and lone backslashes in strings, single quotes, bare keys, trailing commas,
 * comments, Python's constants, and a surrounding code fence. Anything else is an error and not
 * guessed: half of a command must never run.
 */
export function repairObject(text: string): RepairedObject {
  const bare = text.trim().replace(/^```\w*\s*\n([\s\S]*?)\n?```$/, '$1');
  const plain = parseUnescapedObject(bare);
  if (plain !== undefined) return { object: plain };
  const problem = structureProblem(bare);
  if (problem !== null) return { problem };
  try {
    const repaired = objectOf(jsonrepair(withEscapes(bare)));
    return repaired === undefined ? { problem: 'they are no object' } : { object: repaired };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * The object of a text that is JSON except for unescaped characters in strings. Undefined if more
 * is wrong.
 */
export function parseUnescapedObject(text: string): JsonObject | undefined {
  return objectOf(text) ?? objectOf(withEscapes(text));
}

/**
 * Escapes what models forget to escape in strings: raw line breaks and tabs, and backslashes of
 * code. A repair would drop them and turn the pattern `\d` into `d`.
 */
function withEscapes(text: string): string {
  return text.replace(/"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'/g, (string) =>
    string
      .replace(/\\(?:["'\\/bfnrt]|u[\da-fA-F]{4})|\\/g, (escaped) => (escaped === '\\' ? '\\\\' : escaped))
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what has to be escaped (RFC 8259, 7).
      .replace(/[\u0000-\u001f]/g, (control) => JSON.stringify(control).slice(1, -1)),
  );
}

function objectOf(text: string): JsonObject | undefined {
  const value = parseJson(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined;
}

/** Literals without quotes in the JSON that models write, with those of JavaScript and Python. */
const constants = /^(?:true|false|null|True|False|None|undefined|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

const closers: Readonly<Record<string, string>> = { '{': '}', '[': ']' };

/**
 * The next token of a text: a string with its quotes, a comment, white space, one sign, or a bare
 * word.
 */
const token =
  /"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|\/\/[^\n]*|\/\*[\s\S]*?\*\/|\s+|[{}[\],:]|[^\s{}[\],:"']+|["']/g;

/**
 * Returns the reason why a text that is nearly JSON has several readings; null if its structure is
 * certain. Then every bracket and string closes, a string ends where a value or a key can end, and
 * only constants have no quotes. A cut text, or an unescaped quote, would otherwise be repaired
 * into half of a command.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a scanner reads best as one loop.
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
    // An additional bracket after the object does not change its meaning.
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
