import * as z from 'zod';

/**
 * A whole number as `schema` wants it; one that came as a string is taken for what it says. `form` says how it may be written: its
 * group holds the digits.
 */
export function integer(schema: z.ZodType<number> = z.int(), form: RegExp = /^(-?\d{1,15})$/) {
  return z.preprocess((value) => {
    const digits = typeof value === 'string' ? form.exec(value)?.[1] : undefined;
    return digits === undefined ? value : Number(digits);
  }, schema);
}
