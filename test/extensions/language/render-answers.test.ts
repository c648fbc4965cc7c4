import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/contract/json.ts';
import { readSymbols } from '../../../src/extensions/language/read-symbols.ts';
import {
  answerWithCalls,
  answerWithItems,
  answerWithPlaces,
  answerWithSymbols,
  renderHover,
} from '../../../src/extensions/language/render-answers.ts';
import { severityFilter } from '../../../src/extensions/language/render-diagnostics.ts';
import type { Workspace } from '../../../src/workspace/workspace.ts';

const none = async (): Promise<never> => {
  throw new Error('no file is read');
};
const files = { read: none, stat: none } as unknown as Workspace['files'];
const requested = { workspace: { root: '/w', files }, limit: 10, state: { partial: false, messages: [] } };

const text = 'let one = two\n\n  let two = 2\nclass Box<T> { area() }\n';
const readable = {
  read: async (path: string) => {
    if (path !== 'a.toy') throw new Error(`${path} is not there`);
    return { bytes: Buffer.from(text), size: text.length };
  },
} as unknown as Workspace['files'];
const displayed = {
  workspace: { root: '/w', files: readable },
  limit: 10,
  state: { partial: false, messages: [] },
};
const note =
  '[path:line:column count from 1, as read shows lines; as input, line and character count from 0, one less]';

const at = (line: number, character: number) => {
  const start = { line, character };
  return { start, end: { line, character: character + 3 } };
};
const callOf = (fromRanges: ReturnType<typeof at>[]) => ({
  from: { name: 'caller', kind: 12, uri: 'file:///etc/a.toy', selectionRange: at(0, 0) },
  fromRanges,
});
const place = (line: number, character: number, uri = 'file:///w/a.toy'): JsonObject => ({
  ...{ uri, range: at(line, character) },
});

test('repeated calls are listed once, and 150,000 are parsed in linear time', async () => {
  const locations = Array.from({ length: 150_000 }, (_, line) => at(line, line % 7));
  const { content, data } = await answerWithCalls(
    'f',
    'from',
    { item: {}, calls: [callOf([at(0, 0), ...locations, at(7, 0), at(1, 0)])] },
    requested,
  );
  expect(content.split('\n').slice(-2, -1)).toEqual(['  [149996 more calls]']);
  expect(data).toEqual({
    calls: [
      {
        ...{ name: 'caller', path: '/etc/a.toy', line: 0, character: 0 },
        at: [...locations, at(1, 0)].map(({ start }) => start),
      },
    ],
    total: 1,
  });
});

test('locations are displayed with their lines, the number of further ones, and what may be missing', async () => {
  const three = [place(2, 6), place(0, 10), place(2, 6, 'file:///etc/a.toy')];
  expect(
    await answerWithPlaces('two', 'definition', three, {
      ...{ ...displayed, limit: 2, unopened: 3 },
      state: { partial: true, messages: ['only told where there is nothing'] },
    }),
  ).toEqual({
    content: [
      '3 definitions of two',
      'a.toy:3:7  let two = 2',
      'a.toy:1:11  let one = two',
      '[1 more; raise limit or ask more narrowly]',
      '[the name stands in 3 more files, which the server may not know: grep finds it there]',
      '[the server is still loading the project: there may be more, ask again]',
      note,
    ].join('\n'),
    data: {
      locations: [
        { path: 'a.toy', line: 2, character: 6 },
        { path: 'a.toy', line: 0, character: 10 },
      ],
      total: 3,
    },
  });
});

test('references are sorted by file and line, those outside the workspace last', async () => {
  const found = [
    place(0, 0, 'file:///etc/a.toy'),
    place(2, 6),
    place(0, 10),
    place(0, 4),
    place(9, 0, 'file:///w/0.toy'),
    place(2, 6),
  ];
  expect((await answerWithPlaces('two', 'reference', found, displayed)).content).toBe(
    [
      '5 references of two',
      '0.toy:10:1',
      'a.toy:1:5  let one = two',
      'a.toy:1:11  let one = two',
      'a.toy:3:7  let two = 2',
      '/etc/a.toy:1:1  [outside the workspace]',
      note,
    ].join('\n'),
  );
});

