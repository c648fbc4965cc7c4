import * as z from 'zod';

/** A whole number as `schema` wants it; one that came as a string of digits is taken for what it says. */
export function integer(schema: z.ZodType<number> = z.int()) {
  return z.preprocess(
    (value) => (typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value),
    schema,
  );
}
