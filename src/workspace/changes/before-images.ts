import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { errorCode } from '../files/open-confined.ts';

/** One line of `index.jsonl`: what a path was before a call changed it. */
export interface BeforeImage {
  readonly path: string;
  /** SHA-256 of the content, which is the image's file name; null where the file did not exist. */
  readonly before: string | null;
  /** Git's name of the content, where it lies in the run's object folder in place of a file here. */
  readonly object: string | null;
  readonly mode: number | null;
  readonly tool: string;
  readonly call_id: string;
}

/** Contents by their hash, and the list of what each path was, in a folder outside the checkout. */
export interface BeforeImages {
  /** Keeps a content and returns its SHA-256. Throws the system's error when it cannot be written. */
  keep(content: Buffer): Promise<string>;
  note(images: readonly BeforeImage[]): Promise<void>;
}

/** The name of a content among the images and in the change ledger: its SHA-256 in hexadecimal. */
export function contentHash(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

/**
 * Before-images in `folder`, made on first use. Written without a detour through the thread pool, which costs
 * ten times as much as the file: a patch may touch hundreds.
 */
export function createBeforeImages(folder: string): BeforeImages {
  const make = () => mkdirSync(folder, { recursive: true, mode: 0o700 });
  return {
    async keep(content) {
      const hash = contentHash(content);
      make();
      try {
        writeFileSync(path.join(folder, hash), content, { flag: 'wx', mode: 0o600 });
      } catch (error) {
        if (errorCode(error) !== 'EEXIST') throw error;
      }
      return hash;
    },
    async note(images) {
      if (images.length === 0) return;
      make();
      const lines = images.map((image) => `${JSON.stringify(image)}\n`).join('');
      appendFileSync(path.join(folder, 'index.jsonl'), lines, { mode: 0o600 });
    },
  };
}
