import * as z from 'zod';
import { WebHost } from './host-settings.ts';

/** Whether runs may ask the web, and what of it; true for searching alone, by the backend whose key is set. */
export const WebSettings = z.union([
  z.boolean(),
  z.strictObject({
    /** The only hosts that pages and files are taken from; left out, there is nothing but searching. */
    allow: z.array(WebHost).max(200).optional(),
    /** Who searches; left out, the first of these whose key is set. */
    backend: z.enum(['exa', 'brave', 'tavily', 'searxng']).optional(),
    /** Where the backend is, when it is not at its usual address. Only its operator can say. */
    url: z
      .url({ protocol: /^https?$/ })
      .max(500)
      .optional(),
  }),
]);
export type WebSettings = z.infer<typeof WebSettings>;

/** Variables of which one is set where the web can be searched: keys, and the address of an own SearXNG. */
export const searchVariables = [
  'EXA_API_KEY',
  'BRAVE_API_KEY',
  'BRAVE_SEARCH_API_KEY',
  'TAVILY_API_KEY',
  'SEARXNG_URL',
] as const;
