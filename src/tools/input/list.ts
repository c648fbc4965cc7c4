import * as z from 'zod';

/** A list as `schema` wants it; one that came as a string of JSON is read. */
export function list<Item>(schema: z.ZodType<Item[]>) {
  return z.preprocess(fromJson, schema);
}

/** A list of strings as `schema` wants it; a single string is taken for a list of one. */
export function stringList(schema: z.ZodType<string[]> = z.array(z.string())) {
  return z.preprocess((value) => {
    const read = fromJson(value);
    return typeof read === 'string' && read !== '' ? [read] : read;
  }, schema);
}

/** Anything that is not the JSON of a list stays as it is, for the schema to judge. */
function fromJson(value: unknown): unknown {
  if (typeof value !== 'string' || !value.trim().startsWith('[')) return value;
  try {
    const read: unknown = JSON.parse(value);
    return Array.isArray(read) ? read : value;
  } catch {
    return value;
  }
}
