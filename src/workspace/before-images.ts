import { createHash } from 'node:crypto';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import { errorCode } from './open-confined.ts';

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
  /** The file that holds a kept content. */
  fileOf(hash: string): string;
  note(images: readonly BeforeImage[]): Promise<void>;
}

/** Before-images in `folder`, made on first use. */
export function createBeforeImages(folder: string): BeforeImages {
  const kept = new Set<string>();
  const fileOf = (hash: string) => path.join(folder, hash);
  return {
    fileOf,
    async keep(content) {
      const hash = createHash('sha256').update(content).digest('hex');
      if (kept.has(hash)) return hash;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      try {
        await writeFile(fileOf(hash), content, { flag: 'wx', mode: 0o600 });
      } catch (error) {
        if (errorCode(error) !== 'EEXIST') throw error;
      }
      kept.add(hash);
      return hash;
    },
    async note(images) {
      if (images.length === 0) return;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const lines = images.map((image) => `${JSON.stringify(image)}\n`).join('');
      await appendFile(path.join(folder, 'index.jsonl'), lines, { mode: 0o600 });
    },
  };
}
