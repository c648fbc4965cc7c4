import { parseJson } from '../../contract/json.ts';
import { type DeclaredTool, readDeclaredTool } from '../protocol/declared-tool.ts';

/** The description of a toolbox program, registered as `tb__` and its name in plain letters. */
export interface ToolboxDescription extends Omit<DeclaredTool, 'given'> {
  /**
   * The form of its input: one JSON object, or lines `key: value` if it described itself in lines.
   */
  readonly takes: 'json' | 'lines';
}

/**
 * Reads a description: a JSON object, or lines `name: …`, `description: …`, `argument: type
 * description`. A problem is a clause with the program as its subject.
 */
export function readDescription(printed: string): ToolboxDescription | { readonly problem: string } {
  const text = printed.trim();
  if (text === '') return { problem: 'described itself with nothing' };
  const lines = text.startsWith('{') ? null : readTextDescription(text);
  const json = lines === null ? parseJson(text) : lines;
  if (json === undefined)
    return {
      problem: `described itself by neither JSON nor lines such as "name: …": ${JSON.stringify(text.slice(0, 80))}`,
    };
  const declared = readDeclaredTool(json, { prefix: 'tb__', verb: 'described itself' });
  if ('problem' in declared) return declared;
  const { given: _, ...description } = declared;
  return { ...description, takes: lines === null ? 'json' : 'lines' };
}

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
 * Reads a description in the line format of Amp's toolboxes: `name: …`, `description: …`
 * (repeatable), then a line for each argument, `dir: string the folder`. An argument is optional if
 * its type ends in `?` or its text begins with `optional`. Indented lines continue the one before.
 * Null for text of another form.
 */
export function readTextDescription(text: string): object | null {
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
    permission,
    timeout_seconds: seconds === undefined ? undefined : Number(seconds),
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
  const text = type === undefined ? value : rest;
  const optional = mark === '?' || /^\(?optional\b/i.test(text);
  const description = text.replace(/^\(?optional\b\)?[\s:,-]*/i, '');
  return {
    schema: { ...(type === undefined ? {} : { type }), ...(description === '' ? {} : { description }) },
    optional,
  };
}
