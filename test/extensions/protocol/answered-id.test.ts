import { expect, test } from 'vitest';
import { answeredId } from '../../../src/extensions/protocol/answered-id.ts';
import { externalName } from '../../../src/extensions/protocol/external-name.ts';
import { showArguments } from '../../../src/extensions/protocol/show-arguments.ts';
import { settledWithin } from '../../../src/tools/registry/settled-within.ts';
import { unlessAborted } from '../../../src/tools/registry/unless-aborted.ts';

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

test('of long arguments the beginning is shown', () => {
  expect([showArguments('x'.repeat(198)), showArguments('x'.repeat(199)), showArguments({ a: 1 })]).toEqual([
    `"${'x'.repeat(198)}"`,
    `"${'x'.repeat(199)}…`,
    '{"a":1}',
  ]);
});

test('a promise is settled within a time also by a rejection, and else not', async () => {
  expect([
    await settledWithin(Promise.resolve(), 60_000),
    await settledWithin(Promise.reject(new Error('no')), 60_000),
    await settledWithin(new Promise(() => {}), 1),
  ]).toEqual([true, true, false]);
});

test('what was promised counts, unless there is an abort before it', async () => {
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
