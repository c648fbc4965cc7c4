import * as z from 'zod';

/** Headers that are sent with each request, by names (RFC 9110, 5.1); `{env:NAME}` stands for a variable that `env.pass` gives whoever they are for. */
export const HeaderSettings = z.record(
  z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, 'the name of a header'),
  z.string().max(8_000),
);
