import * as z from 'zod';

/** True or false; the words `"true"` and `"false"` are taken for what they say, and no others. */
export function flag() {
  return z.preprocess((value) => (value === 'true' ? true : value === 'false' ? false : value), z.boolean());
}
