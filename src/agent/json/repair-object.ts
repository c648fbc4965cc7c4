import { jsonrepair } from 'jsonrepair';
import { type JsonObject, parseJson } from '../../contract/json.ts';
import { structureProblem } from './json-structure.ts';

/** The object a text means, or in words why there is no single reading of it. */
export type RepairedObject = { readonly object: JsonObject } | { readonly problem: string };

/**
 * Reads the JSON object a model wrote, with the mistakes repaired that leave one reading: raw line breaks and lone
 * backslashes in strings, single quotes, bare keys, trailing commas, comments, Python's constants, a code fence
 * around all of it. Anything else is told and not guessed: half of a command must never run.
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

/** The object a text means that is JSON but for what models forget to escape in strings. Undefined where more is wrong. */
export function parseUnescapedObject(text: string): JsonObject | undefined {
  return objectOf(text) ?? objectOf(withEscapes(text));
}

/**
 * What models forget to escape in strings: raw line breaks and tabs, and backslashes of code, which a repair would
 * drop and so turn the pattern `\d` into `d`.
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
