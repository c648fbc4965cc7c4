import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { errorCode } from '../files/open-confined.ts';

/** One line of `index.jsonl`: the state of a path before a call changed it. */
export interface BeforeImage {
  readonly path: string;
  /** SHA-256 of the content and file name of the image; null if the file did not exist. */
  readonly before: string | null;
  /** Git's object name, if the content is stored in the run's git directory instead of a file. */
  readonly object: string | null;
  readonly mode: number | null;
  readonly tool: string;
  readonly call_id: string;
}

/** Stores contents by hash and lists the previous state of each path, outside the checkout. */
export interface BeforeImages {
  /** Stores a content and returns its SHA-256. Throws the system's error when the write fails. */
  store(content: Buffer): Promise<string>;
  record(images: readonly BeforeImage[]): Promise<void>;
}

/** SHA-256 (hex) of a content: its name among the images and in the change ledger. */
export function contentHash(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

/**
 * Before-images in `folder`, made on first use. Writes are synchronous: through the thread pool
 * each would cost ten times as much, and a patch may touch hundreds of files.
 */
export function createBeforeImages(folder: string): BeforeImages {
  const make = () => mkdirSync(folder, { recursive: true, mode: 0o700 });
  return {
    async store(content) {
      const hash = contentHash(content);
      make();
      try {
        writeFileSync(path.join(folder, hash), content, { flag: 'wx', mode: 0o600 });
      } catch (error) {
        if (errorCode(error) !== 'EEXIST') throw error;
      }
      return hash;
    },
    async record(images) {
      if (images.length === 0) return;
      make();
      const lines = images.map((image) => `${JSON.stringify(image)}\n`).join('');
      appendFileSync(path.join(folder, 'index.jsonl'), lines, { mode: 0o600 });
    },
  };
}
