import * as z from 'zod';

/**
 * Has the schemas check values step by step. Compiling a checker for each of them pays in a long-lived server,
 * not in a process that ends with its run. To be called before the modules of the schemas are loaded.
 */
export function interpretSchemas(): void {
  z.config({ jitless: true });
}
