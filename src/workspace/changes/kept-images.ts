import { readFile } from 'node:fs/promises';
import * as path from 'node:path';
import * as z from 'zod';
import { parseJson } from '../../contract/json.ts';
import { readObjects } from '../git/read-objects.ts';
import { contentHash } from './before-images.ts';

/** The fields of a before-image (`BeforeImage`) that are read back. */
export const KeptImage = z.object({
  path: z.string(),
  before: z.string().nullable(),
  object: z.string().nullable(),
  mode: z.int().nullable(),
});
export type KeptImage = z.infer<typeof KeptImage>;

/** The content of a hash, from its file or from git's object; null when neither is there or whole. */
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

/** The before-images of a run, in the order of its calls, from the folder they are in; none where there is no list. */
export async function keptImages(folder: string): Promise<KeptImage[]> {
  const text = await readFile(path.join(folder, 'index.jsonl'), 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const image = KeptImage.safeParse(parseJson(line));
    return image.success ? [image.data] : [];
  });
}
