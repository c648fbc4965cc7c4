import * as z from 'zod';

/** What may be left out; null counts as left out, since many models fill in every field they do not mean. */
export function unlessNull<Output>(schema: z.ZodType<Output>) {
  return z.preprocess((value) => value ?? undefined, schema.optional()).optional();
}
