import { expect, test } from 'vitest';
import {
  kindName,
  readLocation,
  readLocations,
  readRange,
} from '../../../src/extensions/language/protocol-values.ts';

test('each kind of symbol has its name by its number', () => {
  const kinds = Array.from({ length: 28 }, (_, kind) => kindName(kind));
  expect(kinds).toEqual([
    ...['symbol', 'file', 'module', 'namespace', 'package', 'class', 'method', 'property', 'field'],
    ...['constructor', 'enum', 'interface', 'function', 'variable', 'constant', 'string', 'number'],
    ...['boolean', 'array', 'object', 'key', 'null', 'enum member', 'struct', 'event', 'operator'],
    ...['type parameter', 'symbol'],
  ]);
  expect([kindName('5'), kindName(undefined)]).toEqual(['symbol', 'symbol']);
});

const start = { line: 0, character: 0 };
const end = { line: 2, character: 5 };

test('a range consists of two positions of integers from 0', () => {
  expect(readRange({ start, end, more: 1 })).toEqual({ start, end });
  const wrong = [
    ...[null, [], { start }, { end }, { start, end: [] }],
    { start: { ...start, line: -1 }, end },
    { start: { ...start, line: 0.5 }, end },
    { start: { ...start, character: '0' }, end },
    { start: { line: 0 }, end },
    { start, end: { line: 2 ** 53, character: 0 } },
  ];
  expect(wrong.map((one) => readRange(one))).toEqual(wrong.map(() => null));
});

test("a location is a location or a link to one, with the name's range", () => {
  const range = { start, end };
  const name = { start: end, end };
  const link = { targetUri: 'file:///b', targetRange: range, targetSelectionRange: name };
  expect([
    readLocation({ uri: 'file:///a', range }),
    readLocation(link),
    readLocation({ uri: 7, range }),
    readLocation({ uri: 'file:///a' }),
    readLocation('file:///a'),
  ]).toEqual([{ uri: 'file:///a', range }, { uri: 'file:///b', range: name }, null, null, null]);
  expect([readLocations({ uri: 'file:///a', range }), readLocations([link, 1]), readLocations(null)]).toEqual(
    [[{ uri: 'file:///a', range }], [{ uri: 'file:///b', range: name }], []],
  );
});
