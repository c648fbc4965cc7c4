import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createBodyReader } from '../../../src/webhooks/deliveries/read-body.ts';

const request = (declared?: number) =>
  Object.assign(new PassThrough(), {
    headers: declared === undefined ? {} : { 'content-length': String(declared) },
  }) as unknown as IncomingMessage & PassThrough;

test('a body comes back whole, and one that is declared larger than 25 MiB is not read', async () => {
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

test('the oldest unfinished bodies are cut off where all together are too much', async () => {
  const read = createBodyReader(10);
  const requests = [request(), request(), request()];
  const bodies = requests.map((one) => read(one));
  const [first, second, third] = requests;
  first?.write('aaaa');
  second?.write('bbbb');
  third?.write('ccccc');
  expect(await bodies[0]).toEqual({ kind: 'gone' });
  third?.end();
  expect(await bodies[2]).toEqual({ kind: 'whole', text: 'ccccc' });
  second?.end('bb');
  expect(await bodies[1]).toEqual({ kind: 'whole', text: 'bbbbbb' });
});
