import { afterEach, expect, test, vi } from 'vitest';
import type { SyntaxParser } from '../../../src/tools/services/run-services.ts';
import { openTools, type ToolHarness, type TreeEntry } from '../tool-harness.ts';

let tools: ToolHarness;
afterEach(() => tools.close());

async function open(files: Record<string, TreeEntry>): Promise<void> {
  tools = await openTools(files, { git: true });
}

const shop = {
  'src/order.ts':
    "import { parse } from './parse.ts';\n\nexport class Order {\n  total = 0;\n  add(line: string) {\n    this.total += parse(line); // add\n  }\n}\n",
  'src/cart.ts':
    "import { Order } from './order.ts';\n\nexport class Cart {\n  add(order: Order) {\n    order.add('add');\n  }\n  fill() {\n    this.add(new Order());\n  }\n}\n",
  'src/parse.ts':
    'export function parse(line: string): number {\n  return Number(line);\n}\nexport function parseAll(parse: (line: string) => number) {\n  return parse("1");\n}\n',
  'lib/tax.py':
    'from order import Order\n\n\nclass Tax:\n    def add(self, order):\n        return order.add("x")\n',
  'README.md': 'Call `parse` on an Order.\n',
};

test('definitions come first, then references by file, each with its container and line', async () => {
  await open(shop);
  expect(await tools.call('code_search', { query: 'Order' })).toEqual({
    content: [
      '1 definition',
      'src/order.ts:3:14 class Order: export class Order {',
      '4 references',
      'lib/tax.py:1:19 import Order: from order import Order',
      "src/cart.ts:1:10 import Order: import { Order } from './order.ts';",
      'src/cart.ts:4:14 type Order in method Cart.add: add(order: Order) {',
      'src/cart.ts:8:18 call Order in method Cart.fill: this.add(new Order());',
      '[1 file with the name left out (README.md): no code in a language that is understood here; use grep for them]',
    ].join('\n'),
    data: { definitions: 1, references: 4, parsed: 3, left_out: { other: 1 } },
  });
});

test.for([
  'Order.add',
  'Order#add',
  'Order::add',
  'Order->add',
  'Order.add(line)',
  'src/order.Order.add',
])('"%s" finds the member of its class, not a call on this in another class', async (query) => {
  await open(shop);
  const written = query.replace('src/', '');
  expect(await tools.say('code_search', { query: written })).toBe(
    [
      '1 definition',
      'src/order.ts:5:3 method add in class Order: add(line: string) {',
      '2 references',
      'lib/tax.py:6:22 call add in method Tax.add: return order.add("x")',
      "src/cart.ts:5:11 call add in method Cart.add: order.add('add');",
      '[types are not known: references are those of any member of this name]',
    ].join('\n'),
  );
});

test('a function can be qualified by its file', async () => {
  await open(shop);
  expect(await tools.say('code_search', { query: 'parse.parseAll', kind: 'definitions' })).toBe(
    '1 definition\nsrc/parse.ts:4:17 function parseAll: export function parseAll(parse: (line: string) => number) {',
  );
});

test('a parameter of the same name and its references come last and are marked', async () => {
  await open(shop);
  const lines = (await tools.say('code_search', { query: 'parse' })).split('\n');
  expect(lines.filter((line) => line.startsWith('src/'))).toEqual([
    'src/parse.ts:1:17 function parse: export function parse(line: string): number {',
    'src/parse.ts:4:26 parameter parse in function parseAll: export function parseAll(parse: (line: string) => number) {',
    "src/order.ts:1:10 import parse: import { parse } from './parse.ts';",
    'src/order.ts:6:19 call parse in method Order.add: this.total += parse(line); // add',
    'src/parse.ts:5:10 call parse in function parseAll (local variable): return parse("1");',
  ]);
});

test('a star finds all names with the same beginning', async () => {
  await open(shop);
  expect(await tools.say('code_search', { query: 'parseA*', kind: 'definitions' })).toContain(
    '1 definition\nsrc/parse.ts:4:17 function parseAll',
  );
});

