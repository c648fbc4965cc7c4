import { expect, test } from 'vitest';
import { isSigned, signValue } from '../../src/state/sign-value.ts';

test('a signature is valid for one secret, key and value', () => {
  // openssl dgst -sha256 -hmac secret, of ["key","value"]
  const signature = signValue('secret', 'key', 'value');
  expect(signature).toBe('90843adc8222cc05b765937f57e47cbd3227e1c423cbb37cbcb4821329c928d8');
  expect([
    isSigned('secret', 'key', 'value', signature),
    isSigned('other', 'key', 'value', signature),
    isSigned('secret', 'other', 'value', signature),
    isSigned('secret', 'key', 'other', signature),
    isSigned('secret', 'key', 'value', signature.slice(1)),
    isSigned('secret', 'key', 'value', ''),
  ]).toEqual([true, false, false, false, false, false]);
});
