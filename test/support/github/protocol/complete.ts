import type { Description, Schema } from './description.ts';

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Adds what a GitHub object must have and no rule of the stand-in decides: each missing required
 * field gets null if permitted, else the least value of its type (links point to `url`). What is
 * given stays.
 */
export function complete(description: Description, schema: Schema, value: unknown, url: string): unknown {
  const node = description.resolve(schema);
  if (value === undefined) return least(description, node, url);
  if (Array.isArray(value)) {
    const { items } = node;
    return items === undefined ? value : value.map((item) => complete(description, items, item, url));
  }
  if (!isFields(value)) return value;
  let fields = value;
  for (const part of node.allOf ?? []) {
    const completed = complete(description, part, fields, url);
    if (isFields(completed)) fields = completed;
  }
  const branch = [...(node.oneOf ?? []), ...(node.anyOf ?? [])]
    .map((option) => description.resolve(option))
    .find((option) => option.properties !== undefined || option.allOf !== undefined);
  if (branch !== undefined) {
    const completed = complete(description, branch, fields, url);
    if (isFields(completed)) fields = completed;
  }
  const required = new Set(node.required ?? []);
  const result: Fields = { ...fields };
  for (const [name, property] of Object.entries(node.properties ?? {}))
    if (result[name] !== undefined || required.has(name))
      result[name] = complete(description, property, result[name], url);
  return result;
}

function least(description: Description, node: Schema, url: string): unknown {
  if (node.nullable === true) return null;
  if (node.enum !== undefined) return node.enum[0];
  if (node.const !== undefined) return node.const;
  const branch = node.oneOf?.[0] ?? node.anyOf?.[0];
  if (branch !== undefined && node.properties === undefined)
    return least(description, description.resolve(branch), url);
  switch (node.type) {
    case 'string':
      if (node.format === 'date-time') return '2026-01-01T00:00:00Z';
      return node.format?.startsWith('uri') === true ? url : '';
    case 'integer':
    case 'number':
      return 0;
    case 'boolean':
      return false;
    case 'array':
      return [];
    case undefined:
      return node.properties === undefined && node.allOf === undefined
        ? null
        : complete(description, node, {}, url);
    default:
      return complete(description, node, {}, url);
  }
}
