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

/**
 * Folders from the bottom up, as in ARCHITECTURE.md. A folder imports those of a lower level that
 * its row names. The entry points may import all: `src/*.ts`, `src/command-line/`, `action/`.
 */
const levels: readonly Readonly<Record<string, readonly string[]>>[] = [
  { contract: [], network: [] },
  {
    channel: ['contract'],
    config: ['contract'],
    github: ['contract'],
    redaction: ['contract'],
    state: ['contract'],
    'untrusted-text': ['contract'],
  },
  { permissions: ['contract', 'redaction'], webhooks: ['channel', 'config', 'contract', 'github'] },
  { sandbox: ['contract', 'network', 'permissions'] },
  { workspace: ['contract', 'network', 'permissions', 'redaction', 'sandbox', 'untrusted-text'] },
  {
    checks: ['contract', 'permissions', 'redaction', 'sandbox', 'untrusted-text', 'workspace'],
    reporting: ['config', 'contract', 'github', 'permissions', 'untrusted-text', 'workspace'],
  },
  {
    tools: ['checks', 'contract', 'permissions', 'redaction', 'sandbox', 'untrusted-text', 'workspace'],
    'workflow-files': ['checks', 'config', 'contract'],
  },
  {
    agent: ['config', 'contract', 'permissions', 'redaction', 'tools', 'untrusted-text', 'workspace'],
    extensions: [
      'config',
      'contract',
      'network',
      'permissions',
      'redaction',
      'sandbox',
      'tools',
      'untrusted-text',
      'workspace',
    ],
  },
  {
    evals: ['config', 'contract', 'sandbox', 'workspace'],
    evidence: ['agent', 'contract', 'reporting'],
    run: [
      'agent',
      'checks',
      'config',
      'contract',
      'extensions',
      'network',
      'permissions',
      'redaction',
      'reporting',
      'sandbox',
      'state',
      'tools',
      'untrusted-text',
      'workspace',
    ],
  },
];
/** The folders above them import every folder of the table, and `app` imports `pipeline`. */
const lower = levels.flatMap((level) => Object.keys(level));
const mayImport: Readonly<Record<string, readonly string[]>> = {
  ...Object.assign({}, ...levels),
  pipeline: lower,
  app: [...lower, 'pipeline'],
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

test('source never imports packages that only tests, scripts or the demo have', () => {
  const wrong = [...graph].flatMap(([file, targets]) =>
    targets.filter((target) => !/^(src|action)\//.test(target)).map((target) => `${file} imports ${target}`),
  );
  expect(wrong).toEqual([]);
});

test('there is no import cycle between files', () => {
  expect(findCycle(graph)).toBeNull();
});

test('ARCHITECTURE.md has each folder at its level', () => {
  const rows = [...readSource('ARCHITECTURE.md').matchAll(/^\| (\d+) \| `([a-z-]+)` \|/gm)];
  const below = levels.flatMap((level, at) => Object.keys(level).map((folder) => [at + 1, folder]));
  expect(rows.map(([, level, folder]) => [Number(level), folder])).toEqual([
    ...below,
    [levels.length + 1, 'pipeline'],
    [levels.length + 2, 'app'],
  ]);
});

test('the table names only folders of a level below', () => {
  const wrong = levels.flatMap((level, at) => {
    const below = levels.slice(0, at).flatMap((one) => Object.keys(one));
    return Object.entries(level).flatMap(([folder, names]) =>
      names.filter((name) => !below.includes(name)).map((name) => `${folder} may not name ${name}`),
    );
  });
  expect(wrong).toEqual([]);
});

test('there is no import cycle between folders', () => {
  const folders = new Map<string, string[]>();
  for (const [file, targets] of graph) {
    const from = folderOf(file);
    const others = targets.map(folderOf).filter((to) => to !== from);
    folders.set(from, [...new Set([...(folders.get(from) ?? []), ...others])]);
  }
  expect(findCycle(folders)).toBeNull();
});

test('no two folders import each other in a cycle, at any depth', () => {
  const folders = new Map<string, string[]>();
  for (const [file, targets] of graph) {
    const folder = path.dirname(file);
    const others = targets.map((to) => path.dirname(to)).filter((to) => to !== folder);
    folders.set(folder, [...new Set([...(folders.get(folder) ?? []), ...others])]);
  }
  expect(folders.size).toBeGreaterThan(90);
  expect(findCycle(folders)).toBeNull();
});

test('only process entry points are directly below src', () => {
  const roots = sources.flatMap((file) => /^src\/([^/]+)\.ts$/.exec(file)?.[1] ?? []);
  expect(roots).toEqual(['cli', 'database-process', 'delivery-process', 'page-process', 'syntax-process']);
});

test('no two files below src have the same name', () => {
  const names = sources.filter((file) => file.startsWith('src/')).map((file) => path.basename(file));
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

test('no two files export the same name', () => {
  const exported =
    /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|class|const|enum|interface|type) (\w+)/gm;
  const owners = new Map<string, Set<string>>();
  for (const file of sources.filter((name) => /^(src|action)\//.test(name)))
    for (const [, name = ''] of withoutComments(readSource(file)).matchAll(exported))
      owners.set(name, (owners.get(name) ?? new Set()).add(file));
  const shared = [...owners].filter(([, places]) => places.size > 1);
  expect(owners.size).toBeGreaterThan(2_000);
  expect(shared.map(([name, places]) => `${name}: ${[...places].join(', ')}`)).toEqual([]);
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

test('there are no re-exports', () => {
  const barrels = sources.filter(
    (file) =>
      file.endsWith('/index.ts') || /^export\s[^'"`;]*?\sfrom\s+'/m.test(withoutComments(readSource(file))),
  );
  expect(barrels).toEqual([]);
});

test('the import reader finds each form once and ignores comments', () => {
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

test('the search for cycles finds exactly the existing ones', () => {
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
