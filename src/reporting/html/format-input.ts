import type { Json } from '../../contract/json.ts';

/** The arguments of a call for a reader: one a line, texts of several lines as they are, indented. */
export function formatInput(input: Json): string {
  if (typeof input === 'string') return input;
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return JSON.stringify(input, null, 2);
  return Object.entries(input)
    .map(([name, value]) => `${name}: ${formatValue(value)}`)
    .join('\n');
}

function formatValue(value: Json): string {
  if (typeof value !== 'string') {
    const short = JSON.stringify(value);
    return short.length <= 80 ? short : JSON.stringify(value, null, 2);
  }
  return value.includes('\n') ? `\n${value.replace(/^(?=.)/gm, '    ')}` : value;
}
