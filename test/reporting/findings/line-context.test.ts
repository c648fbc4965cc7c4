import { expect, test } from 'vitest';
import { createHunkMap } from '../../../src/reporting/diff/hunk-map.ts';
import { fingerprintFinding } from '../../../src/reporting/findings/fingerprint.ts';
import {
  contextOf,
  type LineSource,
  lineStatusOf,
  numbered,
  textSource,
} from '../../../src/reporting/findings/line-context.ts';
import { finding } from '../samples.ts';

const source = (...lines: string[]): LineSource => ({
  lines: (path) => (path === 'src/a.js' ? new Map(lines.map((text, index) => [index + 1, text])) : null),
});
const body = [
  'function total(list) {',
  '  let sum = 0;',
  '  for (const one of list)',
  '    sum += one;',
  '  return sum;',
  '}',
];
const name = (lines: string[], line: number, more: object = {}) =>
  fingerprintFinding({ ...finding, line, ...more }, source(...lines));

test('keeps a fingerprint over line numbers, white space and wording', () => {
  const moved = ['// a line', '', ...body.map((line) => `\t${line.trim()}`)];
  expect(
    new Set([name(body, 4), name(moved, 6), name(body, 4, { title: 'In other words', body: 'x' })]).size,
  ).toBe(1);
});

test('distinguishes path, category, text and occurrence', () => {
  const twice = [...body, ...body];
  const other = (change: object) => fingerprintFinding({ ...finding, line: 4, ...change }, source(...body));
  const names = [
    name(body, 4),
    name(body, 3),
    name(twice, 10),
    other({ path: 'src/b.js' }),
    other({ category: 'style' }),
    other({ start_line: 2 }),
  ];
  expect([new Set(names).size, name(twice, 4) === name(body, 4)]).toEqual([names.length, true]);
});

test('adds neighbours to short lines, and uses the title for an unknown file', () => {
  const brace = (lines: string[], line: number) =>
    contextOf({ path: 'src/a.js', side: 'RIGHT', line }, source(...lines)).anchor;
  expect([
    brace(body, 6),
    brace(['{', '}', '{', '}'], 2),
    contextOf({ path: 'src/b.js', side: 'RIGHT', line: 1 }, source(...body)).anchor,
    name([], 4) === name([], 7),
    name([], 4) === name([], 4, { title: 'Another' }),
  ]).toEqual(['returnsum;\n}', '{\n}\n{\n}', '', true, false]);
});

test.each<[what: string, first: number, last: number]>([
  ['a short line, which is known by those around', 12, 12],
  ['more lines than are compared', 11, 34],
])('the lines of a finding on %s stay as they are', (_, start_line, line) => {
  const text = Array.from({ length: 40 }, (_unused, at) => (at === 11 ? '##' : `Entry ${at} of many`));
  const place = { path: 'src/a.js', side: 'RIGHT' as const, line, start_line };
  const context = contextOf(place, source(...text));
  expect([
    lineStatusOf({ ...place, ...context }, source(...text)),
    lineStatusOf({ ...place, ...context }, source('New', ...text)),
  ]).toEqual([
    { kind: 'untouched', line },
    { kind: 'untouched', line: line + 1 },
  ]);
});

test('finds the same one of several equal places', () => {
  const text = ['alpha = 1', 'beta = 2', 'sameAgain(1);', 'gamma = 3', 'delta = 4'];
  const others = ['x = 1', 'y = 2', 'z = 3', 'sameAgain(1);', 'u = 4', 'v = 5', 'w = 6'];
  const all = [...text, 'end', ...others, ...text, 'end'];
  const place = { path: 'src/a.js', side: 'RIGHT' as const, line: 16 };
  const context = contextOf(place, source(...all));
  expect([context.occurrence, lineStatusOf({ ...place, ...context }, source(...all))]).toEqual([
    2,
    { kind: 'untouched', line: 16 },
  ]);
});

test('tells untouched, touched, changed and deleted lines apart', () => {
  const known = {
    path: 'src/a.js',
    side: 'RIGHT' as const,
    line: 4,
    ...contextOf({ ...finding, line: 4 }, source(...body)),
  };
  const now = (lines: string[]) => lineStatusOf(known, source(...lines));
  expect([
    now(['', '// moved', ...body]),
    now(body.with(2, '  for (const one of list ?? [])')),
    now(body.with(3, '    sum += Number(one);')),
    now(body.toSpliced(3, 1)),
    lineStatusOf({ ...known, anchor: '' }, source(...body)),
    lineStatusOf({ ...known, path: 'src/gone.js' }, source(...body)),
  ]).toEqual([
    { kind: 'untouched', line: 6 },
    { kind: 'touched', line: 4 },
    { kind: 'gone', changed: true },
    { kind: 'gone', changed: false },
    { kind: 'unknown' },
    { kind: 'gone', changed: false },
  ]);
});

test('reads lines from the head’s files, else from the diff', async () => {
  const asked: unknown[] = [];
  const readText = async (path: string, sha: string) => {
    asked.push([path, sha]);
    return path === 'a' ? 'x\ny' : null;
  };
  const map = { lines: (path: string, side: string) => new Map([[7, `${path} ${side}`]]) };
  const source = await textSource(['a', 'b', 'a'], 'sha', map as never, { readText } as never);
  const lines = (path: string, side: 'LEFT' | 'RIGHT') => [...(source.lines(path, side) ?? [])];
  expect([lines('a', 'RIGHT'), lines('a', 'LEFT'), lines('b', 'RIGHT'), lines('c', 'RIGHT'), asked]).toEqual([
    [
      [1, 'x'],
      [2, 'y'],
    ],
    [[7, 'a LEFT']],
    [[7, 'b RIGHT']],
    [[7, 'c RIGHT']],
    [
      ['a', 'sha'],
      ['b', 'sha'],
    ],
  ]);
  expect([...numbered('')]).toEqual([[1, '']]);
});

test('reads lines from the head or the diff, and deleted ones from the diff', async () => {
  const map = createHunkMap(
    ['a', 'b']
      .map(
        (name) => `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n@@ -4 +4 @@\n-old\n+new\n`,
      )
      .join(''),
  );
  const asked: string[] = [];
  const source = await textSource(['a', 'b', 'a', 'c'], 'head', map, {
    readText: async (path, sha) => {
      asked.push(`${path}@${sha}`);
      return path === 'a' ? 'x\ny' : null;
    },
  });
  expect([
    asked,
    ...(['a', 'b', 'c'] as const).map((path) => [source.lines(path, 'RIGHT'), source.lines(path, 'LEFT')]),
  ]).toEqual([
    ['a@head', 'b@head', 'c@head'],
    [
      new Map([
        [1, 'x'],
        [2, 'y'],
      ]),
      new Map([[4, 'old']]),
    ],
    [new Map([[4, 'new']]), new Map([[4, 'old']])],
    [null, null],
  ]);
});
