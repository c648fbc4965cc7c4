import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** Texts of the workflows by name, inserted by the build. */
declare const BUILT_EXAMPLES: Readonly<Record<string, string>> | undefined;

/** Returns the workflows of `docs/examples` by name, from the built program or from the files. */
export async function exampleWorkflows(): Promise<Readonly<Record<string, string>>> {
  return typeof BUILT_EXAMPLES === 'undefined' ? readExampleWorkflows() : BUILT_EXAMPLES;
}

/** Reads the files, by name without ending; for the build, and for unbuilt programs. */
export async function readExampleWorkflows(): Promise<Record<string, string>> {
  const folder = path.join(import.meta.dirname, '../../docs/examples');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.yml')).sort();
  const texts = await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')));
  return Object.fromEntries(names.map((name, index) => [path.parse(name).name, texts[index] ?? '']));
}
