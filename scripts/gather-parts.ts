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
  /** What is loaded on demand before this part, or by programs that never load it, by the path from the root. All else comes after it. */
  readonly notBefore: RegExp;
}

/**
 * Puts what is loaded together into few files. esbuild makes a file for each set of entries that share a module, which for a
 * run came to 58 before its first request and 43 before its first call; Node takes 0.4 ms and more to find, read and link each.
 * Modules that all entries import are one set, so here each module that is imported on demand imports the parts that were
 * loaded before it, and those of one part each other. Nothing happens on import, so their order does not matter.
 */
export function gatherParts(parts: readonly Part[]): Plugin {
  const absolute = parts.map((part) => ({
    ...part,
    modules: part.modules.map((file) => path.join(root, file)),
  }));
  const onDemand = dynamicallyImported();
  return {
    name: 'gather-parts',
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${scheme}`) }, ({ path: name }) => ({
        path: name.slice(scheme.length),
        namespace: scheme,
        sideEffects: true,
      }));
      build.onLoad({ filter: /.*/, namespace: scheme }, ({ path: name }) => ({
        contents: importsOf(absolute.find((part) => part.name === name)?.modules ?? []),
        resolveDir: root,
      }));
      build.onLoad({ filter: /\.ts$/ }, async ({ path: file }) => {
        if (!onDemand.has(file)) return undefined;
        const name = path.relative(root, file);
        const own = absolute.findIndex(({ modules }) => modules.includes(file));
        const wanted = absolute.filter(({ notBefore }, index) =>
          own === -1 ? !notBefore.test(name) : index < own || (index === own && index > 0),
        );
        if (wanted.length === 0) return undefined;
        const imports = importsOf(wanted.map(({ name }) => scheme + name));
        return { contents: `${imports}\n${await readFile(file, 'utf8')}`, loader: 'ts' };
      });
    },
  };
}

function importsOf(names: readonly string[]): string {
  return names.map((name) => `import ${JSON.stringify(name)};`).join('');
}

/** Our modules that some module of ours imports on demand. */
function dynamicallyImported(): ReadonlySet<string> {
  const files = globSync(['src/**/*.ts', 'action/*.ts'], { cwd: root }).map((file) => path.join(root, file));
  return new Set(
    files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/\bimport\(\s*'(\.[^']+)'/g)].map(([, name]) =>
        path.resolve(path.dirname(file), name ?? ''),
      ),
    ),
  );
}
