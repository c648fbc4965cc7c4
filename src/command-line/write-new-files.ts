import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ConfigError, systemReason } from '../contract/errors.ts';

/** A file to write: its path from the root, and its text. */
export interface NewFile {
  readonly path: string;
  readonly text: string;
}

/** The files that were written, and those that were so before. */
export interface WrittenFiles {
  readonly written: readonly string[];
  readonly unchanged: readonly string[];
}

/**
 * Writes files below a folder, each whole or not at all. Throws `ConfigError` without writing
 * anything if a file is there with another text, unless `replace` is set. A failure in between
 * removes the new files again.
 */
export async function writeNewFiles(
  root: string,
  files: readonly NewFile[],
  replace: boolean,
): Promise<WrittenFiles> {
  const present = await Promise.all(
    files.map(async (file) => ({ file, now: await presentText(path.join(root, file.path)) })),
  );
  const different = present.filter(({ file, now }) => now !== null && now !== file.text);
  if (different.length > 0 && !replace) {
    const names = different.map(({ file }) => file.path);
    throw new ConfigError(
      `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} there with another text, so nothing was written. Replace with --force.`,
      { file: names[0] ?? '' },
    );
  }
  const wanted = present.filter(({ file, now }) => now !== file.text);
  const made: string[] = [];
  try {
    for (const { file, now } of wanted) {
      const target = path.join(root, file.path);
      await placeFile(target, file.text, now !== null);
      if (now === null) made.push(target);
    }
  } catch (error) {
    await Promise.all(made.map((file) => rm(file, { force: true })));
    throw new ConfigError(`The files cannot be written: ${systemReason(error)}. Nothing is left of them.`);
  }
  const unchanged = present.filter(({ file, now }) => now === file.text);
  return {
    written: wanted.map(({ file }) => file.path),
    unchanged: unchanged.map(({ file }) => file.path),
  };
}

/** Puts a file at its place in one step. A new one never replaces a file that appeared since. */
async function placeFile(target: string, text: string, replace: boolean): Promise<void> {
  await mkdir(path.dirname(target), { recursive: true });
  const fresh = `${target}.${randomBytes(6).toString('hex')}.new`;
  try {
    await writeFile(fresh, text, { flag: 'wx' });
    await (replace ? rename(fresh, target) : link(fresh, target));
  } finally {
    await rm(fresh, { force: true });
  }
}

async function presentText(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw new ConfigError(`${file} cannot be read: ${systemReason(error)}.`, { file });
  }
}
