import * as z from 'zod';

/**
 * Schema of an integer; also accepts a string. `form` matches such a string; its group holds the
 * digits.
 */
export function integer(schema: z.ZodType<number> = z.int(), form: RegExp = /^(-?\d{1,15})$/) {
  return z.preprocess((value) => {
    const digits = typeof value === 'string' ? form.exec(value)?.[1] : undefined;
    return digits === undefined ? value : Number(digits);
  }, schema);
}
