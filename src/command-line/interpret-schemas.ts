import * as z from 'zod';

/**
 * Makes zod interpret schemas. Compiling validators pays off in a long-lived server, not in a
 * process of one run. Call it before the modules of the schemas are loaded.
 */
export function interpretSchemas(): void {
  z.config({ jitless: true });
}
