import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';
import { readBuiltInSkills } from '../src/tools/skills/built-in-skills.ts';
import { readExampleWorkflows } from '../src/workflow-files/example-workflows.ts';

/** Modules that return texts of files, with the name that the build gives the texts there. */
const inserted = [
  { filter: /[\\/]skills[\\/]built-in-skills\.ts$/, name: 'BUILT_SKILLS', read: readBuiltInSkills },
  {
    filter: /[\\/]workflow-files[\\/]example-workflows\.ts$/,
    name: 'BUILT_EXAMPLES',
    read: readExampleWorkflows,
  },
];

/**
 * Puts the texts of files into the module that returns them, which is in a part loaded on demand.
 * Text that `define` inserts becomes a part of every start.
 */
export const insertedTexts: Plugin = {
  name: 'inserted-texts',
  setup({ onLoad }) {
    for (const { filter, name, read } of inserted)
      onLoad({ filter }, async ({ path }) => ({
        contents: `const ${name} = ${JSON.stringify(await read())};\n${await readFile(path, 'utf8')}`,
        loader: 'ts',
      }));
  },
};
