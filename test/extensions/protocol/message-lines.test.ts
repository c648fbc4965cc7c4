import { expect, test } from 'vitest';
import type { Json } from '../../../src/contract/json.ts';
import { externalName, showArguments } from '../../../src/extensions/protocol/declared-tool.ts';
import { answeredId, isBoundedJson, messageLines } from '../../../src/extensions/protocol/message-lines.ts';
import { settledWithin, unlessAborted } from '../../../src/tools/registry/promise-limits.ts';

/** What becomes of output in these pieces. */
function received(limits: { message: number; line: number }, ...pieces: readonly string[]) {
  const events: unknown[] = [];
  const push = messageLines(limits, {
    line: (text) => events.push(text),
    tooLong: (line) => events.push(line),
    endless: () => events.push('endless'),
  });
  for (const piece of pieces) push(Buffer.from(piece));
  return events;
}

test('lines are extracted from pieces, and one without an end waits for it', () => {
  expect([
    received({ message: 5, line: 9 }, 'ab\n', 'c', 'd', 'e\nf\n\ng'),
    received({ message: 5, line: 9 }, '', '12345\n', '12345'),
  ]).toEqual([['ab', 'cde', 'f', ''], ['12345']]);
});

test('a line over the limit is reported by its size and ends, and the next is read normally', () => {
  const long = `${'a'.repeat(600)}${'b'.repeat(600)}`;
  const ends = { head: 'a'.repeat(512), tail: 'b'.repeat(512) };
  const limits = { message: 1_000, line: 2_000 };
  expect([
    received(limits, `${long}\nok\n`),
    received(limits, ...[...long].map(String), '\n', 'ok\n'),
    received(limits, long.slice(0, 900), `${long.slice(900)}\n`),
    received({ message: 5, line: 9 }, 'abc', 'def', '\nok\n'),
    received({ message: 5, line: 9 }, 'abcdef\nabcdefg\n'),
  ]).toEqual([
    [{ bytes: 1_200, ...ends }, 'ok'],
    [{ bytes: 1_200, ...ends }, 'ok'],
    [{ bytes: 1_200, ...ends }],
    [{ bytes: 6, head: 'abcdef', tail: 'abcdef' }, 'ok'],
    [
      { bytes: 6, head: 'abcdef', tail: 'abcdef' },
      { bytes: 7, head: 'abcdefg', tail: 'abcdefg' },
    ],
  ]);
});

test('nothing is read after a line without an end', () => {
  const limits = { message: 5, line: 9 };
  expect([
    received(limits, 'x'.repeat(9), '\nok\n'),
    received(limits, 'ok\n', 'x'.repeat(10), '\nok\n', 'ok\n'),
    received(limits, 'x'.repeat(5), 'x'.repeat(5), 'more'),
  ]).toEqual([
    [{ bytes: 9, head: 'x'.repeat(9), tail: 'x'.repeat(9) }, 'ok'],
    ['ok', 'endless'],
    ['endless'],
  ]);
});

test.each<[head: string, tail: string, id: string | null]>([
  ['{"jsonrpc":"2.0","id":12,"result":"x', 'x"}', '12'],
  [' { "jsonrpc" : "2.0" , "id" : "a-1" , "result":"x', 'x"}', '"a-1"'],
  ['{"id":1,"result":"x', 'x"}', '1'],
  ['{"result":"x', 'x","id":3}', '3'],
  ['{"result":"x', 'x", "id" : "b" , "jsonrpc" : "2.0" } \n', '"b"'],
  ['{"id":1,"result":"x', 'x","id":3}', '1'],
  ['{"result":{"id":1,"x":"x', 'x"}}', null],
  ['{"result":"x', '"id":3},"x":1}', null],
  ['x{"id":1', '"id":3}x', null],
  ['{"id":"a\\"b"', '', null],
  [`{"id":"${'a'.repeat(101)}"`, '', null],
  [`{"id":"${'a'.repeat(100)}"`, '', `"${'a'.repeat(100)}"`],
  ['{"id":null', '"id":-1}', null],
])('a message from %j to %j answers %j', (head, tail, id) => {
  expect(answeredId({ head, tail })).toBe(id);
});

test.each([
  ['Get Weather', 'x_get_weather'],
  [' a-b_c.d/e ', 'x_a-b_c_d_e'],
  ['__a__', 'x_a'],
  ['ä', null],
  ['', null],
  ['a'.repeat(70), `x_${'a'.repeat(62)}`],
])('a tool called %j is registered as %j', (name, registered) => {
  expect(externalName('x_', name)).toBe(registered);
});

test('long arguments are displayed by their beginning', () => {
  expect([showArguments('x'.repeat(198)), showArguments('x'.repeat(199)), showArguments({ a: 1 })]).toEqual([
    `"${'x'.repeat(198)}"`,
    `"${'x'.repeat(199)}…`,
    '{"a":1}',
  ]);
});

test('a promise settles within a time limit, also by a rejection', async () => {
  expect([
    await settledWithin(Promise.resolve(), 60_000),
    await settledWithin(Promise.reject(new Error('no')), 60_000),
    await settledWithin(new Promise(() => {}), 1),
  ]).toEqual([true, true, false]);
});

test("a promise's result counts, unless an abort comes first", async () => {
  const running = new AbortController();
  const waiting = unlessAborted(new Promise(() => {}), running.signal);
  running.abort(new Error('stopped'));
  await expect(waiting).rejects.toThrow('stopped');
  await expect(unlessAborted(new Promise(() => {}), running.signal)).rejects.toThrow('stopped');
  await expect(unlessAborted(Promise.reject(new Error('late')), running.signal)).rejects.toThrow();
  const calm = new AbortController().signal;
  expect(await unlessAborted(Promise.resolve(3), calm)).toBe(3);
  await expect(unlessAborted(Promise.reject(new Error('broke')), calm)).rejects.toThrow('broke');
});

test.each<[value: Json, parts: number, depth: number]>([
  [1, 1, 0],
  [null, 1, 0],
  ['text', 1, 0],
  [[], 1, 0],
  [[1, 'ab', null], 4, 1],
  [{ a: 1, b: [2, { c: 3 }] }, 6, 3],
])('%j has %i parts, nested %i deep', (value, parts, depth) => {
  expect([
    isBoundedJson(value, { parts, depth }),
    isBoundedJson(value, { parts: parts - 1, depth }),
    isBoundedJson(value, { parts, depth: depth - 1 }),
  ]).toEqual([true, false, false]);
});