test("one location counts as one, and an empty answer has the server's message", async () => {
  const state = { partial: false, messages: ['no project', 'no Go'] };
  expect([
    (await answerWithPlaces('two', 'definition', place(0, 10), displayed)).content,
    await answerWithPlaces('two', 'definition', null, { ...displayed, state }),
    (await answerWithPlaces('two', 'definition', null, displayed)).content,
  ]).toEqual([
    `1 definition of two\na.toy:1:11  let one = two\n${note}`,
    {
      content: 'No definition of two\n[the server said: no project | no Go]',
      data: { locations: [], total: 0 },
    },
    'No definition of two',
  ]);
});

const tree: Json = [
  {
    ...{ name: 'Box<T>', kind: 5, range: at(3, 0), selectionRange: at(3, 6), detail: 'of T' },
    children: [{ name: 'area', kind: 6, range: at(3, 15) }],
  },
  { name: 'two', kind: 13, range: at(2, 2) },
];

test('the symbols of a file are a tree, up to the limit', async () => {
  const symbols = readSymbols(tree);
  expect(await answerWithSymbols('in a.toy', symbols, { ...displayed, limit: 2 }, 'a.toy')).toEqual({
    content: [
      '3 symbols in a.toy',
      'a.toy:4:7  class Box<T> of T',
      '  a.toy:4:16  method area',
      '[1 more; raise limit or ask more narrowly]',
      note,
    ].join('\n'),
    data: {
      symbols: [
        { name: 'Box<T>', kind: 'class', within: [], line: 3, character: 6, path: 'a.toy' },
        { name: 'area', kind: 'method', within: ['Box<T>'], line: 3, character: 15, path: 'a.toy' },
      ],
      total: 3,
    },
  });
});

test('symbols of the workspace are at their names, with their containers', async () => {
  const found: Json = [
    { name: 'Box<T>', kind: 5, location: place(3, 0) },
    { name: 'area()', kind: 6, containerName: 'Box', location: place(3, 0) },
    { name: 'gone', kind: 12, location: place(3, 2) },
    { name: 'far', kind: 99, location: { uri: 'file:///etc/b.toy' } },
  ];
  expect(await answerWithSymbols('for "a"', readSymbols(found), displayed, null)).toEqual({
    content: [
      '4 symbols for "a"',
      'a.toy:4:7  class Box<T>',
      'a.toy:4:16  method area() in Box',
      'a.toy:4:3  function gone',
      '/etc/b.toy:1:1  symbol far',
      note,
    ].join('\n'),
    data: {
      symbols: [
        { name: 'Box<T>', kind: 'class', within: [], line: 3, character: 6, path: 'a.toy' },
        { name: 'area()', kind: 'method', within: ['Box'], line: 3, character: 15, path: 'a.toy' },
        { name: 'gone', kind: 'function', within: [], line: 3, character: 2, path: 'a.toy' },
        { name: 'far', kind: 'symbol', within: [], line: 0, character: 0, path: '/etc/b.toy' },
      ],
      total: 4,
    },
  });
  expect(await answerWithSymbols('for "a"', [], displayed, null)).toEqual({
    content: 'No symbol for "a".',
    data: { symbols: [], total: 0 },
  });
});

const item = (name: string, line: number, uri = 'file:///w/a.toy'): JsonObject => ({
  ...{ name, kind: 12, uri, range: at(line, 0), selectionRange: at(line, 4) },
});

test('items of a call hierarchy have their kind and location', () => {
  const { selectionRange: _, ...plain } = item('three', 5);
  const items = [item('one', 0), 'no item', { name: 'no place', kind: 12 }, plain, item('two', 2)];
  expect(answerWithItems('one', items, { ...displayed, limit: 2 })).toEqual({
    content: [
      'Call hierarchy of one',
      'a.toy:1:5  function one',
      'a.toy:6:1  function three',
      '[1 more; raise limit or ask more narrowly]',
      note,
    ].join('\n'),
    data: {
      items: [
        { name: 'one', path: 'a.toy', line: 0, character: 4 },
        { name: 'three', path: 'a.toy', line: 5, character: 0 },
      ],
      total: 3,
    },
  });
  expect(answerWithItems('one', null, displayed)).toEqual({
    content: 'Nothing callable is at one',
    data: { items: [], total: 0 },
  });
});

