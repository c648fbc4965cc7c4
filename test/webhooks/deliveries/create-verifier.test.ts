import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { createVerifier } from '../../../src/webhooks/deliveries/create-verifier.ts';

test('a body is valid only with the signature made with our secret', async () => {
  const verify = createVerifier('secret');
  const body = '{"a":"ä"}';
  const sign = (secret: string, text: string) =>
    `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`;
  expect(
    await Promise.all([
      verify(body, sign('secret', body)),
      verify(body, sign('other', body)),
      verify(body, sign('secret', `${body} `)),
      verify(body, sign('secret', body).replace('sha256=', 'sha1=')),
      verify(body, 'nonsense'),
    ]),
  ).toEqual([true, false, false, false, false]);
});
