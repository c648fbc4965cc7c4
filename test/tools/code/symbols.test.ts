import { expect, test } from 'vitest';
import {
  omittedNotes,
  orderDefinitions,
  orderReferences,
  renderSymbol,
} from '../../../src/tools/code/render-symbols.ts';
import type { LocatedSymbol } from '../../../src/tools/code/search-symbols.ts';
import { liesIn, parseSymbolQuery } from '../../../src/tools/code/symbol-query.ts';
import { byLocation } from '../../../src/tools/search/found-line.ts';

test.for([
  ['run', 'run', [], false],
  [' run ', 'run', [], false],
  ['run()', 'run', [], false],
  ['run(a,\nb)', 'run', [], false],
  ['run*', 'run', [], true],
  ['Shop.run', 'run', ['Shop'], false],
  ['Shop#run', 'run', ['Shop'], false],
  ['a::B::run', 'run', ['a', 'B'], false],
  ['App\\Shop', 'Shop', ['App'], false],
  ['$this->run', 'run', ['this'], false],
  ['$object->name', 'name', ['object'], false],
  ['@name', 'name', [], false],
  ['&name', 'name', [], false],
  ['$', '$', [], false],
  ['$1', '$1', [], false],
  ['(*Command).Traverse', 'Traverse', ['Command'], false],
  ['( &pkg.Command ).Traverse', 'Traverse', ['pkg', 'Command'], false],
  ['empty?', 'empty?', [], false],
  ['save!', 'save!', [], false],
  ['größe_1', 'größe_1', [], false],
  ['.run', 'run', [], false],
] as const)('%j searches for %s in %j, as a prefix: %s', ([written, name, owners, prefix]) => {
  const query = parseSymbolQuery(written);
  expect([query.name, query.owners, query.prefix]).toEqual([name, owners, prefix]);
});

test.for(['', '*', 'a b', '1a', 'a.', 'a-b', 'empty??', 'a?b', '(a)'])('%j is no name', (written) => {
  expect(() => parseSymbolQuery(written)).toThrow(
    `"${written}" is not the name of a symbol. Give a name (parse), a member (Parser.parse) or the start of one (parse*); for other text use grep.`,
  );
});

const symbol = (more: Partial<LocatedSymbol> = {}): LocatedSymbol => ({
  ...{ name: 'run', kind: 'method', role: 'definition', line: 3, column: 5, containers: [], local: false },
  ...{ declaration: false, receiver: null, path: 'src/shop.ts', text: '    run() {', generated: false },
  language: 'typescript',
  ...more,
});
const inside = (...names: string[]) => names.map((name) => ({ name, kind: 'class' as const }));

test('a symbol belongs to its owners, its file and the folders of the file', () => {
  const lies = (written: string, ...containers: string[]) =>
    liesIn(symbol({ containers: inside(...containers) }), 'src/shop.d/door.ts', parseSymbolQuery(written));
  expect([
    lies('run', 'Shop'),
    lies('Shop.run', 'Shop'),
    lies('Outer.Shop.run', 'Outer', 'Inner', 'Shop'),
    lies('Outer.run', 'Outer', 'Shop'),
    lies('Shop.Outer.run', 'Outer', 'Shop'),
    lies('door.run'),
    lies('src.door.run'),
    lies('door.Shop.run', 'Shop'),
    lies('ts.run'),
    lies('Shop.run'),
  ]).toEqual([true, true, true, false, false, true, true, true, false, false]);
});

test('matches are sorted by path, line and column, other repositories last', () => {
  const at = (path: string, line: number, column?: number) => ({
    path,
    line,
    ...(column === undefined ? {} : { column }),
  });
  const places = [
    at('b', 1),
    at('../a', 1),
    at('a', 2, 9),
    at('a', 2, 1),
    at('a', 1),
    at('a', 10),
    at('..b', 1),
  ];
  expect(places.sort(byLocation).map(({ path, line, column }) => `${path}:${line}:${column ?? ''}`)).toEqual([
    ...['..b:1:', 'a:1:', 'a:2:1', 'a:2:9', 'a:10:', 'b:1:', '../a:1:'],
  ]);
});

test('a symbol is displayed with its container and its further properties', () => {
  expect([
    renderSymbol(symbol()),
    renderSymbol(symbol({ containers: inside('Outer', 'Shop') })),
    renderSymbol(symbol({ declaration: true, generated: true })),
    renderSymbol(symbol({ role: 'reference', local: true, kind: 'call' })),
    renderSymbol(symbol({ local: true })),
  ]).toEqual([
    'src/shop.ts:3:5 method run: run() {',
    'src/shop.ts:3:5 method run in class Outer.Shop: run() {',
    'src/shop.ts:3:5 method run (declared only, generated): run() {',
    'src/shop.ts:3:5 call run (local variable): run() {',
    'src/shop.ts:3:5 method run: run() {',
  ]);
});

test('a long line is cut around the name', () => {
  const line = (length: number, column: number) => {
    const text = 'x'.repeat(length);
    return renderSymbol(symbol({ text, column }))
      .replace(/^.*run: /, '')
      .replace(/x+/, (run) => `<${run.length}>`);
  };
  expect([
    line(160, 1),
    line(161, 1),
    line(161, 62),
    line(400, 62),
    line(400, 61),
    line(400, 300),
    line(400, 301),
  ]).toEqual(['<160>', '<160> …', '… <160>', '… <160> …', '<160> …', '… <160> …', '… <160>']);
});

test('definitions are sorted by relevance, references by file and receiver', () => {
  const names = (symbols: readonly LocatedSymbol[]) => symbols.map(({ name }) => name).join(' ');
  const all = [
    symbol({ name: 'local', local: true }),
    symbol({ name: 'made', generated: true }),
    symbol({ name: 'said', declaration: true }),
    symbol({ name: 'madeSaid', generated: true, declaration: true }),
    symbol({ name: 'real' }),
  ];
  const reference = (name: string, more: Partial<LocatedSymbol> = {}) =>
    symbol({ name, role: 'reference', ...more });
  const used = [
    reference('local', { local: true, receiver: 'this' }),
    reference('made', { generated: true, receiver: 'this' }),
    reference('none'),
    reference('other', { receiver: 'shops' }),
    reference('own', { receiver: 'this' }),
    reference('self', { receiver: 'self' }),
    reference('cls', { receiver: 'cls' }),
    reference('written', { receiver: 'the.Shop' }),
  ];
  expect([
    names(orderDefinitions([...all, ...used])),
    names(orderReferences([...used, ...all], 'Shop')),
    names(orderReferences(used)),
  ]).toEqual([
    'real said made madeSaid local',
    'own self cls written none other made local',
    'none other own self cls written made local',
  ]);
});

test('paths not searched are reported with the reason', () => {
  const notes = (omitted: object) => omittedNotes({ omitted } as never);
  const left = (count: string, words: string) => `[${count} with the name left out: ${words}]`;
  expect([
    notes({}),
    notes({ gone: 3 }),
    notes({ more: 1, late: 1, other: 2, large: 1, minified: 1, binary: 1, slow: 1, broken: 1 }),
  ]).toEqual([
    [],
    [],
    [
      '[more files have the name than could be listed; narrow path, glob or the name]',
      left('1 file', 'not looked at, since there are too many; narrow path, glob or language'),
      left('2 files', 'no code in a language that is understood here; use grep for them'),
      left('1 file', 'over 1 MiB'),
      left('1 file', 'minified'),
      left('1 file', 'with NUL bytes'),
      left('1 file', 'that took too long to parse'),
      left('1 file', 'that could not be parsed'),
    ],
  ]);
});
