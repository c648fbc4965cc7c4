import type { Json } from '../../contract/json.ts';

const types: Readonly<Record<string, string>> = {
  string: 'string',
  str: 'string',
  number: 'number',
  float: 'number',
  integer: 'integer',
  int: 'integer',
  boolean: 'boolean',
  bool: 'boolean',
};

/**
 * Reads a description in lines, as toolboxes of Amp write them: `name: …`, `description: …` (several are one text), then a
 * line for each argument, `dir: string the folder`, optional where the type ends in `?` or the text begins with
 * `(optional)` or `optional`. Indented lines go on with the one before. Null where the text has no such lines.
 */
export function readTextDescription(text: string): Json | null {
  const entries: [key: string, value: string][] = [];
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() === '') continue;
    const found = /^([A-Za-z_][\w.-]*)\s*:\s*(.*)$/.exec(line);
    const last = entries.at(-1);
    if (found !== null) entries.push([found[1] ?? '', found[2]?.trim() ?? '']);
    else if (last !== undefined && /^\s/.test(line)) last[1] = `${last[1]} ${line.trim()}`.trim();
    else return null;
  }
  const all = (key: string) => entries.flatMap(([one, value]) => (one === key ? [value] : []));
  const [name] = all('name');
  if (name === undefined) return null;
  const fields = new Set(['name', 'description', 'permission', 'timeout_seconds']);
  const properties = entries.flatMap(([key, value]) =>
    fields.has(key) ? [] : [[key, argumentOf(value)] as const],
  );
  const [permission] = all('permission');
  const [seconds] = all('timeout_seconds');
  return {
    name,
    description: all('description').join('\n'),
    ...(permission === undefined ? {} : { permission }),
    ...(seconds === undefined ? {} : { timeout_seconds: Number(seconds) }),
    args: {
      type: 'object',
      properties: Object.fromEntries(properties.map(([key, { schema }]) => [key, schema])),
      required: properties.flatMap(([key, { optional }]) => (optional ? [] : [key])),
    },
  };
}

function argumentOf(value: string): { schema: { [key: string]: string }; optional: boolean } {
  const [, word = '', mark = '', rest = ''] = /^(\w+)(\?)?\s*(.*)$/s.exec(value) ?? [];
  const type = types[word.toLowerCase()];
  const said = type === undefined ? value : rest;
  const optional = mark === '?' || /^\(?optional\b/i.test(said);
  const description = said.replace(/^\(?optional\b\)?[\s:,-]*/i, '');
  return {
    schema: { ...(type === undefined ? {} : { type }), ...(description === '' ? {} : { description }) },
    optional,
  };
}
