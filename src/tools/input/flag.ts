import * as z from 'zod';

/** Schema of a boolean; also accepts the strings `"true"` and `"false"`. */
export function flag() {
  return z.preprocess((value) => (value === 'true' ? true : value === 'false' ? false : value), z.boolean());
}
