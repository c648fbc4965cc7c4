import * as z from 'zod';

/** Schema of an optional value; null counts as missing, since many models fill in every field. */
export function unlessNull<Output>(schema: z.ZodType<Output>) {
  return z.preprocess((value) => value ?? undefined, schema.optional()).optional();
}
