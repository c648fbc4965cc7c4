import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'esbuild';

const models = path.resolve(import.meta.dirname, '../src/agent/models');
const headers = JSON.stringify(path.join(models, 'fetch-headers.ts'));
const response = JSON.stringify(path.join(models, 'fetch-response.ts'));

/**
 * Parts of the vendors' APIs that no run asks for: all but the messages of the one, the chats and
 * responses of the other.
 */
const unused =
  /\/node_modules\/(?:@anthropic-ai\/sdk\/resources\/(?!messages|shared|index)|openai\/resources\/(?!chat|responses|shared|index|completions)).*\.mjs$/;

/**
 * The table of classes for single error codes, most of them of those parts. Without it an error has
 * the class of its status, which is all that callers check. With it, an error of an emptied module
 * would not be one.
 */
const errorCodes = /\/node_modules\/@anthropic-ai\/sdk\/core\/error-classes\.mjs$/;

/**
 * A module with the names of another and nothing behind them. A client makes one of each part of
 * its API when it is made, and the clouds' ones take `messages` of the beta's away.
 */
function emptied(source: string): string {
  const names = [...source.matchAll(/^export (?:var|let|const|class|function) (\w+)/gm)].map(
    ([, name]) => name,
  );
  const lists = [...source.matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, list]) => (list ?? '').split(','));
  const listed = lists.map((one) => one.trim().split(' as ').at(-1)).filter((name) => name !== '');
  return [...new Set([...names, ...listed])]
    .map((name) => `export class ${name} { get messages() { return {}; } }`)
    .join('\n');
}

/**
 * The HTTP client of Sigstore's library, for its few requests. The package for it brings 900 KB,
 * among them a cache on the disk, proxies for SOCKS, and tables of character sets.
 */
const sigstoreClient = `export default async (url, { method, headers, body, timeout }) => {
  const signal = AbortSignal.timeout(timeout);
  const response = await fetch(url, { method, headers, body, signal, redirect: 'error' });
  const buffer = async () => Buffer.from(await response.arrayBuffer());
  return Object.assign(response, { buffer });
};`;

/**
 * Has the vendors' SDKs use our `Headers`. Node's own loads its whole fetch library on first use,
 * which the SDKs otherwise need for nothing: they are given a `fetch`. Three more classes are used
 * in passing. The clients ask whether a body is a `FormData` or a `ReadableStream` (ours are text),
 * and OpenAI's unused sign-in by workload identity uses a method of `Response`. And has them
 * without the parts of the APIs that no run asks for: of Anthropic's that is more than half.
 */
export const leanSdks: Plugin = {
  name: 'lean-sdks',
  setup(build) {
    build.onLoad({ filter: /\/node_modules\/make-fetch-happen\/lib\/index\.js$/ }, () => ({
      contents: sigstoreClient,
      loader: 'js',
    }));
    build.onLoad({ filter: /\/node_modules\/(@anthropic-ai\/sdk|openai)\/.*\.mjs$/ }, async (file) => {
      const isClient = /\/client\.mjs$/.test(file.path);
      const source = await readFile(file.path, 'utf8');
      if (errorCodes.test(file.path))
        return { contents: 'export const ERROR_CODE_CLASSES = new Map();', loader: 'js' };
      if (unused.test(file.path)) return { contents: emptied(source), loader: 'js' };
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
