import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import * as path from 'node:path';
import * as z from 'zod';
import { parseJson } from '../../contract/json.ts';
import { errorCode } from '../files/open-confined.ts';
import { readObjects } from '../git/read-objects.ts';

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
  keep(content: Buffer): Promise<string>;
  note(images: readonly BeforeImage[]): Promise<void>;
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

/** Fields of a stored before-image (`BeforeImage`). */
export const KeptImage = z.object({
  path: z.string(),
  before: z.string().nullable(),
  object: z.string().nullable(),
  mode: z.int().nullable(),
});
export type KeptImage = z.infer<typeof KeptImage>;

/** Returns the content of a hash from its file or git object; null if missing or damaged. */
export async function contentOf(
  hash: string,
  image: KeptImage | undefined,
  folder: string,
): Promise<Buffer | null> {
  const file = await readFile(path.join(folder, 'before', hash)).catch(() => null);
  if (file !== null) return contentHash(file) === hash ? file : null;
  if (image?.object == null) return null;
  const place = { cwd: folder, gitDirectory: path.join(folder, 'trees.git') };
  const found = await readObjects(place, [image.object]).catch(() => new Map<string, Buffer>());
  const content = found.get(image.object);
  return content !== undefined && contentHash(content) === hash ? content : null;
}

/** Reads the before-images of a run in call order; empty without an index file. */
export async function keptImages(folder: string): Promise<KeptImage[]> {
  const text = await readFile(path.join(folder, 'index.jsonl'), 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const image = KeptImage.safeParse(parseJson(line));
    return image.success ? [image.data] : [];
  });
}
