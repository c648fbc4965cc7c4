import type { JsonObject } from '../../contract/json.ts';
import { parseUnescapedObject, repairObject } from '../json/repair-object.ts';

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

/** How many of the lines behind one belong to the object it opens; none where that cannot be read. */
export function countObjectLines(
  line: string,
  lines: readonly string[],
  from: number,
  looks: { most: number },
): number {
  if (looks.most <= 0 || endOfObject(line, line.indexOf('{')) >= 0) return 0;
  const text = [line, ...lines.slice(from)].join('\n');
  const end = endOfObject(text, text.indexOf('{'));
  const object = text.slice(0, Math.max(end, 0)).trim();
  if (parseUnescapedObject(object) !== undefined) return text.slice(0, end).split('\n').length - 1;
  looks.most -= 1;
  return 0;
}

/** The object a text means, repaired where that leaves one reading; undefined otherwise. */
export function parseLooseObject(text: string): JsonObject | undefined {
  const repaired = repairObject(text);
  return 'object' in repaired ? repaired.object : undefined;
}
