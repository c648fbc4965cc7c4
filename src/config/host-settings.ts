import * as z from 'zod';
import { hostPattern } from '../contract/host-pattern.ts';

/** A host, `*.example.com` for every name below it. */
export const Host = z.string().regex(hostPattern, 'a host, perhaps with a port, without a scheme or path');

/** A host of the web: the same, or `*` for all. */
export const WebHost = z
  .string()
  .regex(
    new RegExp(`^(?:\\*|${hostPattern.source.slice(1, -1)})$`),
    'a host, perhaps with a port, without a scheme or path, or *',
  );
