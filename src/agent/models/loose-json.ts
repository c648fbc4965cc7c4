import { jsonrepair } from 'jsonrepair';
import { type JsonObject, parseJson } from '../../contract/json.ts';

/** The index behind the object that opens at `start`, or -1 when it never closes. */
export function endOfObject(text: string, start: number): number {
  let depth = 0;
  let inString = false;
  for (let index = start; index < text.length; index += 1) {
    const character = text[index];
    if (inString && character === '\\') index += 1;
    else if (character === '"') inString = !inString;
    else if (!inString && character === '{') depth += 1;
    else if (!inString && character === '}') {
      depth -= 1;
      if (depth === 0) return index + 1;
    }
  }
  return -1;
}

/**
 * The object a text means that is JSON but for what models forget to escape in strings: raw line breaks and
 * tabs, and backslashes of code. There is one reading of it. Undefined where more is wrong.
 */
export function parseUnescapedObject(text: string): JsonObject | undefined {
  const json = text.replace(/"(?:[^"\\]|\\[\s\S])*"/g, (string) =>
    string
      .replace(/\\(?:["\\/bfnrt]|u[\da-fA-F]{4})|\\/g, (escaped) => (escaped === '\\' ? '\\\\' : escaped))
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what has to be escaped (RFC 8259, 7).
      .replace(/[\u0000-\u001f]/g, (control) => JSON.stringify(control).slice(1, -1)),
  );
  return object(parseJson(text)) ?? object(parseJson(json));
}

/** How many of the lines behind one belong to the object it opens; none where that cannot be read. */
export function countObjectLines(line: string, following: readonly string[]): number {
  if (endOfObject(line, line.indexOf('{')) >= 0) return 0;
  const text = [line, ...following].join('\n');
  const end = endOfObject(text, text.indexOf('{'));
  const object = text.slice(0, Math.max(end, 0)).trim();
  return parseUnescapedObject(object) === undefined ? 0 : text.slice(0, end).split('\n').length - 1;
}

/** As `parseUnescapedObject`, and with trailing commas, other quotes and the like repaired. */
export function parseLooseObject(text: string): JsonObject | undefined {
  const parsed = parseUnescapedObject(text);
  // What was cut off mid-way has more than one completion, and repairing it would act on half of it.
  const quotes = text.match(/\\[\s\S]|"/g)?.filter((found) => found === '"').length ?? 0;
  if (parsed !== undefined || !text.endsWith('}') || quotes % 2 === 1) return parsed;
  try {
    return object(parseJson(jsonrepair(text)));
  } catch {
    return undefined;
  }
}

function object(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined;
}
