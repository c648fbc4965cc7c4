import { describe, expect, it, test } from 'vitest';
import { bareName, named, type SyntaxNode } from '../../../src/tools/code/grammars/grammar.ts';
import type { NameQuery } from '../../../src/tools/code/grammars/syntax-symbol.ts';
import { analyse, listed } from './in-process.ts';

const text =
  'const order_id = 1;\nconst orderId = order_id;\nconst Orders = orderId;\nconst $order = 2;\nconst preorder = 3;\n';

async function found(query: NameQuery, source = text): Promise<string[]> {
  const { symbols } = await analyse('typescript', source, query);
  return symbols.map(({ name, line, role }) => `${line} ${name} ${role}`);
}

describe('a search for a name', () => {
  it('finds it as written', async () => {
    expect(await found({ name: 'orderId', prefix: false })).toEqual([
      '2 orderId definition',
      '3 orderId reference',
    ]);
    expect(await found({ name: 'order', prefix: false })).toEqual([]);
  });

  it('finds it by its beginning', async () => {
    expect(await found({ name: 'order', prefix: true })).toEqual([
      '1 order_id definition',
      '2 orderId definition',
      '2 order_id reference',
      '3 orderId reference',
    ]);
  });

  it('ignores case', async () => {
    expect(await found({ name: 'ORDERS', prefix: false, ignoreCase: true })).toEqual(['3 Orders definition']);
    expect(await found({ name: 'orders', prefix: false })).toEqual([]);
    expect(await found({ name: 'ORDERS', prefix: true, ignoreCase: true })).toEqual(['3 Orders definition']);
  });

  it('finds it inside a name, ignoring underscores', async () => {
    expect(await found({ name: 'derid', prefix: false, anywhere: true, ignoreCase: true })).toEqual([
      '1 order_id definition',
      '2 orderId definition',
      '2 order_id reference',
      '3 orderId reference',
    ]);
    expect(await found({ name: 'r_o_r', prefix: false, anywhere: true })).toEqual([]);
    expect(await found({ name: 'pre_order', prefix: false, anywhere: true })).toEqual([
      '5 preorder definition',
    ]);
  });

  it('takes pattern characters literally', async () => {
    expect(await found({ name: '$order', prefix: false })).toEqual(['4 $order definition']);
  });
});

test('a text with exactly the maximum of names is complete, with one more it is cut', async () => {
  const count = async (times: number) => {
    const { symbols, cut, sound } = await analyse('python', 'x()\n'.repeat(times), {
      name: 'x',
      prefix: false,
    });
    return { names: symbols.length, cut, sound };
  };
  expect([await count(5000), await count(5001)]).toEqual([
    { names: 5000, cut: false, sound: true },
    { names: 5000, cut: true, sound: true },
  ]);
});

test('a text with invalid syntax is marked as unsound', async () => {
  const { symbols, sound } = await analyse('go', 'package a\nfunc f( {\n', { name: 'a', prefix: false });
  expect({ symbols: symbols.map(listed), sound }).toEqual({
    symbols: ['1:9 defines module a'],
    sound: false,
  });
});

test('a second definition of one function on a line is dropped, others are not', async () => {
  const source =
    'a.run = function run() {};\na.go = function walk() {};\nfunction run() { function run() {} }\n';
  expect((await analyse('javascript', source, { name: 'run', prefix: false })).symbols.map(listed)).toEqual([
    '1:3 defines method a(class).run',
    '3:10 defines function run',
  ]);
});

test('a name in a string, a comment or a keyword does not count', async () => {
  const source = '// total\nconst a = "total";\nconst b = [total];\n';
  expect((await analyse('javascript', source, { name: 'total', prefix: false })).symbols.map(listed)).toEqual(
    ['3:12 use total'],
  );
  expect((await analyse('javascript', 'const a = 1;', { name: 'const', prefix: false })).symbols).toEqual([]);
});

test('a name is found down to 500 levels and skipped below', async () => {
  const at = async (depth: number) => {
    const source = `${'['.repeat(depth)}x${']'.repeat(depth)};\n`;
    return (await analyse('javascript', source, { name: 'x', prefix: false })).symbols.length;
  };
  expect([await at(498), await at(499)]).toEqual([1, 0]);
});

test('the text before a dot is reported up to 80 characters', async () => {
  const long = `${'a'.repeat(90)}.total;`;
  const { symbols } = await analyse('javascript', long, { name: 'total', prefix: false });
  expect(symbols[0]?.receiver).toBe('a'.repeat(80));
});

test('an unknown language has no grammar', async () => {
  await expect(analyse('css', 'a {}', { name: 'a', prefix: false })).rejects.toThrow(
    new TypeError('there is no grammar called css'),
  );
});

test.for([
  ['*Server[T]', 'Server'],
  ['Order<Line<u8>>', 'Order'],
  ['&mut Élan_2', 'mut'],
  ['$scope', '$scope'],
  ['_private9', '_private9'],
  ['<>', '<>'],
  ['List<\nOrder>', 'List'],
])('the bare name of %s is %s', ([name = '', expected]) => {
  expect(bareName(name)).toBe(expected);
});

test('a container without a name adds nothing', () => {
  const node = (fields: Record<string, string>) =>
    ({
      childForFieldName: (field: string) => (field in fields ? { text: fields[field] } : null),
    }) as unknown as SyntaxNode;
  expect(named('class')(node({ name: 'A' }))).toEqual([{ name: 'A', kind: 'class' }]);
  expect(named('class')(node({ key: 'A' }))).toBeNull();
  expect(named('method', 'key')(node({ key: 'b' }))).toEqual([{ name: 'b', kind: 'method' }]);
});
