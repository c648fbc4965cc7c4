import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { parseJson } from '../../contract/json.ts';
import { readObjects } from '../git/read-objects.ts';
import { contentHash } from './before-images.ts';

/** Fields of a stored before-image (`BeforeImage`). */
export const StoredImage = z.object({
  path: z.string(),
  before: z.string().nullable(),
  object: z.string().nullable(),
  mode: z.int().nullable(),
});
export type StoredImage = z.infer<typeof StoredImage>;

/** A content before a run, with its recorded permission bits; null if they were not recorded. */
interface StoredContent {
  readonly content: Buffer;
  readonly mode: number | null;
  /** True if a tool read the bits, false if they are git's. */
  readonly isExact: boolean;
}

/**
 * Returns the content of a path before a run, from its file or git object; null if missing or
 * damaged. `folder` holds `before/`.
 */
export async function storedContent(
  path: string,
  hash: string,
  images: readonly StoredImage[],
  folder: string,
): Promise<StoredContent | null> {
  const image = images.find((one) => one.path === path && one.before === hash);
  const content = await contentOf(hash, image, folder);
  return content === null ? null : { content, mode: image?.mode ?? null, isExact: image?.object === null };
}

/** Returns the content of a hash from its file or git object; null if missing or damaged. */
export async function contentOf(
  hash: string,
  image: StoredImage | undefined,
  folder: string,
): Promise<Buffer | null> {
  const file = await readFile(join(folder, 'before', hash)).catch(() => null);
  if (file !== null) return contentHash(file) === hash ? file : null;
  if (image?.object == null) return null;
  const git = { cwd: folder, gitDirectory: join(folder, 'trees.git') };
  const found = await readObjects(git, [image.object]).catch(() => new Map<string, Buffer>());
  const content = found.get(image.object);
  return content !== undefined && contentHash(content) === hash ? content : null;
}

/** Reads the before-images of a run in call order; empty without an index file. */
export async function storedImages(folder: string): Promise<StoredImage[]> {
  const text = await readFile(join(folder, 'index.jsonl'), 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const image = StoredImage.safeParse(parseJson(line));
    return image.success ? [image.data] : [];
  });
}
