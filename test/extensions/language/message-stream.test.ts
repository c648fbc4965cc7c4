import { expect, test } from 'vitest';
import { MessageSource } from '../../../src/extensions/language/message-stream.ts';

const framed = (message: object, more = '') => {
  const text = JSON.stringify(message);
  return `${more}Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
};

/** What is made of pieces of output: messages, those that were too large by their ids, and why it broke. */
function read(pieces: Iterable<Buffer | string>) {
  const messages: unknown[] = [];
  const tooLarge: (number | null)[] = [];
  const broken: string[] = [];
  const source = new MessageSource({
    tooLarge: (id) => tooLarge.push(id),
    broken: (why) => broken.push(why),
  });
  source.reader.listen((message) => messages.push(message));
  for (const piece of pieces) source.push(Buffer.from(piece as string));
  return { messages, tooLarge, broken };
}

const one = { jsonrpc: '2.0', id: 1, result: 'größer 😀' };
const two = { jsonrpc: '2.0', method: 'x', params: { text: 'Content-Length: 3\r\n\r\n{}' } };
const good = { messages: [one, two], tooLarge: [], broken: [] };

test('messages are parsed however they are split, also inside a character or a header', () => {
  const bytes = Buffer.from(
    `noise\n${framed(one)}${framed(two, 'Content-Type: application/vscode-jsonrpc\r\n')}`,
  );
  const cut = (size: number) =>
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
      bytes.subarray(at * size, (at + 1) * size),
    );
  for (const size of [1, 2, 7, 64, bytes.length]) expect(read(cut(size))).toEqual(good);
});

test('a header may have other fields before and after the length', () => {
  const text = JSON.stringify(one);
  const head = `Content-Length: ${Buffer.byteLength(text)}\r\nContent-Type: x\r\n\r\n`;
  expect(read([head + text, framed(two)])).toEqual(good);
});

test('a message over the limit is skipped and reported by its id, if that is known', () => {
  const megabyte = Buffer.alloc(1024 * 1024, ' ');
  const long = (started: string) => [
    `Content-Length: ${17 * 1024 * 1024 + started.length}\r\n\r\n${started}`,
    ...Array.from({ length: 17 }, () => megabyte),
  ];
  const pieces = [...long('{"jsonrpc":"2.0","id": 12,'), framed(one), ...long('{"result":'), framed(two)];
  expect(read(pieces)).toEqual({ ...good, tooLarge: [12, null] });
});

test.for([
  ['Content-Length: x\r\n\r\n', 'sent a message whose head has no length'],
  [`Content-Length: 1${' '.repeat(5_000)}`, 'sent a message whose head does not end'],
  ['Content-Length: 5\r\n\r\n{"a":', 'sent a message that is no JSON'],
  ['Content-Length: 2\r\n\r\n[]', 'sent a message that is no JSON'],
  ['y'.repeat(300_000), 'prints what is no message of the Language Server Protocol'],
] as const)('%j breaks the stream, once', ([bytes, why]) => {
  expect(read([bytes, framed(one), bytes])).toEqual({ messages: [], tooLarge: [], broken: [why] });
});
