import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'esbuild';

const apart = 'zod-apart';

/**
 * Gives what reads schemas from elsewhere a copy of zod of its own. It uses zod's reader of JSON
 * Schema, which needs all of zod, and esbuild creates one set of a module's parts for all
 * importers. Every start would load 64 KiB that only external tools need.
 */
export const zodApart: Plugin = {
  name: apart,
  setup(build) {
    build.onResolve({ filter: /^zod$/ }, async ({ importer, resolveDir, kind }) => {
      if (!/[\\/]protocol[\\/]input-schema\.ts$/.test(importer)) return undefined;
      const { path: found, errors } = await build.resolve('zod', { resolveDir, kind, importer: resolveDir });
      return { path: found, errors, namespace: apart, sideEffects: false };
    });
    build.onResolve({ filter: /^\./, namespace: apart }, ({ path: name, importer }) => ({
      path: path.resolve(path.dirname(importer), name),
      namespace: apart,
      sideEffects: false,
    }));
    build.onLoad({ filter: /.*/, namespace: apart }, async ({ path: file }) => ({
      contents: await readFile(file, 'utf8'),
      loader: 'js',
    }));
  },
};
