import * as z from 'zod';

/** Schema of one glob, or several with commas; also accepts a list, and its JSON. */
export function globs(schema: z.ZodType<string> = z.string()) {
  return z.preprocess((value) => {
    const list = typeof value === 'string' && /^\s*\["/.test(value) ? fromJson(value) : value;
    return Array.isArray(list) && list.length > 0 && list.every((glob) => typeof glob === 'string')
      ? list.join(',')
      : value;
  }, schema);
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
