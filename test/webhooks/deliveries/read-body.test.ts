import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createBodyReader } from '../../../src/webhooks/deliveries/read-body.ts';

const request = (declared?: number) =>
  Object.assign(new PassThrough(), {
    headers: declared === undefined ? {} : { 'content-length': String(declared) },
  }) as unknown as IncomingMessage & PassThrough;

/** Lets the readers take what was written. */
const turn = () => new Promise(setImmediate);
const destroyed = (requests: readonly PassThrough[]) => requests.map((one) => one.destroyed);
const most = Buffer.alloc(26_214_400, 'a');

test('returns a whole body, and does not read one declared larger than 25 MiB', async () => {
  const read = createBodyReader();
  const [whole, large] = [request(), request(26_214_401)];
  whole.write('a');
  whole.end('ä');
  expect([await read(whole), await read(large), large.readableFlowing]).toEqual([
    { kind: 'whole', text: 'aä' },
    { kind: 'too large' },
    null,
  ]);
});

test('accepts a body of 25 MiB, and discards a larger undeclared one while reading', async () => {
  const read = createBodyReader(26_214_400);
  const [large, whole] = [request(), request(26_214_400)];
  const answers = [read(large), read(whole)] as const;
  large.write(most);
  large.write('b');
  await turn();
  whole.end(most);
  const taken = await answers[1];
  expect(taken.kind === 'whole' && taken.text.length).toBe(26_214_400);
  large.end('c');
  expect(await answers[0]).toEqual({ kind: 'too large' });
});

test('the oldest unfinished bodies are cut off above the total limit', async () => {
  const read = createBodyReader(10);
  // What came whole holds nothing any more, be it empty or not.
  for (const text of ['', '', '12345678', '']) {
    const before = request();
    before.end(text);
    expect(await read(before)).toEqual({ kind: 'whole', text });
  }
  const requests = [request(), request(), request()] as const;
  const [first, second, third] = requests;
  const bodies = requests.map((one) => read(one));
  first.write('aaaa');
  second.write('bbbb');
  third.write('cc');
  await turn();
  expect(destroyed(requests)).toEqual([false, false, false]);
  third.write('cccc');
  await turn();
  expect(destroyed(requests)).toEqual([true, false, false]);
  expect(await bodies[0]).toEqual({ kind: 'gone' });
  third.write('d');
  await turn();
  expect(destroyed(requests)).toEqual([true, true, false]);
  third.end();
  expect(await Promise.all(bodies)).toEqual([
    ...[{ kind: 'gone' }, { kind: 'gone' }, { kind: 'whole', text: 'ccccccd' }],
  ]);
});

test('four bodies of full size fit, and a fifth cuts off the first', async () => {
  const read = createBodyReader();
  const requests = Array.from({ length: 5 }, () => request());
  const bodies = requests.map((one) => read(one));
  for (const one of requests.slice(0, 4)) one.write(most);
  await turn();
  expect(destroyed(requests)).toEqual([false, false, false, false, false]);
  requests[4]?.end('b');
  expect([await bodies[0], await bodies[4]]).toEqual([{ kind: 'gone' }, { kind: 'whole', text: 'b' }]);
  for (const one of requests) one.destroy();
  expect(destroyed(requests)).toEqual([true, true, true, true, true]);
});
