import * as z from 'zod';

/** Schema of a list; also accepts its JSON as a string. */
export function list<Item>(schema: z.ZodType<Item[]>) {
  return z.preprocess(fromJson, schema);
}

/** Schema of a list of strings; also accepts a single string as a list of one. */
export function stringList(schema: z.ZodType<string[]> = z.array(z.string())) {
  return z.preprocess((value) => {
    const read = fromJson(value);
    return typeof read === 'string' && read !== '' ? [read] : read;
  }, schema);
}

/** Parses a JSON list; anything else is returned for the schema to refuse. */
function fromJson(value: unknown): unknown {
  if (typeof value !== 'string' || !value.trim().startsWith('[')) return value;
  try {
    const read: unknown = JSON.parse(value);
    return Array.isArray(read) ? read : value;
  } catch {
    return value;
  }
}
