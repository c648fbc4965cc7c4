import path from 'node:path';
import { expect, test } from 'vitest';
import { readArguments } from '../../../scripts/mutate/arguments.ts';
import { seededRandom, shuffledInTurn } from '../../../scripts/mutate/pick-sample.ts';
import { importsOf, readImports, relatedTests, toolsNamed } from '../../../scripts/mutate/related-tests.ts';
import { showMutant } from '../../../scripts/mutate/show-mutant.ts';

test('a seed decides the order, and the groups take turns', () => {
  const groups = [
    ['a1', 'a2', 'a3'],
    ['b1', 'b2'],
  ];
  const drawn = (seed: number) => shuffledInTurn(groups, seededRandom(seed));
  expect(drawn(7)).toEqual(drawn(7));
  expect(drawn(7).map(([group]) => group)).toEqual(['a', 'b', 'a', 'b', 'a']);
  const orders = new Set(Array.from({ length: 50 }, (_, seed) => drawn(seed).join()));
  expect(orders.size).toBeGreaterThan(6);
});

test('the tests of a file are those that load it: its own first, then of its folder, nearest first', () => {
  const graph = new Map([
    ['src/tools/edit/a.ts', []],
    ['src/tools/b.ts', ['src/tools/edit/a.ts']],
    ['test/tools/b.test.ts', ['src/tools/b.ts']],
    ['test/tools/c.test.ts', ['src/tools/edit/a.ts']],
    ['test/tools/edit/a.test.ts', ['test/tools/edit/reader.ts']],
    ['test/tools/edit/reader.ts', ['src/tools/b.ts']],
    ['test/tools/edit/other.test.ts', ['src/tools/c.ts']],
    ['test/agent/a.test.ts', ['src/tools/edit/a.ts']],
  ]);
  expect(relatedTests(graph, 'src/tools/edit/a.ts')).toEqual([
    'test/tools/edit/a.test.ts',
    'test/tools/c.test.ts',
    'test/tools/b.test.ts',
    'test/agent/a.test.ts',
  ]);
});

test('a file loads the values that it imports, statically or dynamically', () => {
  const source = [
    "import { a } from './a.ts';",
    "import type { B } from './b.ts';",
    "export { c } from '../c.ts';",
    "const d = await import('./d.ts');",
    "import fs from 'node:fs';",
  ].join('\n');
  expect(importsOf('src/x/y.ts', source)).toEqual(['src/x/a.ts', 'src/c.ts', 'src/x/d.ts']);
});

test('a test that quotes the name of a tool is near to it', () => {
  const source = `call('agent.await'); say("skill_list", 'Glob', 'a/b', 'read the file', 'agent.await", \`grep\`);`;
  const tools = ['src/tools/children/agent-await.ts', 'src/tools/skills/skill-list.ts'];
  expect(toolsNamed(source, [...tools, 'src/tools/tool.ts', 'src/agent/agent-await.ts'])).toEqual(tools);
  const root = path.resolve(import.meta.dirname, '../../..');
  const test = path.relative(root, import.meta.filename);
  expect(readImports(root, [test, 'src/tools/skills/skill-list.ts']).get(test)).toContain(
    'src/tools/skills/skill-list.ts',
  );
  expect(readImports(root, [test]).get(test)).not.toContain('src/tools/skills/skill-list.ts');
});

test('a fault is printed with its position and the lines around it', () => {
  const mutant = { file: 'a.ts', kind: 'operator', start: 11, end: 12, text: '<=' };
  expect(showMutant('one();\nx = a < b;\n', { ...mutant, start: 13, end: 14 })).toBe(
    'a.ts:2 (operator)\n    -x = a < b;\n    +x = a <= b;',
  );
});

test('arguments are parsed with their defaults, and faults are reported', () => {
  const read = (...args: string[]) => readArguments(args, () => 5);
  expect([
    read('src/tools/'),
    read('a', 'b', '--sample', '100', '--seed', '7', '--least', '90', '--tests', '3'),
    read('--faults', 'f.json'),
    read(),
    read('a', '--sample', 'many'),
    read('a', '--sed', '1'),
  ]).toEqual([
    { paths: ['src/tools'], sample: 20, seed: 5, least: 85, tests: 16, faults: null },
    { paths: ['a', 'b'], sample: 100, seed: 7, least: 90, tests: 3, faults: null },
    { paths: [], sample: 20, seed: 5, least: 85, tests: 16, faults: 'f.json' },
    'Give either paths or --faults FILE.',
    '--sample needs a whole number from 1 to 100000, not "many".',
    expect.stringContaining("Unknown option '--sed'"),
  ]);
});
