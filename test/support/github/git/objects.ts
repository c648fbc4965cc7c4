import { createHash, randomUUID } from 'node:crypto';
import { access, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';

/** Writes one of git's loose objects and gives its id; a process for each would take too long. */
export async function writeObject(
  directory: string,
  type: 'blob' | 'tree' | 'commit',
  content: Buffer,
): Promise<string> {
  const object = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]);
  const id = createHash('sha1').update(object).digest('hex');
  const folder = join(directory, 'objects', id.slice(0, 2));
  const file = join(folder, id.slice(2));
  // There already: the same bytes have the same name.
  if (await exists(file)) return id;
  await mkdir(folder, { recursive: true });
  // Whoever finds it by its name finds it whole.
  const draft = join(folder, `tmp_obj_${randomUUID()}`);
  await writeFile(draft, deflateSync(object, { level: 1 }));
  await rename(draft, file);
  return id;
}

/** True where something stands at the path. */
export const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

/**
 * One file of a tree at any depth: git's mode and the id of its blob (of its commit, for a
 * submodule).
 */
export interface TreeFile {
  readonly mode: string;
  readonly id: string;
}

/** Writes the trees that hold these files by their paths, and gives the id of the outermost. */
export async function writeTrees(directory: string, files: ReadonlyMap<string, TreeFile>): Promise<string> {
  const entries = new Map<string, TreeFile>();
  const below = new Map<string, Map<string, TreeFile>>();
  for (const [path, file] of files) {
    const slash = path.indexOf('/');
    if (slash < 0) {
      entries.set(path, file);
      continue;
    }
    const name = path.slice(0, slash);
    below.set(name, (below.get(name) ?? new Map()).set(path.slice(slash + 1), file));
  }
  for (const [name, inner] of below)
    entries.set(name, { mode: '40000', id: await writeTrees(directory, inner) });
  // git sorts a folder as though its name ended with a slash.
  const key = ([name, { mode }]: [string, TreeFile]) => Buffer.from(mode === '40000' ? `${name}/` : name);
  const sorted = [...entries].sort((a, b) => Buffer.compare(key(a), key(b)));
  const lines = sorted.map(([name, { mode, id }]) =>
    Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')]),
  );
  return writeObject(directory, 'tree', Buffer.concat(lines));
}
