import { expect, test } from 'vitest';
import type { Json } from '../../../src/contract/json.ts';
import { plainArguments } from '../../../src/tools/registry/plain-arguments.ts';

test.each<[type: Json, given: Json, becomes: Json]>([
  ['string', 3, '3'],
  ['string', '3', '3'],
  ['string', true, true],
  ['number', ' 3.5 ', 3.5],
  ['number', 'x', 'x'],
  ['number', 'true', 'true'],
  ['integer', '3', 3],
  ['integer', '3.5', '3.5'],
  ['integer', '9007199254740992', '9007199254740992'],
  ['boolean', 'true', true],
  ['boolean', '1', '1'],
  ['array', '[1]', [1]],
  ['array', '{}', '{}'],
  ['object', '{"a":1}', { a: 1 }],
  ['object', '[1]', '[1]'],
  ['null', null, null],
  ['null', 'null', 'null'],
  ['other', '1', '1'],
  [['string', 'number'], '3', '3'],
  ['array', `[${' '.repeat(1_000_000)}]`, `[${' '.repeat(1_000_000)}]`],
  ['array', `[${' '.repeat(999_998)}]`, []],
])('an argument of type %j is converted', (type, given, becomes) => {
  expect(plainArguments({ properties: { a: { type } } }, { a: given })).toEqual({ a: becomes });
});

test('null is dropped if it may be, and undeclared arguments stay', () => {
  const properties = { a: { type: 'number' }, b: { type: 'number' }, c: true, d: {} };
  const given = { a: null, b: null, c: null, d: null, e: '1' };
  expect(plainArguments({ properties, required: ['b'] }, given)).toEqual({
    b: null,
    c: null,
    d: null,
    e: '1',
  });
  expect(plainArguments({ properties, required: 'b' }, { b: null })).toEqual({});
  expect(plainArguments({ properties: [], required: [] }, { a: '1' })).toEqual({ a: '1' });
  expect(plainArguments({}, { a: '1', toString: '1' })).toEqual({ a: '1', toString: '1' });
});
