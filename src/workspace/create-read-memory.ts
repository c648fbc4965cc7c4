import { ToolError } from '../contract/errors.ts';
import { contentHash } from './before-images.ts';
import type { ReadMemory } from './read-memory.ts';

/** A memory that has seen nothing yet. Keeps one hash a path, of paths in their normal form. */
export function createReadMemory(): ReadMemory {
  const seen = new Map<string, string>();
  return {
    saw(path, content) {
      seen.set(path, contentHash(content));
    },
    check(path, current) {
      const known = seen.get(path);
      // What is gone cannot be read again: that it is gone, whoever needs it will say.
      if (known === undefined || current === null || contentHash(current) === known) return;
      throw new ToolError(
        'changed_since_read',
        `${path} changed since it was last read. Read it again first.`,
      );
    },
  };
}
