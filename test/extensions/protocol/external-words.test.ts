// biome-ignore-all lint/suspicious/noTemplateCurlyInString: configuration writes variables so
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/contract/json.ts';
import { externalName, readDeclaredTool } from '../../../src/extensions/protocol/declared-tool.ts';
import { expandAll, expandVariables } from '../../../src/extensions/protocol/expand-variables.ts';
import { checkableSchema } from '../../../src/extensions/protocol/input-schema.ts';
import { answeredId, isBoundedJson, messageLines } from '../../../src/extensions/protocol/message-lines.ts';
import { plainArguments } from '../../../src/tools/registry/plain-arguments.ts';

test.for([
  ['{"jsonrpc":"2.0","id":12,"result":"', '', '12'],
  [' { "id" : "a-1" , "result":', '', '"a-1"'],
  ['{"id":7', '"id":8}', '7'],
  ['{"result":"', '"},"id":9,"jsonrpc":"2.0"}\n', '9'],
  ['{"result":"', '"}, "id" : "x" }', '"x"'],
  ['{"result":{"id":3', '"}}', null],
  ['{"jsonrpc":"1.0","id":12', '', null],
  ['{"id":null', '', null],
  [`{"id":"${'x'.repeat(101)}"`, '', null],
  [`{"id":"${'x'.repeat(100)}"`, '', `"${'x'.repeat(100)}"`],
  ['[{"id":1', '"id":2}]', null],
] as const)('a message that begins %j and ends %j answers %j', ([head, tail, id]) => {
  expect(answeredId({ head, tail })).toBe(id);
});

test('JSON is limited in its parts and its depth', () => {
  const bounded = (value: unknown, parts: number, depth: number) =>
    isBoundedJson(value as never, { parts, depth });
  expect([
    bounded(1, 1, 0),
    bounded(1, 0, 0),
    bounded([1, 2], 3, 1),
    bounded([1, 2], 2, 1),
    bounded({ a: [1] }, 3, 2),
    bounded({ a: [1] }, 3, 1),
    bounded(null, 1, 0),
  ]).toEqual([true, false, true, false, true, false, true]);
});

test('an external name has ASCII letters, at most 64', () => {
  expect([
    externalName('tb__', ' Say Hi! '),
    externalName('x_', 'A.b/c-d_1'),
    externalName('x_', '__a__'),
    externalName('x_', '!?'),
    externalName('x_', 'größe'),
    externalName('x_', 'a'.repeat(63)),
  ]).toEqual(['tb__say_hi', 'x_a_b_c-d_1', 'x_a', null, 'x_gr_e', `x_${'a'.repeat(62)}`]);
});

describe('variables', () => {
  const variables = { A: '1', EMPTY: '', A_b2: '3' };
  const put = (text: string) => {
    const found = expandVariables(text, variables);
    return 'missing' in found ? `missing ${found.missing}` : found.text;
  };

  test.for([
    ['x${A}y{env:A}', 'x1y1'],
    ['${A:-9}${B:-9}${EMPTY:-8}${EMPTY}', '198'],
    ['${B:-}', ''],
    ['${A_b2}', '3'],
    ['$A ${1A} ${} {env:} {env:1}', '$A ${1A} ${} {env:} {env:1}'],
    ['${B}${C}', 'missing B'],
    ['{env:C}', 'missing C'],
    ['${toString}', 'missing toString'],
  ] as const)('in %j give %j', ([text, made]) => {
    expect(put(text)).toBe(made);
  });

  test('of several texts are replaced in all, or the first missing one is reported', () => {
    const all = (texts: Record<string, string>) => expandAll(texts, 'header', { holder: 'mcp:x', variables });
    expect([all({ a: '${A}', b: 'c' }), all({ a: '${A}', b: '${B}', c: '${C}' })]).toEqual([
      { texts: { a: '1', b: 'c' } },
      {
        problem:
          "its header b names the variable B, which it is not given (env.pass: { 'mcp:x': [B] }) or which is not set",
      },
    ]);
  });
});

