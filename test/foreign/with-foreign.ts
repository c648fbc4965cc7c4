import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, inject, test } from 'vitest';
import type * as z from 'zod';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of cases that others wrote; only the project `foreign` is given one. */
    readonly foreignCases: string;
  }
}

/**
 * Defines the tests of one set of cases that others wrote, which is a folder or a file below the folder that
 * `ANODE_FOREIGN_CASES` names. A missing set is one failed test. `define` is given its absolute path.
 */
export function withForeign(set: string, define: (at: string) => void): void {
  const at = path.join(inject('foreignCases'), set);
  if (existsSync(at)) describe(set, () => define(at));
  else
    test(`${set} is there`, () => {
      throw new Error(`There are no cases at ${at}.`);
    });
}

/** Reads a JSON file of such a set. Throws where it has another shape than `schema`. */
export function readForeign<Schema extends z.ZodType>(file: string, schema: Schema): z.output<Schema> {
  return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
}
