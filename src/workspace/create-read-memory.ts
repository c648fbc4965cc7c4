import { createHash } from 'node:crypto';
import { ToolError } from '../contract/errors.ts';
import type { ReadMemory } from './read-memory.ts';

/** A memory that has seen nothing yet. Keeps one hash a path, of paths in their normal form. */
export function createReadMemory(): ReadMemory {
  const seen = new Map<string, string>();
  const hash = (content: Buffer) => createHash('sha256').update(content).digest('hex');
  return {
    saw(path, content) {
      seen.set(path, hash(content));
    },
    check(path, current) {
      const known = seen.get(path);
      // What is gone cannot be read again: that it is gone, whoever needs it will say.
      if (known === undefined || current === null || hash(current) === known) return;
      throw new ToolError(
        'changed_since_read',
        `${path} changed since it was last read. Read it again first.`,
      );
    },
  };
}
