import { readFile } from 'node:fs/promises';
import { createRequire, findPackageJSON } from 'node:module';
import path from 'node:path';
import type { Plugin } from 'esbuild';

const root = path.resolve(import.meta.dirname, '..');
const scheme = 'common-js';
const identifier = /^[A-Za-z_$][\w$]*$/;

/**
 * Gives a dynamically imported CommonJS package the names that Node gives it. esbuild bundles such
 * a package for `import()` with `default` alone, so `const { parse } = await import('yaml')` would
 * bind `undefined` in the bundle only. It gets a module in front that exports each of its names.
 * The package is loaded once while it is bundled, to list them.
 */
export const commonJsNames: Plugin = {
  name: scheme,
  setup(build) {
    build.onResolve({ filter: /^[^.]/ }, async ({ path: name, kind, resolveDir, importer, pluginData }) => {
      if (kind !== 'dynamic-import' || pluginData === scheme) return undefined;
      const found = await build.resolve(name, { kind, resolveDir, importer, pluginData: scheme });
      if (found.errors.length > 0 || found.external || !(await isCommonJs(found.path))) return undefined;
      return { path: path.relative(root, found.path), namespace: scheme };
    });
    build.onLoad({ filter: /.*/, namespace: scheme }, ({ path: name }) => {
      const file = path.join(root, name);
      return { contents: inFrontOf(file, namesOf(file)), resolveDir: path.dirname(file) };
    });
  },
};

/** The names that a CommonJS file exports, without `default`. Runs the file. */
function namesOf(file: string): readonly string[] {
  const exported: unknown = createRequire(file)(file);
  if (typeof exported !== 'object' && typeof exported !== 'function') return [];
  return Object.keys(exported ?? {}).filter((name) => identifier.test(name) && name !== 'default');
}

function inFrontOf(file: string, names: readonly string[]): string {
  const taken = names.map((name, index) => `${name}:name${index}`).join();
  const given = names.map((name, index) => `name${index} as ${name}`).join();
  return `const all=require(${JSON.stringify(file)});const {${taken}}=all;export {all as default,${given}};`;
}

/** True for a file that Node would load as CommonJS and that has no statement of an ES module. */
async function isCommonJs(file: string): Promise<boolean> {
  if (file.endsWith('.cjs')) return true;
  if (!file.endsWith('.js')) return false;
  const manifest = findPackageJSON('.', file);
  const { type } =
    manifest === undefined ? {} : (JSON.parse(await readFile(manifest, 'utf8')) as { type?: string });
  return type !== 'module' && !/^\s*(?:import|export)\b/m.test(await readFile(file, 'utf8'));
}
