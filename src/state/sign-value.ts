import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Returns the HMAC-SHA256 (hex) of a value and its key, so that a value cannot be moved to another
 * thread or run.
 */
export function signValue(secret: string, key: string, value: string): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify([key, value]))
    .digest('hex');
}

/** Returns true if a signature is ours. Compares in constant time. */
export function isSigned(secret: string, key: string, value: string, signature: string): boolean {
  const expected = Buffer.from(signValue(secret, key, value));
  const actual = Buffer.from(signature);
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}
