import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { TrustedTree } from '../../workspace/git/trusted-tree.ts';

/** Texts of the built-in skills by file name, inserted by the build. */
declare const BUILT_SKILLS: Readonly<Record<string, string>> | undefined;

/** Returns the built-in skills as a tree, from the built program or from their source files. */
export async function builtInSkills(): Promise<TrustedTree> {
  const texts = typeof BUILT_SKILLS === 'undefined' ? await readBuiltInSkills() : BUILT_SKILLS;
  const files = new Map(Object.entries(texts).map(([name, text]) => [name, Buffer.from(text)]));
  return {
    below: async () =>
      [...files].map(([name, bytes]) => ({ path: name, size: bytes.length, executable: false })),
    read: async (paths) =>
      new Map(
        paths.flatMap((name): [string, Buffer][] => {
          const bytes = files.get(name);
          return bytes === undefined ? [] : [[name, bytes]];
        }),
      ),
  };
}

/** Reads their texts from the source, by file name; for the build, and for unbuilt programs. */
export async function readBuiltInSkills(): Promise<Record<string, string>> {
  const folder = path.join(import.meta.dirname, 'built-in');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.md')).sort();
  const texts = await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')));
  return Object.fromEntries(names.map((name, index) => [name, texts[index] ?? '']));
}