test('path, glob and language narrow the search, and omitted matches are counted', async () => {
  await open(shop);
  const found = async (input: Record<string, string | number>) =>
    (await tools.call('code_search', { query: 'add', ...input })).data;
  const counted = (definitions: number, references: number, parsed: number) => ({
    definitions,
    references,
    parsed,
    left_out: {},
  });
  expect({
    path: await found({ path: 'lib' }),
    file: await found({ path: 'src/order.ts' }),
    glob: await found({ glob: '*.py' }),
    language: await found({ language: 'ts' }),
  }).toEqual({
    path: counted(1, 1, 1),
    file: counted(1, 0, 1),
    glob: counted(1, 1, 1),
    language: counted(2, 2, 2),
  });
  expect(await tools.say('code_search', { query: 'add', kind: 'definitions', limit: 1 })).toBe(
    '3 definitions\nlib/tax.py:5:9 method add in class Tax: def add(self, order):\n[2 more; narrow path, or raise limit]',
  );
});

test.for([
  [{ query: 'order' }, 'src/order.ts:3:14 class Order'],
  [{ query: 'Ordre' }, 'src/order.ts:3:14 class Order'],
  [{ query: 'parseal' }, 'src/parse.ts:4:17 function parseAll'],
  [{ query: 'Cart.total' }, 'total is defined elsewhere:\nsrc/order.ts:4:3 field total in class Order'],
] as const)('a missing name is reported with similar names: %j', async ([input, hint]) => {
  await open({ ...shop, 'src/cart.ts': 'export class Cart {}\n', 'lib/tax.py': '' });
  const reply = await tools.say('code_search', { ...input });
  expect(reply.split('\n')[0]).toMatch(new RegExp(`^No symbol "${input.query}"\\.`));
  expect(reply).toContain(hint);
});

test('the search for similar names ends at its time limit or after three names', async () => {
  const names = ['ordeA', 'ordeB', 'ordeC', 'orderFormat', 'orderStatus'];
  await open(Object.fromEntries(names.map((name) => [`${name}.py`, `def ${name}(): pass\n`])));
  const found = async () => (await tools.say('code_search', { query: 'order' })).match(/orde\w+\.py/g);
  expect(await found()).toEqual(['ordeA.py', 'ordeB.py', 'ordeC.py']);
  let now = 0;
  const clock = vi.spyOn(process, 'uptime').mockImplementation(() => now / 1_000);
  const { syntax } = tools.context;
  const analyse: SyntaxParser['analyse'] = async (request, signal) => {
    now += 2_000;
    return (await syntax?.analyse(request, signal)) ?? null;
  };
  Object.assign(tools.context, { syntax: { ...syntax, analyse } });
  expect(await found()).toEqual(['ordeA.py', 'ordeB.py']);
  clock.mockRestore();
});

test('if only definitions or only references exist, the result says so', async () => {
  await open({ 'a.py': 'print(missing)\n', 'b.py': 'def lonely(): pass\n' });
  expect(await tools.say('code_search', { query: 'missing', kind: 'definitions' })).toBe(
    'No definition "missing". There is 1 reference; leave kind out to see them.',
  );
});

test('a query without a name or an unknown language is refused with a remedy', async () => {
  await open(shop);
  expect(await tools.say('code_search', { query: 'two words' })).toMatch(
    /^invalid_input: "two words" is not the name of a symbol\./,
  );
  expect(await tools.say('code_search', { query: 'x', language: 'cobol' })).toMatch(
    /^invalid_input: The syntax of "cobol" is not known here; known are typescript, javascript, python, /,
  );
});

test('ignored, minified, generated, huge and binary files and links are omitted or reported', async () => {
  await open({
    '.gitignore': 'build/\n',
    'build/out.js': 'function make() {}\n',
    'made.go': '// Code generated by a tool. DO NOT EDIT.\npackage a\nfunc make() {}\n',
    'own.go': 'package a\nfunc make() {}\n',
    'page.min.js': 'function make(){}',
    'packed.js': `function make(){}${'x();'.repeat(3000)}`,
    'big.js': `function make() {}\n${'// filler\n'.repeat(120_000)}`,
    'link.go': { symlink: 'own.go' },
    'outside.go': { symlink: '/etc/passwd' },
  });
  expect(await tools.call('code_search', { query: 'make' })).toEqual({
    content: [
      '2 definitions',
      'own.go:2:6 function make: func make() {}',
      'made.go:3:6 function make (generated): func make() {}',
      '0 references',
      '[1 file with the name left out: over 1 MiB]',
      '[2 files with the name left out: minified]',
    ].join('\n'),
    data: { definitions: 2, references: 0, parsed: 2, left_out: { large: 1, minified: 2 } },
  });
});

