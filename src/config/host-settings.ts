import * as z from 'zod';

/** What an entry of an allow-list has to look like: a host, or `*.` and a domain, perhaps with a port. */
export const hostPattern = /^(?:\*\.)?[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::[1-9]\d{0,4})?$/;

/** A host, `*.example.com` for every name below it. */
export const Host = z.string().regex(hostPattern, 'a host, perhaps with a port, without a scheme or path');

/** A host of the web: the same, or `*` for all. */
export const WebHost = z
  .string()
  .regex(
    new RegExp(`^(?:\\*|${hostPattern.source.slice(1, -1)})$`),
    'a host, perhaps with a port, without a scheme or path, or *',
  );

/** Headers that are sent with each request, by names (RFC 9110, 5.1); `{env:NAME}` stands for a variable that `env.pass` gives whoever they are for. */
export const HeaderSettings = z.record(
  z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, 'the name of a header'),
  z.string().max(8_000),
);
