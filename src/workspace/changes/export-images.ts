import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readObjects } from '../git/read-objects.ts';
import { contentHash } from './before-images.ts';
import { storedImages } from './stored-images.ts';

/** Objects read at a time, as their contents are in memory. */
const group = 64;

/**
 * Writes the before-images that only the run's git has as files, so that its record can be restored
 * without `trees.git`. `folder` is the run's. Images that git lacks are skipped.
 */
export async function exportImages(folder: string): Promise<void> {
  const before = path.join(folder, 'before');
  const objects = (await storedImages(before)).flatMap(({ before: hash, object }) =>
    object === null || hash === null || existsSync(path.join(before, hash)) ? [] : [object],
  );
  const git = { cwd: folder, gitDirectory: path.join(folder, 'trees.git') };
  const wanted = [...new Set(objects)];
  for (let at = 0; at < wanted.length; at += group)
    for (const content of (await readObjects(git, wanted.slice(at, at + group))).values())
      await writeFile(path.join(before, contentHash(content)), content, { mode: 0o600 });
}
