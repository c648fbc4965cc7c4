import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The checkout these tests stand in. */
export const root = path.resolve(import.meta.dirname, '..', '..');

/**
 * Tracked files that still exist, relative to the root. Generated and ignored ones are nobody's
 * style.
 */
export function trackedFiles(): string[] {
  return execFileSync('git', ['-c', 'core.quotePath=false', 'ls-files', '-z'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\0')
    .filter((file) => file !== '' && existsSync(path.join(root, file)));
}

/** The text of one file of the checkout. */
export function readSource(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}

/**
 * The text without its comments. Good enough for code that Biome formatted; a URL in a string stays
 * whole.
 */
export function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}

/** The modules a file names in `import`, `import type`, `export … from` and `import()`. */
export function importsOf(text: string): string[] {
  const code = withoutComments(text);
  const patterns = [
    /^\s*(?:import|export)\s[^'"`;]*?\sfrom\s+'([^']+)'/gm,
    /^\s*import\s+'([^']+)'/gm,
    /\bimport\(\s*'([^']+)'\s*\)/g,
  ];
  return patterns.flatMap((pattern) => [...code.matchAll(pattern)].flatMap(([, name]) => name ?? []));
}

/** The edges between our own files: for each source file, the source files it imports. */
export function importGraph(files: readonly string[]): Map<string, string[]> {
  return new Map(
    files.map((file) => [
      file,
      importsOf(readSource(file))
        .filter((name) => name.startsWith('.'))
        .map((name) => path.posix.normalize(path.posix.join(path.posix.dirname(file), name))),
    ]),
  );
}

/** The first cycle of a graph as the nodes along it, null if there is none. */
export function findCycle(graph: ReadonlyMap<string, readonly string[]>): string[] | null {
  const done = new Set<string>();
  const visit = (node: string, trail: readonly string[]): string[] | null => {
    if (trail.includes(node)) return [...trail.slice(trail.indexOf(node)), node];
    if (done.has(node)) return null;
    for (const next of graph.get(node) ?? []) {
      const cycle = visit(next, [...trail, node]);
      if (cycle) return cycle;
    }
    done.add(node);
    return null;
  };
  for (const node of graph.keys()) {
    const cycle = visit(node, []);
    if (cycle) return cycle;
  }
  return null;
}
