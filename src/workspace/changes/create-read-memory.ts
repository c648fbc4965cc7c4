import { ToolError } from '../../contract/errors.ts';
import type { ReadMemory } from '../files/read-memory.ts';
import { contentHash } from './before-images.ts';

/** Creates an empty memory. Stores two hashes per path; paths are in their normal form. */
export function createReadMemory(): ReadMemory {
  const seen = new Map<string, string>();
  const own = new Map<string, string>();
  return {
    saw(path, content) {
      seen.set(path, contentHash(content));
    },
    ownChange(path, hash) {
      own.set(path, hash);
    },
    check(path, current, by = 'place') {
      const known = seen.get(path);
      // A missing file cannot be read again; the caller reports that it is missing.
      if (known === undefined || current === null) return;
      const hash = contentHash(current);
      if (hash === known || (by === 'text' && hash === own.get(path))) return;
      throw new ToolError(
        'changed_since_read',
        `${path} changed since it was last read. Read it again first.`,
      );
    },
  };
}
