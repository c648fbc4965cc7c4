import { ToolError } from '../../contract/errors.ts';
import { contentHash } from './before-images.ts';

/**
 * Records the last content of each file that the model saw, so that edits of newer content are
 * refused.
 */
export interface ReadMemory {
  /** Records content that a tool displayed or wrote. */
  saw(path: string, content: Buffer): void;
  /** Records the content that a command of the run left in a file, as SHA-256. */
  ownChange(path: string, hash: string): void;
  /**
   * Throws `ToolError('changed_since_read')` if the file differs from the last seen content. Unseen
   * and missing files pass. For edits located by text (`text`), content left by the run's own
   * command passes too. Edits by line number or of the whole file (`place`) could hit unseen
   * content.
   */
  check(path: string, current: Buffer | null, by?: 'text' | 'place'): void;
}

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
      const lastSeen = seen.get(path);
      // A missing file cannot be read again; the caller reports that it is missing.
      if (lastSeen === undefined || current === null) return;
      const hash = contentHash(current);
      if (hash === lastSeen || (by === 'text' && hash === own.get(path))) return;
      throw new ToolError(
        'changed_since_read',
        `${path} changed since it was last read. Read it again first.`,
      );
    },
  };
}
