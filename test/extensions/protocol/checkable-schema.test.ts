import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/contract/json.ts';
import { checkableSchema } from '../../../src/extensions/protocol/checkable-schema.ts';

test.each<[what: string, schema: JsonObject, checked: Json]>([
  [
    'keywords that are checked',
    { type: 'string', minLength: 1, anyOf: [{ type: 'null' }] },
    { type: 'string', minLength: 1, anyOf: [{ type: 'null' }] },
  ],
  [
    'regular expressions',
    { pattern: 'x', format: 'date', patternProperties: {}, items: { pattern: 'x', type: 'string' } },
    { items: { type: 'string' } },
  ],
  ['definitions', { $defs: { a: {} }, definitions: { a: {} } }, {}],
  [
    'arguments called as keywords',
    { properties: { pattern: { pattern: 'x' }, $defs: { type: 'null' } } },
    { properties: { pattern: {}, $defs: { type: 'null' } } },
  ],
  [
    'data that looks like a schema',
    { enum: [{ pattern: 1 }], const: { format: 1 }, default: { $ref: '#' }, examples: [{ $defs: 1 }] },
    { enum: [{ pattern: 1 }], const: { format: 1 }, default: { $ref: '#' }, examples: [{ $defs: 1 }] },
  ],
  [
    'a reference',
    { $defs: { 'a/b~': { type: 'null', pattern: 'x' } }, items: { $ref: '#/$defs/a~1b~0', title: 'x' } },
    { items: { type: 'null' } },
  ],
  [
    'a reference through a list',
    { anyOf: [{ type: 'null' }], items: { $ref: '#/anyOf/0' } },
    { anyOf: [{ type: 'null' }], items: { type: 'null' } },
  ],
  ['a reference to nothing', { items: { $ref: '#/$defs/a' } }, { items: {} }],
  ['a reference to what every object has', { items: { $ref: '#/constructor' } }, { items: {} }],
  ['a reference to a text', { type: 'object', items: { $ref: '#/type' } }, { type: 'object', items: {} }],
  [
    'a reference to a part of a text',
    { type: 'object', items: { $ref: '#/type/length' } },
    { type: 'object', items: {} },
  ],
  [
    'a reference elsewhere',
    { $defs: { a: { type: 'null' } }, items: { $ref: 'http://x/#/$defs/a' } },
    { items: {} },
  ],
  ['a reference by a name', { $defs: { a: { $anchor: 'a' } }, items: { $ref: '#a' } }, { items: {} }],
  [
    'a reference to itself',
    { $defs: { a: { items: { $ref: '#/$defs/a' }, type: 'array' } }, items: { $ref: '#/$defs/a' } },
    { items: { items: {}, type: 'array' } },
  ],
  [
    'a reference to the whole',
    { type: 'array', items: { $ref: '#' } },
    { type: 'array', items: { type: 'array', items: {} } },
  ],
])('of a schema with %s what can be checked stays', (_, schema, checked) => {
  expect(checkableSchema(schema)).toEqual(checked);
});

test('references may add four thousand schemas, and what comes after takes anything', () => {
  const list = Array.from({ length: 1_999 }, () => ({ type: 'null' }));
  const schema = {
    $defs: { a: { anyOf: list } },
    allOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }],
    not: { $ref: '#/$defs/a' },
  };
  expect(checkableSchema(schema)).toEqual({ allOf: [{ anyOf: list }, { anyOf: list }], not: {} });
});