test('the calls of a caller are in its own file, at most five', async () => {
  const ranges = (count: number) => Array.from({ length: count }, (_, index) => at(0, index));
  const calls = [
    { from: item('one', 0), fromRanges: ranges(6) },
    { from: item('two', 2), fromRanges: [...ranges(5), 'no range'] },
    { from: item('out', 0, 'file:///etc/b.toy'), fromRanges: [at(1, 2)] },
    { from: 'nobody', fromRanges: [] },
    { from: item('last', 0), fromRanges: null },
  ];
  const lines = [0, 1, 2, 3, 4].map((index) => `  call at a.toy:1:${index + 1}  let one = two`);
  const { content, data } = await answerWithCalls(
    'f',
    'from',
    { item: { uri: 'file:///w/x' }, calls },
    { ...displayed, limit: 3 },
  );
  expect(content).toBe(
    [
      '4 callers of f',
      'a.toy:1:5  function one',
      ...lines,
      '  [1 more call]',
      'a.toy:3:5  function two',
      ...lines,
      '/etc/b.toy:1:5  function out [outside the workspace]',
      '  call at /etc/b.toy:2:3',
      '[1 more; raise limit or ask more narrowly]',
      note,
    ].join('\n'),
  );
  expect((data as { total: number }).total).toBe(4);
});

test('the calls of a callee are in the file of the caller', async () => {
  const calls = [{ to: item('two', 2), fromRanges: [at(0, 10)] }];
  const reported = async (uri: string | null) =>
    (await answerWithCalls('f', 'to', { item: { uri }, calls }, displayed)).content;
  expect([await reported('file:///w/a.toy'), await reported(null)]).toEqual([
    `1 callee of f\na.toy:3:5  function two\n  call at a.toy:1:11  let one = two\n${note}`,
    `1 callee of f\na.toy:3:5  function two\n${note}`,
  ]);
  expect(await answerWithCalls('f', 'to', { item: {}, calls: [] }, displayed)).toEqual({
    content: 'No callee of f',
    data: { calls: [], total: 0 },
  });
});

test.for([
  [{ contents: { kind: 'markdown', value: ' **one** ' } }, '**one**'],
  [{ contents: 'one&nbsp;two' }, 'one two'],
  [{ contents: { language: 'ts', value: 'let one' } }, '```ts\nlet one\n```'],
  [
    { contents: ['one', '', { language: 'ts', value: 'let one' }, { value: 2 }, 3, 'two'] },
    'one\n\n```ts\nlet one\n```\n\ntwo',
  ],
  [{ contents: [] }, ''],
  [{}, ''],
  [null, ''],
  ['text', ''],
] as const)('%j is rendered as %j', ([result, text]) => {
  expect(renderHover(result as never)).toBe(text);
});

test('fifty parts are displayed, and 20,000 characters', () => {
  const parts = Array.from({ length: 51 }, (_, index) => String(index));
  expect(renderHover({ contents: parts })).toBe(parts.slice(0, 50).join('\n\n'));
  expect([
    renderHover({ contents: 'x'.repeat(19_999) }),
    renderHover({ contents: `${'x'.repeat(20_000)}y` }),
  ]).toEqual(['x'.repeat(19_999), `${'x'.repeat(20_000)}\n[cut]`]);
});

test.for([
  [undefined, 'any'],
  [null, 'any'],
  ['', 'any'],
  ['all', 'any'],
  ['any', 'any'],
  ['error', 'error'],
  ['Errors', 'error'],
  ['WARNINGS', 'warning'],
  ['warning', 'warning'],
  ['Information', 'info'],
  ['info', 'info'],
  ['hints', 'hint'],
  ['hint', 'hint'],
] as const)('the severity %j is %s', ([given, severity]) => {
  expect(severityFilter.parse(given)).toBe(severity);
});

test.for(['infos', 'big errors', 'fatal', 1, ['error']])('%j is no severity', (given) => {
  expect(severityFilter.safeParse(given).success).toBe(false);
});
