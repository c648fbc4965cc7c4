import { expect, test } from 'vitest';
import { hasName, lastName, namePartsOf, plainName } from '../../../src/extensions/language/symbol-names.ts';

test.for([
  ['greet', ['greet'], 'greet'],
  ['Shape.area', ['Shape', 'area'], 'area'],
  ['std::vec::Vec', ['std', 'vec', 'Vec'], 'Vec'],
  ['Shape#area', ['Shape', 'area'], 'area'],
] as const)('%s has the parts %j', ([symbol, parts, last]) => {
  expect([namePartsOf(symbol), lastName(symbol)]).toEqual([parts, last]);
});

test.for([
  '',
  ' ',
  '.',
  'foo.',
  'Foo::',
  'Foo#',
  'Foo. ',
])('"%s" does not end in a name and is refused', (symbol) => {
  expect(() => lastName(symbol)).toThrow(
    expect.objectContaining({
      kind: 'invalid_input',
      message: `symbol must end with a name, and "${symbol.trim()}" does not. Give the name alone, or with its container: Class.method, module::name.`,
    }),
  );
});

test("the parameters in a server's symbol name are ignored", () => {
  expect(['greet(int, a.B)', 'Map<K, V>', 'greet'].map(plainName)).toEqual(['greet', 'Map', 'greet']);
});

test('a symbol matches a name with any subset of its containers', () => {
  const symbol = { name: 'area(int)', within: ['shapes', 'Square<T>'] };
  const requested = [
    'area',
    'Square.area',
    'shapes.Square.area',
    'shapes.area',
    'more.shapes.Square.area',
    'are',
  ];
  expect(requested.map((one) => hasName(symbol, namePartsOf(one)))).toEqual([
    ...[true, true, true],
    ...[false, false, false],
  ]);
});
