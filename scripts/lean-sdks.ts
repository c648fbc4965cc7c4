import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'esbuild';

const ownHeaders = path.resolve(import.meta.dirname, '../src/agent/models/fetch-headers.ts');

/**
 * Has the vendors' SDKs use our `Headers`. Node's own loads its whole fetch library on first use, which the
 * SDKs otherwise need for nothing: they are given a `fetch`. Their clients also ask whether a body is a
 * `FormData`, which loads the same; ours are text.
 */
export const leanSdks: Plugin = {
  name: 'lean-sdks',
  setup(build) {
    build.onLoad({ filter: /\/node_modules\/(@anthropic-ai\/sdk|openai)\/.*\.m?js$/ }, async (file) => {
      const text = await readFile(file.path, 'utf8');
      const lines = [
        ...(/\bHeaders\b/.test(text)
          ? [`import { FetchHeaders as Headers } from ${JSON.stringify(ownHeaders)};`]
          : []),
        ...(/\/client\.mjs$/.test(file.path) ? ['const FormData = class {};'] : []),
      ];
      return { contents: [...lines, text].join('\n'), loader: 'js' };
    });
  },
};
