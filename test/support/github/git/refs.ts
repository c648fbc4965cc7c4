import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { exists } from './objects.ts';

/**
 * The commit of a full ref name, read from git's own file: null if there is no such ref, undefined
 * if only git can tell (packed refs, or a name with git's syntax in it).
 */
export async function looseRef(directory: string, ref: string): Promise<string | null | undefined> {
  if (!/^refs\/[\w./+-]+$/.test(ref) || ref.includes('..')) return undefined;
  const text = await readFile(join(directory, ref), 'utf8').catch(() => '');
  if (/^[0-9a-f]{40}\n$/.test(text)) return text.trim();
  return text === '' && !(await exists(join(directory, 'packed-refs'))) ? null : undefined;
}

/** All refs with their targets, sorted; undefined if only git can tell. */
export async function looseRefs(directory: string): Promise<Map<string, string> | undefined> {
  if (await exists(join(directory, 'packed-refs'))) return undefined;
  const entries = await readdir(join(directory, 'refs'), { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.lock'))
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)));
  const refs = new Map<string, string>();
  for (const name of names.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))) {
    const text = await readFile(join(directory, name), 'utf8').catch(() => '');
    if (/^[0-9a-f]{40}\n$/.test(text)) refs.set(name, text.trim());
  }
  return refs;
}

/**
 * Points a ref name to an object, whatever it pointed to before; for refs without concurrent
 * changes.
 */
export async function writeRef(directory: string, ref: string, id: string): Promise<void> {
  const file = join(directory, ref);
  await mkdir(dirname(file), { recursive: true });
  const draft = join(directory, `ref-${randomUUID()}`);
  await writeFile(draft, `${id}\n`);
  await rename(draft, file);
}
