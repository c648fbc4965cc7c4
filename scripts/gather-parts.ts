import { globSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'esbuild';

const root = path.resolve(import.meta.dirname, '..');
const scheme = 'anode-part:';

/** Modules that a run loads at about the same time, by their paths from the root. */
export interface Part {
  readonly name: string;
  readonly modules: readonly string[];
  /** True if loading one of them loads all; otherwise each is loaded on demand. */
  readonly atOnce: boolean;
  /**
   * Matches modules that are loaded on demand before this part, or by programs that never load it.
   * All else comes after it.
   */
  readonly notBefore: RegExp;
}

/** The name of a part's module in esbuild. */
export const partModule = (name: string): string => `${scheme}:${name}`;

const dynamicImport = /\bimport\(\s*'(\.[^']+)'\s*,?\s*\)/g;
const staticImport = /^(?:import|export) (?!type )[^;]*?from '(\.[^']+)';/gm;

/**
 * Combines modules that are loaded together into few files. esbuild creates a file for each set of
 * entries that share a module: 58 before a run's first request and 43 before its first call; Node
 * takes 0.4 ms and more to find, read and link each. Modules that all entries import are one set.
 * So each dynamically imported module imports the parts loaded before it here, and a part that is
 * loaded together is one entry. Nothing happens on import, so their order does not matter.
 */
export function gatherParts(parts: readonly Part[]): Plugin {
  const absolute = parts.map((part) => ({
    ...part,
    modules: part.modules.map((file) => path.join(root, file)),
    loaded: withImports(part.modules.map((file) => path.join(root, file))),
  }));
  const onDemand = dynamicallyImported();
  /**
   * Returns the import of a whole part for a module of a part that is loaded at once, else null.
   */
  const atOnce = (file: string): string | null => {
    const part = absolute.find((one) => one.atOnce && one.modules.includes(file));
    return part === undefined
      ? null
      : `import(${JSON.stringify(scheme + part.name)}).then((part) => part.m${part.modules.indexOf(file)})`;
  };
  return {
    name: 'gather-parts',
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${scheme}`) }, ({ path: name }) => ({
        path: name.slice(scheme.length),
        namespace: scheme,
        sideEffects: true,
      }));
      build.onLoad({ filter: /.*/, namespace: scheme }, ({ path: name }) => {
        const { modules, atOnce: whole } = absolute.find((part) => part.name === name) ?? {
          modules: [],
          atOnce: false,
        };
        const contents = whole
          ? modules.map((file, index) => `export * as m${index} from ${JSON.stringify(file)};`).join('')
          : importsOf(modules);
        return { contents, resolveDir: root };
      });
      build.onLoad({ filter: /\.ts$/ }, async ({ path: file }) => {
        const text = await readFile(file, 'utf8');
        const contents = text.replace(
          dynamicImport,
          (whole, name: string) => atOnce(path.resolve(path.dirname(file), name)) ?? whole,
        );
        return {
          contents: importsOf(partsBefore(file).map((part) => scheme + part)) + contents,
          loader: 'ts',
        };
      });
    },
  };

  /** Names of the parts that are loaded whenever this module is asked for. */
  function partsBefore(file: string): string[] {
    if (!onDemand.has(file)) return [];
    const name = path.relative(root, file);
    // A module that a part itself needs must not include later parts, even if a later module
    // imports it dynamically.
    const own = absolute.findIndex(({ loaded }) => loaded.has(file));
    return absolute
      .filter(({ notBefore }, index) => !notBefore.test(name) && (own === -1 || index < own))
      .map((part) => part.name);
  }
}

function importsOf(names: readonly string[]): string {
  return names.map((name) => `import ${JSON.stringify(name)};`).join('');
}

/** Modules of ours and all that they import at once, directly or not. */
function withImports(modules: readonly string[]): ReadonlySet<string> {
  const found = new Set(modules);
  // A set also iterates over members added during the iteration.
  for (const file of found)
    for (const [, name] of readFileSync(file, 'utf8').matchAll(staticImport))
      found.add(path.resolve(path.dirname(file), name ?? ''));
  return found;
}

/** Our modules that some module of ours imports on demand. */
function dynamicallyImported(): ReadonlySet<string> {
  const files = globSync(['src/**/*.ts', 'action/*.ts'], { cwd: root }).map((file) => path.join(root, file));
  return new Set(
    files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(dynamicImport)].map(([, name]) =>
        path.resolve(path.dirname(file), name ?? ''),
      ),
    ),
  );
}
