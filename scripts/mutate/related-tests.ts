import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript-5';

/**
 * For each file, the files of ours that it imports when it runs. Paths are relative to the root,
 * with `/`.
 */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/**
 * Reads the imports of these files; `import type` counts for nothing, `import()` counts. A test
 * that mentions a tool's name counts as one that imports it, because all tests reach all tools
 * through their list.
 */
export function readImports(root: string, files: readonly string[]): ImportGraph {
  return new Map(
    files.map((file) => {
      const source = readFileSync(path.join(root, file), 'utf8');
      const tools = file.startsWith('test/') ? toolsNamed(source, files) : [];
      return [file, [...new Set([...importsOf(file, source), ...tools])]];
    }),
  );
}

/**
 * Returns the files of the tools whose names stand in quotes in a test: `'agent.await'` →
 * `src/tools/children/agent-await.ts`.
 */
export function toolsNamed(source: string, files: readonly string[]): string[] {
  const quoted = [...source.matchAll(/(?<quote>['"])(?<name>[a-z][a-z0-9._]*)\k<quote>/g)];
  const names = new Set(quoted.map(({ groups }) => `${groups?.name?.replaceAll(/[._]/g, '-')}.ts`));
  return files.filter((file) => file.startsWith('src/tools/') && names.has(path.posix.basename(file)));
}

/** The relative modules that a source loads, as paths from the root. */
export function importsOf(file: string, source: string): string[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.ESNext, false, ts.ScriptKind.TS);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const name = moduleOf(node);
    if (name?.startsWith('.')) found.push(path.posix.join(path.posix.dirname(file), name));
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

function moduleOf(node: ts.Node): string | null {
  const name =
    (ts.isImportDeclaration(node) && node.importClause?.isTypeOnly !== true) ||
    (ts.isExportDeclaration(node) && !node.isTypeOnly)
      ? node.moduleSpecifier
      : ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
        ? node.arguments[0]
        : undefined;
  return name !== undefined && ts.isStringLiteralLike(name) ? name.text : null;
}

/**
 * The tests that load a file: first the one at the mirrored path, then those of its own folder.
 * Among these, fewer imports in between come first, then the mirrored subfolder. A source in
 * `src/NAME/` has its own tests in `test/NAME/`.
 */
export function relatedTests(graph: ImportGraph, file: string): string[] {
  const importers = new Map<string, string[]>();
  for (const [from, targets] of graph)
    for (const to of targets) importers.set(to, [...(importers.get(to) ?? []), from]);
  const distances = new Map([[file, 0]]);
  let edge = [file];
  for (let distance = 1; edge.length > 0; distance++) {
    edge = [...new Set(edge.flatMap((at) => importers.get(at) ?? []))].filter((at) => !distances.has(at));
    for (const at of edge) distances.set(at, distance);
  }
  const folder = testFolderOf(file);
  const mirrored = file.replace(/^src\//, 'test/').replace(/\.ts$/, '.test.ts');
  const elsewhere = (test: string) => {
    if (test === mirrored) return 0;
    return test.startsWith(folder) ? 1 : 2;
  };
  const strangeness = (test: string) => (path.dirname(test) === path.dirname(mirrored) ? 0 : 1);
  return [...distances]
    .filter(([at]) => at.startsWith('test/') && at.endsWith('.test.ts'))
    .toSorted(
      ([a, near], [b, far]) =>
        elsewhere(a) - elsewhere(b) || near - far || strangeness(a) - strangeness(b) || (a < b ? -1 : 1),
    )
    .map(([at]) => at);
}

/**
 * `src/tools/edit/a.ts` → `test/tools/`, `action/main.ts` → `test/action/`, `src/cli.ts` → `test/`.
 */
function testFolderOf(file: string): string {
  const [first = '', second = ''] = file.split('/');
  if (first !== 'src') return `test/${first}/`;
  return second.endsWith('.ts') ? 'test/' : `test/${second}/`;
}
