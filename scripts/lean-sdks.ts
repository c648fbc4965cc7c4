import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'esbuild';

const models = path.resolve(import.meta.dirname, '../src/agent/models');
const headers = JSON.stringify(path.join(models, 'fetch-headers.ts'));
const response = JSON.stringify(path.join(models, 'fetch-response.ts'));

/**
 * Has the vendors' SDKs use our `Headers`. Node's own loads its whole fetch library on first use, which the
 * SDKs otherwise need for nothing: they are given a `fetch`. Three more classes are only touched in
 * passing: the clients ask whether a body is a `FormData` or a `ReadableStream` (ours are text), and OpenAI's sign-in by workload
 * identity, which is not used, keeps a method of `Response`.
 */
export const leanSdks: Plugin = {
  name: 'lean-sdks',
  setup(build) {
    build.onLoad({ filter: /\/node_modules\/(@anthropic-ai\/sdk|openai)\/.*\.mjs$/ }, async (file) => {
      const isClient = /\/client\.mjs$/.test(file.path);
      const source = await readFile(file.path, 'utf8');
      const text = isClient ? source.replaceAll('globalThis.ReadableStream', 'ReadableStream') : source;
      const lines = [text];
      if (/\bHeaders\b/.test(text)) lines.unshift(`import { FetchHeaders as Headers } from ${headers};`);
      if (/\bResponse\.prototype\b/.test(text))
        lines.unshift(`import { FetchResponse as Response } from ${response};`);
      if (isClient) lines.unshift('const FormData = class {}, ReadableStream = class {};');
      return { contents: lines.join('\n'), loader: 'js' };
    });
  },
};
