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
      // Only those of RFC 8259, 7 have an escape; the others stay.
      .replace(/\p{Cc}/gu, (control) => JSON.stringify(control).slice(1, -1)),
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

const closers: ReadonlyMap<string, string> = new Map([
  ['{', '}'],
  ['[', ']'],
]);
const isCloser = (piece: string): boolean => piece === '}' || piece === ']';

/** A string with its quotes, a comment, one sign, or a bare word. White space matches nothing. */
const token =
  /"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|\/\/[^\n]*|\/\*[\s\S]*?\*\/|[{}[\],:]|[^\s{}[\],:"']+|["']/g;

/**
 * Returns the reason why a text that is nearly JSON has several readings; null if its structure is
 * certain. Then every bracket and string closes, a string ends where a value or a key can end, and
 * only constants have no quotes. A cut text, or an unescaped quote, would otherwise be repaired
 * into half of a command.
 */
export function structureProblem(text: string): string | null {
  const open: string[] = [];
  let before = '';
  for (const [piece] of text.matchAll(token)) {
    if (/^\/[/*]/.test(piece)) continue;
    const problem = valueProblem(piece, before, open.at(-1)) ?? bracketProblem(piece, before, open);
    if (problem !== null) return problem;
    const closer = closers.get(piece);
    if (closer !== undefined) open.push(closer);
    if (isCloser(piece)) open.pop();
    before = piece;
  }
  return open.length > 0 ? 'they end in the middle' : null;
}

/** Returns what is wrong with a string or a bare word inside the bracket that `closer` closes. */
function valueProblem(piece: string, before: string, closer: string | undefined): string | null {
  if (piece === '"' || piece === "'") return 'a string in them does not end';
  if (!isValue(piece)) return null;
  if (isValue(before)) return 'a quote inside a string is not escaped, or a comma is missing';
  const isKey = closer === '}' && before !== ':';
  if (isKey || /^["']/.test(piece) || constants.test(piece)) return null;
  return `the value ${piece.slice(0, 40)} has no quotes`;
}

function isValue(piece: string): boolean {
  return !/^[{}[\],:]?$/.test(piece);
}

/** Returns what is wrong with the brackets once a piece follows. `open`: the closers to come. */
function bracketProblem(piece: string, before: string, open: readonly string[]): string | null {
  const ended = isCloser(before) && open.length === 0;
  if (closers.has(piece) && open.length >= deepestJson)
    return `they are nested more than ${deepestJson} levels deep`;
  // An additional bracket after the object does not change its meaning.
  if (!isCloser(piece)) return ended ? 'something follows the object' : null;
  return ended || open.at(-1) === piece ? null : 'their brackets do not match';
}
