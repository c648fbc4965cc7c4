import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';
import { readBuiltInSkills } from '../src/tools/skills/built-in-skills.ts';

/**
 * Puts the texts of the built-in skills into the module that returns them, which is in a part
 * loaded on demand. What `define` puts in becomes a part of every start.
 */
export const skillTexts: Plugin = {
  name: 'skill-texts',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]skills[\\/]built-in-skills\.ts$/ }, async ({ path }) => ({
      contents: `const BUILT_SKILLS = ${JSON.stringify(await readBuiltInSkills())};\n${await readFile(path, 'utf8')}`,
      loader: 'ts',
    }));
  },
};