describe('a schema for validation', () => {
  test('has no regular expressions, and includes its references', () => {
    expect(
      checkableSchema({
        type: 'object',
        properties: {
          pattern: { type: 'string', pattern: 'a', format: 'date' },
          a: { $ref: '#/$defs/x~1y' },
        },
        patternProperties: { a: {} },
        $defs: { 'x/y': { type: 'string', enum: [{ pattern: 'kept' }] } },
        definitions: {},
        default: { format: 'kept' },
        const: { $ref: 'kept' },
        examples: [{ $defs: 1 }],
        anyOf: [{ $ref: '#/properties/pattern' }, { $ref: 'other' }, { $ref: '#/none' }, { $ref: '#' }, true],
      }),
    ).toEqual({
      type: 'object',
      properties: { pattern: { type: 'string' }, a: { type: 'string', enum: [{ pattern: 'kept' }] } },
      default: { format: 'kept' },
      const: { $ref: 'kept' },
      examples: [{ $defs: 1 }],
      anyOf: [{ type: 'string' }, {}, {}, expect.any(Object), true],
    });
  });

  test('ends at circular or unknown references', () => {
    expect([
      checkableSchema({ $defs: { a: { items: { $ref: '#/$defs/a' } } }, items: { $ref: '#/$defs/a' } }),
      checkableSchema({ $defs: { 'a~b': { type: 'null' } }, items: { $ref: '#/$defs/a~0b' } }),
      checkableSchema({ items: { $ref: '#/toString' }, not: { $ref: '#/items/$ref' } }),
    ]).toEqual([{ items: { items: {} } }, { items: { type: 'null' } }, { items: {}, not: {} }]);
  });
});

describe('a declared tool', () => {
  const read = (json: object, hide?: (text: string) => string) =>
    readDeclaredTool(json, {
      prefix: 'tb__',
      verb: 'described itself',
      ...(hide === undefined ? {} : { hide }),
    });
  const plain = { name: 'hi', description: ' Says hi ' };

  test('has a name, a description, a level and a time limit', () => {
    const read1 = read({ ...plain, permission: 'auto_read', timeout_seconds: 1_801 });
    expect(read1).toMatchObject({
      ...{ given: 'hi', name: 'tb__hi', description: 'Says hi', level: 'auto_read', timeoutSeconds: 1_800 },
    });
    expect(read(plain)).toMatchObject({ level: 'confirm_execute', timeoutSeconds: null });
    const long = read({ ...plain, description: 'd'.repeat(4_001) });
    expect('description' in long ? long.description.length : 0).toBe(4_000);
  });

  test('has arguments by name, with a description, a type, or their own schema', () => {
    const displayed = (more: object) => {
      const tool = read({ ...plain, ...more });
      return 'schema' in tool ? tool.schema.shown : tool;
    };
    const schema = { type: 'object', properties: { b: { type: 'string' } } };
    expect([
      displayed({ args: { a: 'An A', b: ['number', 'A B'], c: { type: 'boolean' } } }),
      displayed({ args: schema }),
      displayed({ args: { properties: { b: { type: 'string' } } } }),
      displayed({ args: { type: 'object' } }),
      ...['$ref', 'anyOf', 'oneOf', 'allOf'].map((key) => displayed({ args: { [key]: [] } })),
      displayed({ input_schema: schema, args: { a: 'x' } }),
      displayed({ inputSchema: schema, input_schema: { type: 'object' } }),
      displayed({}),
    ]).toEqual([
      {
        type: 'object',
        properties: {
          a: { description: 'An A' },
          b: { type: 'number', description: 'A B' },
          c: { type: 'boolean' },
        },
      },
      schema,
      schema,
      { type: 'object' },
      ...['$ref', 'anyOf', 'oneOf', 'allOf'].map((key) => ({ [key]: [], type: 'object' })),
      schema,
      schema,
      { type: 'object' },
    ]);
    const parse = (more: object, value: object) => {
      const tool = read({ ...plain, ...more });
      return 'schema' in tool ? tool.schema.input.parse(value) : tool;
    };
    expect([parse({ args: { a: 'x' } }, { a: 1, z: 2 }), parse({ args: schema }, { b: 'x', z: 2 })]).toEqual([
      { a: 1 },
      { b: 'x', z: 2 },
    ]);
  });

  test('that is invalid is reported with the position of the fault', () => {
    const hide = (text: string) => text.replaceAll('secret', '[hidden]');
    expect([
      read({ description: 'x' }),
      read({ name: 'a', description: ' ' }),
      read([]),
      read({ ...plain, name: '!secret'.replace('secret', '?') }),
      read({ ...plain, args: 3 }),
      read({ ...plain, inputSchema: { type: 'string' } }),
      readDeclaredTool({ ...plain, name: '…' }, { prefix: '', verb: 'v', hide }),
    ]).toEqual([
      { problem: 'described itself wrongly at name: Invalid input: expected string, received undefined' },
      { problem: expect.stringMatching(/^described itself wrongly at description: Too small/) },
      { problem: 'described itself wrongly: Invalid input: expected object, received array' },
      { problem: 'has a name without a letter or digit: "!?"' },
      { problem: 'has a schema that is not an object' },
      { problem: 'has a schema that is of type "string", and arguments are an object' },
      { problem: 'has a name without a letter or digit: "…"' },
    ]);
  });
});

