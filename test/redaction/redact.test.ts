import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../src/redaction/redact.ts';

const secret = 'p4ss+word/ü"x?y=z';
const redact = createRedactor([secret, 'short', 'longer-one', 'longer-one-still']);

describe('redaction by value', () => {
  it.each([
    ['as it is', secret],
    ['URL-encoded', encodeURIComponent(secret)],
    ['in JSON', JSON.stringify(secret).slice(1, -1)],
    ['in hexadecimal', Buffer.from(secret).toString('hex')],
    ['broken over lines', 'p4ss+wo\n    rd/ü"x?y=z'],
  ])('takes a secret out %s', (_, form) => {
    expect(redact(`before ${form} after`)).toBe('before [redacted] after');
  });

  it.each([0, 1, 2, 3, 4])('takes a secret out of base64, with %s bytes before it', (count) => {
    const encoded = Buffer.from(`${'a'.repeat(count)}${secret}bcd`).toString('base64');
    const clean = redact(`token: ${encoded}`);
    expect([clean.includes('[redacted]'), Buffer.from(clean, 'base64').toString().includes('word')]).toEqual([
      true,
      false,
    ]);
  });

  it('takes out a whole private key, and each of its lines if only some are present', () => {
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    const redact = createRedactor([privateKey]);
    const [line = ''] = privateKey.split('\n').slice(3);
    // A line may begin or end with a sign, which tells nothing of the key.
    expect(redact(`é ${line} é`).replaceAll(/[+/]/g, '')).toBe('é [redacted] é');
    expect(redact(Buffer.from(`ab${privateKey}`).toString('base64'))).not.toContain(
      Buffer.from(line.slice(4, -4)).toString('base64').slice(2, -4),
    );
    expect(redact(privateKey).replaceAll('[redacted]', '').length).toBeLessThan(32);
  });

  it('takes the longest secret first, and leaves short values alone', () => {
    expect(redact('longer-one-still longer-one short')).toBe('[redacted] [redacted] short');
  });
});

it.each([
  ' ',
  ':',
  '-',
  '%',
  '\\x',
  ', 0x',
  '\n',
])('takes out hexadecimal with %j between the bytes', (between) => {
  const dump = Buffer.from('hunter22-hunter22').toString('hex').match(/../g)?.join(between);
  expect(createRedactor(['hunter22-hunter22'])(`x ${dump} ${dump?.toUpperCase()} y`)).toBe(
    'x [redacted] [redacted] y',
  );
});

describe('redaction by form', () => {
  const clean = createRedactor([]);
  it.each([
    `ghp_${'a1'.repeat(18)}`,
    `ghs_${'a1'.repeat(18)}`,
    `gho_${'a1'.repeat(18)}`,
    `github_pat_${'A1_b'.repeat(20)}`,
    `sk-ant-api03-${'aB-9'.repeat(20)}`,
    `sk-proj-${'aB9_'.repeat(10)}`,
    `sk-${'aB9'.repeat(16)}`,
    'AKIAIOSFODNN7EXAMPLE',
    `npm_${'a1B'.repeat(12)}`,
    `eyJ${'a'.repeat(20)}.eyJ${'b'.repeat(20)}.c-_`,
    '-----BEGIN OPENSSH PRIVATE KEY-----\nabc\ndef\n-----END OPENSSH PRIVATE KEY-----',
    '-----BEGIN PRIVATE KEY-----\ncut off here',
  ])('takes out %j', (token) => {
    expect(clean(`x ${token}`)).toBe('x [redacted]');
  });

  it('takes the password out of a URL and the value out of an authorization header', () => {
    expect(clean('https://x-access-token:v1.abc@github.com/a/b\nAuthorization: Bearer abcdefghijkl')).toBe(
      'https://x-access-token:[redacted]@github.com/a/b\nAuthorization: Bearer [redacted]',
    );
  });

  it('takes linear time on a text without a line end', () => {
    for (const part of ['a.', 'a-', 'www.', 'http://a:', 'eyJaaaaaaaa.'])
      expect(clean(part.repeat(100_000)).length).toBeGreaterThan(0);
  });

  it('leaves ordinary text and code unchanged', () => {
    const text =
      'const sk = tokens[0]; // ghp_ is a prefix, see https://example.com:8080/@scope; sha 4135fe8c1d2e3f4a5b6c7d8e9f0a1b2c3d4e5f60';
    expect(clean(text)).toBe(text);
  });
});
