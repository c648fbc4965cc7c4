import path from 'node:path';
import { expect, test } from 'vitest';
import {
  findCycle,
  importGraph,
  importsOf,
  readSource,
  trackedFiles,
  withoutComments,
} from './source-tree.ts';

/** Who may import whom; the table of ARCHITECTURE.md. The roots may import all: `src/*.ts`, `src/command-line/`, `action/`. */
const mayImport: Record<string, readonly string[]> = {
  contract: [],
  channel: ['contract'],
  config: ['contract'],
  permissions: ['contract'],
  workspace: ['contract', 'permissions'],
  checks: ['contract', 'permissions', 'workspace'],
  tools: ['contract', 'permissions', 'workspace', 'checks'],
  agent: ['contract', 'config', 'tools', 'permissions', 'workspace'],
  github: ['contract', 'config'],
  state: ['contract'],
  reporting: ['contract', 'config', 'github', 'workspace', 'permissions'],
  webhooks: ['contract', 'channel', 'config', 'github'],
  compose: [
    'contract',
    'config',
    'permissions',
    'workspace',
    'checks',
    'tools',
    'agent',
    'state',
    'reporting',
  ],
};

const sources = trackedFiles().filter((file) => /^(src|action)\/.*\.ts$/.test(file));
const graph = importGraph(sources);
const folderOf = (file: string) => /^src\/(?!command-line\/)([^/]+)\//.exec(file)?.[1] ?? 'roots';

test('every folder of src is in the table', () => {
  const folders = new Set(sources.map(folderOf).filter((folder) => folder !== 'roots'));
  expect([...folders].filter((folder) => mayImport[folder] === undefined)).toEqual([]);
});

test('each folder imports only those below it', () => {
  const wrong = [...graph].flatMap(([file, targets]) =>
    targets
      .filter((target) => {
        const [from, to] = [folderOf(file), folderOf(target)];
        return from !== 'roots' && from !== to && !mayImport[from]?.includes(to);
      })
      .map((target) => `${file} imports ${target}`),
  );
  expect(wrong).toEqual([]);
});

test('source never imports what only tests, scripts or the demo have', () => {
  const wrong = [...graph].flatMap(([file, targets]) =>
    targets.filter((target) => !/^(src|action)\//.test(target)).map((target) => `${file} imports ${target}`),
  );
  expect(wrong).toEqual([]);
});

test('files do not import in a circle', () => {
  expect(findCycle(graph)).toBeNull();
});

test('folders do not import in a circle', () => {
  const folders = new Map<string, string[]>();
  for (const [file, targets] of graph) {
    const from = folderOf(file);
    const others = targets.map(folderOf).filter((to) => to !== from);
    folders.set(from, [...new Set([...(folders.get(from) ?? []), ...others])]);
  }
  expect(findCycle(folders)).toBeNull();
});

test('rooms inside agent, compose, reporting and webhooks do not import in a circle', () => {
  const rooms = new Map<string, string[]>();
  for (const [file, targets] of graph) {
    const [from, room] = [folderOf(file), path.dirname(file)];
    if (!['agent', 'compose', 'reporting', 'webhooks'].includes(from)) continue;
    const others = targets.filter((to) => folderOf(to) === from).map((to) => path.dirname(to));
    rooms.set(room, [...new Set([...(rooms.get(room) ?? []), ...others.filter((to) => to !== room)])]);
  }
  expect(rooms.size).toBeGreaterThan(42);
  expect(findCycle(rooms)).toBeNull();
});

test('every relative import names an existing file with its ending', () => {
  const known = new Set(trackedFiles());
  const wrong = [...graph].flatMap(([file, targets]) =>
    targets
      .filter((target) => !/\.(ts|json)$/.test(target) || !known.has(target))
      .map((target) => `${file} imports ${target}`),
  );
  expect(wrong).toEqual([]);
});

test('nothing is exported again from elsewhere', () => {
  const barrels = sources.filter(
    (file) =>
      file.endsWith('/index.ts') || /^export\s[^'"`;]*?\sfrom\s+'/m.test(withoutComments(readSource(file))),
  );
  expect(barrels).toEqual([]);
});

test('the reader of imports sees each form once, and no comment', () => {
  const text = [
    "import a from './a.ts';",
    'import {',
    '  type B,',
    "} from './b.ts';",
    "import type { C } from './c.ts';",
    "export { d } from './d.ts';",
    "import './e.ts';",
    "const f = await import('./f.ts');",
    "// import g from './g.ts';",
    "/* import h from './h.ts'; */",
    "const text = 'taken from here';",
  ].join('\n');
  expect(importsOf(text).sort()).toEqual(['./a.ts', './b.ts', './c.ts', './d.ts', './e.ts', './f.ts']);
});

test('the search for cycles finds one, and only where there is one', () => {
  expect(
    findCycle(
      new Map([
        ['a', ['b', 'c']],
        ['b', ['c']],
        ['c', []],
      ]),
    ),
  ).toBeNull();
  expect(
    findCycle(
      new Map([
        ['a', ['b']],
        ['b', ['c']],
        ['c', ['b']],
      ]),
    ),
  ).toEqual(['b', 'c', 'b']);
});