test('the language of a script without an extension is found from its first line', async () => {
  await open({ 'bin/deploy': '#!/usr/bin/env python3\ndef deploy(): pass\n', LICENSE: 'deploy\n' });
  expect(await tools.say('code_search', { query: 'deploy', kind: 'definitions' })).toContain(
    'bin/deploy:2:5 function deploy: def deploy(): pass',
  );
});

test('without a parser the text is searched, and both the answer and its data say so', async () => {
  await open(shop);
  const none: SyntaxParser = { analyse: async () => null, close: async () => undefined };
  Object.assign(tools.context, { syntax: none });
  const { content, data } = await tools.call('code_search', { query: 'parseAll' });
  expect(data).toEqual({ definitions: 1, references: 0, fallback: true });
  expect(content).toBe(
    [
      '[no parser is installed here: lines are matched by their text, comments and strings included]',
      '1 likely definitions',
      'src/parse.ts:4:export function parseAll(parse: (line: string) => number) {',
      '0 other lines',
    ].join('\n'),
  );
});

test('a long line is displayed around the name', async () => {
  await open({ 'a.js': `const data = [${'1, '.repeat(300)}here];\n` });
  expect(await tools.say('code_search', { query: 'here', kind: 'references' })).toMatch(
    /^1 reference\na\.js:1:915 use here: … (?:1, )+here\];$/,
  );
});

test('an abort ends the search with its reason', async () => {
  const stop = new AbortController();
  tools = await openTools(shop, { git: true, signal: stop.signal });
  stop.abort(new Error('stopped by the test'));
  await expect(tools.call('code_search', { query: 'Order' })).rejects.toThrow('stopped by the test');
});

test('a member inherited from a base class is found at any depth', async () => {
  await open({
    'base.py': 'class Root:\n    def resolve(self): pass\n\nclass Mixin(Root):\n    pass\n',
    'session.py': 'class Session(Mixin, object):\n    def send(self):\n        self.resolve()\n',
  });
  expect(await tools.say('code_search', { query: 'Session.resolve' })).toBe(
    [
      '1 definition',
      'base.py:2:9 method resolve in class Root: def resolve(self): pass',
      '1 reference',
      'session.py:3:14 call resolve in method Session.send: self.resolve()',
      '[types are not known: references are those of any member of this name]',
      '[Session has no resolve of its own and inherits it from Root]',
    ].join('\n'),
  );
});

test.for([
  [
    '(*Command).Traverse',
    'command.go:3:19 method Traverse in class Command: func (c *Command) Traverse() {}',
  ],
  ['cobra.Command', 'command.go:2:6 class Command: type Command struct{}\n'],
  [
    'cobra.Command.Traverse',
    'command.go:3:19 method Traverse in class Command: func (c *Command) Traverse() {}',
  ],
] as const)('a name is read by the rules of Go: %s', async ([query, line]) => {
  await open({ 'command.go': 'package cobra\ntype Command struct{}\nfunc (c *Command) Traverse() {}\n' });
  expect(await tools.say('code_search', { query })).toContain(`1 definition\n${line.trim()}`);
});

test("references to a member through a name like its owner's come first", async () => {
  await open({ 'a.js': 'const keys = { end: done };\nother.end();\nres.end();\n' });
  const replyText = await tools.say('code_search', { query: 'res.end', kind: 'references', limit: 1 });
  expect(replyText.split('\n').slice(0, 3)).toEqual([
    '3 references',
    'a.js:3:5 call end: res.end();',
    '[2 more; narrow path, or raise limit]',
  ]);
});

test('references through this count in a class, its bases and its subclasses', async () => {
  await open({
    'a.py':
      'class Mixin:\n    def go(self):\n        return self.most\n\nclass Session(Mixin):\n    def __init__(self):\n        self.most = 3\n    def stay(self):\n        return self.most\n',
  });
  expect(await tools.say('code_search', { query: 'Session.most' })).toMatch(
    /a\.py:7:14 field most .*\n2 references\na\.py:3:21 .*\na\.py:9:21 /,
  );
});