test("arguments are converted to the schema's types if that is unambiguous", () => {
  const schema = (type: unknown, required: string[] = []): JsonObject =>
    ({ properties: { a: { type } }, required }) as JsonObject;
  const taken = (type: unknown, value: unknown, required: string[] = []) =>
    plainArguments(schema(type, required), { a: value } as JsonObject);
  expect([
    taken('number', ' 1.5 '),
    taken('number', 'x'),
    taken('number', '"1"'),
    taken('integer', '2'),
    taken('integer', '2.5'),
    taken('boolean', 'true'),
    taken('boolean', '1'),
    taken('array', '[1]'),
    taken('array', '{}'),
    taken('object', '{"b":1}'),
    taken('object', '[1]'),
    taken('string', 7),
    taken('string', '7'),
    taken('string', true),
    taken('string', null),
    taken('string', null, ['a']),
    taken('null', null),
    taken(['string', 'null'], null),
    taken(undefined, '1'),
    plainArguments({}, { a: '1' }),
    plainArguments({ properties: { a: 3 } }, { a: '1' }),
    plainArguments({ properties: {} }, { toString: '1' } as never),
  ]).toEqual<unknown>([
    { a: 1.5 },
    { a: 'x' },
    { a: '"1"' },
    { a: 2 },
    { a: '2.5' },
    { a: true },
    { a: '1' },
    { a: [1] },
    { a: '{}' },
    { a: { b: 1 } },
    { a: '[1]' },
    { a: '7' },
    { a: '7' },
    { a: true },
    {},
    { a: null },
    { a: null },
    { a: null },
    { a: '1' },
    { a: '1' },
    { a: '1' },
    { toString: '1' },
  ]);
});

describe('lines of a server', () => {
  function cut(limits: { message: number; line: number }, ...chunks: string[]) {
    const reported: unknown[] = [];
    const push = messageLines(limits, {
      line: (text) => reported.push(text),
      tooLong: (line) => reported.push(line),
      endless: () => reported.push('endless'),
    });
    for (const chunk of chunks) push(Buffer.from(chunk));
    return reported;
  }

  test('are returned whole, however they are split', () => {
    expect(cut({ message: 5, line: 9 }, 'a', 'b\n\ncd', 'e\n', '12345\nx')).toEqual([
      'ab',
      '',
      'cde',
      '12345',
    ]);
  });

  test('over the limit are reported by their size and their ends', () => {
    const long = `${'a'.repeat(600)}${'b'.repeat(600)}`;
    const ends = { head: 'a'.repeat(512), tail: 'b'.repeat(512) };
    expect([
      cut({ message: 5, line: 99 }, '123456\nok\n'),
      cut({ message: 5, line: 99 }, '123', '456', '7\nok\n'),
      cut({ message: 1_000, line: 9_999 }, `${long}\n`),
      cut(
        { message: 1_000, line: 9_999 },
        long.slice(0, 300),
        long.slice(300, 1_100),
        `${long.slice(1_100)}\n`,
      ),
    ]).toEqual([
      [{ bytes: 6, head: '123456', tail: '123456' }, 'ok'],
      [{ bytes: 7, head: '1234567', tail: '1234567' }, 'ok'],
      [{ bytes: 1_200, ...ends }],
      [{ bytes: 1_200, ...ends }],
    ]);
  });

  test('without an end are the last', () => {
    expect([
      cut({ message: 2, line: 4 }, '1234', '\nok\n'),
      cut({ message: 2, line: 4 }, '12345', '\nok\n'),
    ]).toEqual([[{ bytes: 4, head: '1234', tail: '1234' }, 'ok'], ['endless']]);
  });
});
