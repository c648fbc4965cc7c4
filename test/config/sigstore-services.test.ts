import { expect, test } from 'vitest';
import { sigstoreServices } from '../../src/config/sigstore-services.ts';
import { ConfigError } from '../../src/contract/errors.ts';

test('the public instance is the default, and variables name another', () => {
  expect([
    sigstoreServices({ ANODE_TSA_URL: ' ' }),
    sigstoreServices({
      ANODE_FULCIO_URL: 'https://fulcio.example.com/',
      ANODE_REKOR_URL: 'http://127.0.0.1:3000',
      ANODE_TSA_URL: 'https://tsa.example.com',
    }),
  ]).toEqual([
    { fulcio: 'https://fulcio.sigstore.dev', rekor: 'https://rekor.sigstore.dev', timestamps: null },
    {
      fulcio: 'https://fulcio.example.com',
      rekor: 'http://127.0.0.1:3000',
      timestamps: 'https://tsa.example.com',
    },
  ]);
});

test('an address that would show the identity token on the network is refused', () => {
  for (const text of [
    'http://fulcio.example.com',
    'fulcio',
    'file:///etc/passwd',
    'http://127.0.0.1.example.com',
  ])
    expect(() => sigstoreServices({ ANODE_FULCIO_URL: text })).toThrow(
      new ConfigError('ANODE_FULCIO_URL takes an https address, such as https://fulcio.example.com.', {
        key: 'ANODE_FULCIO_URL',
      }),
    );
});
