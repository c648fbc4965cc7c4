import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/contract/json.ts';
import { checkableSchema, externalSchema } from '../../../src/extensions/protocol/input-schema.ts';

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
])('the checkable parts of a schema with %s stay', (_, schema, checked) => {
  expect(checkableSchema(schema)).toEqual(checked);
});

test('references may add four thousand schemas, and later ones accept anything', () => {
  const list = Array.from({ length: 1_999 }, () => ({ type: 'null' }));
  const schema = {
    $defs: { a: { anyOf: list } },
    allOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }],
    not: { $ref: '#/$defs/a' },
  };
  expect(checkableSchema(schema)).toEqual({ allOf: [{ anyOf: list }, { anyOf: list }], not: {} });
});

/** What a schema makes of arguments: them, or what is wrong with them. */
function check(schema: Json, input: unknown) {
  const made = externalSchema(schema);
  if ('problem' in made) return made.problem;
  const { data, error } = made.input.safeParse(input);
  return error === undefined
    ? data
    : error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

const object = (properties: Json, more: { [key: string]: Json } = {}): Json => ({
  type: 'object',
  properties,
  ...more,
});

describe('a schema from elsewhere', () => {
  test('validates, with default values and undeclared fields', () => {
    const schema = object({ a: { type: 'string' }, n: { type: 'integer', default: 3 } }, { required: ['a'] });
    expect([check(schema, { a: 'x', more: 1 }), check(schema, { n: 'x' })]).toEqual([
      { a: 'x', n: 3, more: 1 },
      [
        'a: Invalid input: expected string, received undefined',
        'n: Invalid input: expected number, received string',
      ],
    ]);
  });

  test('is displayed whole even if a part of it cannot be checked here', () => {
    const schema = object(
      { a: { $ref: 'https://example.com/other.json' } },
      { dependentRequired: { a: ['b'] } },
    );
    const made = externalSchema(schema);
    expect([made, check(schema, { a: 1 })]).toEqual([{ shown: schema, input: expect.anything() }, { a: 1 }]);
  });

  test('is displayed without its draft, which tells a model nothing', () => {
    const schema = object({ a: { type: 'string' } });
    const made = externalSchema({
      $schema: 'http://json-schema.org/draft-07/schema#',
      ...(schema as object),
    });
    expect(made).toEqual({ shown: schema, input: expect.anything() });
  });

  test('leaves its regular expressions to its tool, because matching them could take long', () => {
    const schema = object({ pattern: { type: 'string', pattern: '^(a+)+$' } });
    expect([check(schema, { pattern: `${'a'.repeat(60)}!` }), check(schema, { pattern: 1 })]).toEqual([
      { pattern: `${'a'.repeat(60)}!` },
      ['pattern: Invalid input: expected string, received number'],
    ]);
  });

  test('with circular or exponentially growing references is processed in linear time', () => {
    const doubled = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => {
        const next = { $ref: `#/$defs/d${at + 1}` };
        return [`d${at}`, { anyOf: [next, next] }];
      }),
    );
    const $defs = { ...doubled, d40: { type: 'string' } };
    const schemas = [
      { $ref: '#' },
      object({}, { allOf: [{ $ref: '#' }] }),
      object({ x: { $ref: '#/$defs/a' } }, { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }),
      object({ x: { $ref: '#/$defs/d0' } }, { $defs }),
      object({ x: { $ref: '#/$defs/d39' } }, { $defs }),
    ];
    expect(schemas.map((schema) => check(schema, { x: 1 }))).toEqual([
      { x: 1 },
      { x: 1 },
      { x: 1 },
      { x: 1 },
      ['x: Invalid input'],
    ]);
  });

  test('may be missing, and may contain itself', () => {
    const tree = object({ children: { type: 'array', items: { $ref: '#' } } });
    expect([
      externalSchema(undefined),
      check(tree, { children: [{ children: [] }] }),
      check(tree, { children: [{ children: 1 }] }),
    ]).toEqual([
      { shown: { type: 'object' }, input: expect.anything() },
      { children: [{ children: [] }] },
      ['children.0.children: Invalid input: expected array, received number'],
    ]);
  });

  const deep = Array.from({ length: 40 }).reduce<Json>((inner) => ({ not: inner }), {});
  const refused: readonly { schema: Json; problem: string }[] = [
    { schema: 'x', problem: 'is not an object' },
    { schema: { type: 'array' }, problem: 'is of type "array", and arguments are an object' },
    { schema: object(['a']), problem: 'has properties that are no object' },
    {
      schema: object({ a: { anyOf: [{ type: 'text' }] } }),
      problem: 'has the type "text", which JSON Schema does not know',
    },
    {
      schema: object({ a: { description: 'x'.repeat(40_000) } }),
      problem: 'has 40055 bytes, and 32768 are the most',
    },
    { schema: object({ a: deep }), problem: 'is nested more than 24 deep' },
  ];
  test.for(refused)('is refused if it $problem', ({ schema, problem }) => {
    expect(check(schema, {})).toBe(problem);
  });
});
