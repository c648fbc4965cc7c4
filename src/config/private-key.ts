import { createPrivateKey } from 'node:crypto';

/**
 * A private key as PEM, from PEM (also with `\n` written out, as one-line environments force it) or base64 of
 * PEM; null where it is neither.
 */
export function readPrivateKey(text: string): string | null {
  const pem = text.includes('-----BEGIN')
    ? text.replaceAll('\\n', '\n')
    : Buffer.from(text, 'base64').toString('utf8');
  try {
    createPrivateKey(pem);
  } catch {
    return null;
  }
  return pem.trim();
}
