import { expect, test } from 'vitest';
import type { Json } from '../../../src/contract/json.ts';
import { findNamed } from '../../../src/extensions/language/lsp-tool.ts';
import { findDefined, readSymbols } from '../../../src/extensions/language/read-symbols.ts';

const range = (line: number) => ({ start: { line, character: 1 }, end: { line, character: 9 } });

test('symbols are read with their containers, in the order of the answer', () => {
  const value: Json = [
    {
      ...{ name: 'Shop', kind: 5, range: range(0), selectionRange: range(1), detail: ' of\nall ' },
      children: [{ name: 'open', kind: 6, range: range(2), children: [{ name: 'now', range: range(3) }] }],
    },
    { name: 'no place', kind: 5, children: [{ name: 'inner', range: range(4) }] },
    { name: 7, range: range(5) },
    'no symbol',
    { name: 'flat', kind: 12, containerName: 'mod', location: { uri: 'file:///a', range: range(6) } },
    { name: 'bare', kind: 12, containerName: '', location: { uri: 'file:///b' } },
    { name: 'none', kind: 12, location: { uri: 1 } },
  ];
  expect(readSymbols(value)).toEqual([
    {
      ...{ name: 'Shop', kind: 'class', detail: 'of all', uri: null },
      ...{ start: { line: 1, character: 1 }, depth: 0, within: [] },
    },
    {
      ...{ name: 'open', kind: 'method', detail: '', uri: null },
      ...{ start: { line: 2, character: 1 }, depth: 1, within: ['Shop'] },
    },
    {
      ...{ name: 'now', kind: 'symbol', detail: '', uri: null },
      ...{ start: { line: 3, character: 1 }, depth: 2, within: ['Shop', 'open'] },
    },
    {
      ...{ name: 'inner', kind: 'symbol', detail: '', uri: null },
      ...{ start: { line: 4, character: 1 }, depth: 1, within: ['no place'] },
    },
    {
      ...{ name: 'flat', kind: 'function', detail: '', uri: 'file:///a' },
      ...{ start: { line: 6, character: 1 }, depth: 0, within: ['mod'] },
    },
    {
      ...{ name: 'bare', kind: 'function', detail: '', uri: 'file:///b' },
      ...{ start: { line: 0, character: 0 }, depth: 0, within: [] },
    },
  ]);
  expect([readSymbols(null), readSymbols({ name: 'x', range: range(0) })]).toEqual([[], []]);
});

test('symbols are read up to 33 levels deep, and up to 20,000', () => {
  let nested: Json = [];
  for (let depth = 0; depth < 40; depth += 1) nested = [{ name: 'x', range: range(0), children: nested }];
  const many = Array.from({ length: 20_001 }, () => ({ name: 'x', range: range(0) }));
  expect([readSymbols(nested).length, readSymbols(many).length]).toEqual([33, 20_000]);
});

test('names and details are cut to the length of a line', () => {
  const [symbol] = readSymbols([{ name: 'n'.repeat(300), detail: 'd'.repeat(300), range: range(0) }]);
  expect([symbol?.name.length, symbol?.detail.length]).toEqual([200, 120]);
});

test('of several definitions of a name, the one with the fewest containers counts', () => {
  const value: Json = [
    { name: 'Shop', range: range(0), children: [{ name: 'open', range: range(1) }] },
    { name: 'open', range: range(2) },
  ];
  expect([
    findDefined(value, ['open']),
    findDefined(value, ['Shop', 'open']),
    findDefined(value, ['close']),
  ]).toEqual([{ line: 2, character: 1 }, { line: 1, character: 1 }, null]);
});

test('symbols of the workspace are found by name, also if their container has a combined name', () => {
  const symbols = readSymbols([
    { name: 'open', containerName: 'shop.Door', location: { uri: 'file:///w/a.toy', range: range(1) } },
    { name: 'open', containerName: 'shop.Door', location: { uri: 'file:///etc/a.toy', range: range(1) } },
    { name: 'open', containerName: 'Window', location: { uri: 'file:///w/b.toy', range: range(2) } },
    { name: 'open', range: range(3) },
  ]);
  const found = (name: string) =>
    findNamed(symbols, name, '/w').map(({ path, symbol }) => [path, symbol.start.line]);
  expect([found('Door.open'), found('open'), found('close')]).toEqual([
    [['a.toy', 1]],
    [
      ['a.toy', 1],
      ['b.toy', 2],
    ],
    [],
  ]);
});
