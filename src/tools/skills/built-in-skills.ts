import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { SteeringTree } from '../../workspace/git/steering-tree.ts';

/** The texts of the built-in skills by the name of their file, put here by the build. */
declare const BUILT_SKILLS: Readonly<Record<string, string>> | undefined;

/** The built-in skills as files of a tree. A built program has their texts in itself; else they lie beside this file. */
export async function builtInSkills(): Promise<SteeringTree> {
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

/** Their texts as they lie in the source, by the name of their file; for the build, and where there was none. */
export async function readBuiltInSkills(): Promise<Record<string, string>> {
  const folder = path.join(import.meta.dirname, 'built-in');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.md')).sort();
  const texts = await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')));
  return Object.fromEntries(names.map((name, index) => [name, texts[index] ?? '']));
}
